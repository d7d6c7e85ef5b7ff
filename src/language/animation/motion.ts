/** Moves the layers of a scene along the tracks of its animation. */
import { toRgba } from '#wire/color.ts';
import { isParent } from '../layer-tree.ts';
import { easings } from '../schema/animation.ts';
import type { MotionTrack } from '../schema/animation.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';

const secondMs = 1000;

/**
 * Concrete layers `motionMs` after the start of the motion. Layers without a track are returned as the same objects.
 */
export function moveLayers(
  layers: Layer[],
  { animation }: Pick<Template, 'animation'>,
  motionMs: number | undefined,
): Layer[] {
  if (animation?.type !== 'motion' || motionMs === undefined) return layers;
  const tracks = Map.groupBy(animation.tracks as MotionTrack[], ({ layer }) => layer);
  return moveList(layers, tracks, motionMs / secondMs, animation.seconds);
}

function moveList(
  layers: readonly Layer[],
  tracks: ReadonlyMap<string, MotionTrack[]>,
  seconds: number,
  duration: number,
): Layer[] {
  return layers.map((layer) => {
    let moved = layer;
    for (const track of tracks.get(layer.id) ?? []) {
      moved = moveLayer(moved, track, progressOf(track, seconds, duration));
    }
    if (!isParent(moved)) return moved;
    const children = moveList(moved.layers, tracks, seconds, duration);
    const isSame = children.every((child, index) => child === layerAt(layer, index));
    return isSame ? moved : { ...moved, layers: children };
  });
}

function layerAt(layer: Layer, index: number): Layer | undefined {
  return isParent(layer) ? layer.layers[index] : undefined;
}

/** Progress of a track after its easing, from 0 to 1. `at` and `duration` are in seconds. */
function progressOf({ start = 0, end, easing }: MotionTrack, at: number, duration: number): number {
  const length = (end ?? duration) - start;
  const share = length <= 0 ? Number(at >= start) : (at - start) / length;
  return ease(Math.min(1, Math.max(0, share)), easing ?? 'ease-in-out');
}

/** Cubic curves, close to those of CSS Easing 1. */
function ease(share: number, easing: (typeof easings)[number]): number {
  switch (easing) {
    case 'linear':
      return share;
    case 'ease-in':
      return share ** 3;
    case 'ease-out':
      return 1 - (1 - share) ** 3;
    case 'ease-in-out':
      return share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
    default:
      return easing satisfies never;
  }
}

/**
 * A copy of the layer with one property between the two values of its track. If `from` or `to` is absent, the layer's
 * value is used.
 */
function moveLayer(layer: Layer, { property, from, to }: MotionTrack, share: number): Layer {
  const between = (still: number): number => {
    const start = typeof from === 'number' ? from : still;
    return start + ((typeof to === 'number' ? to : still) - start) * share;
  };
  switch (property) {
    case 'x':
    case 'y':
      return { ...layer, [property]: between(layer[property] ?? 0) };
    case 'opacity':
      return { ...layer, opacity: clamp(between(layer.opacity ?? 1), 0, 1) };
    case 'rotation':
      return { ...layer, rotation: between(layer.rotation ?? 0) };
    case 'scale':
      return scaleLayer(layer, Math.max(0, between(1)));
    case 'fill':
      return fillLayer(layer, from, to, share);
    case 'typed':
      return typeText(layer, clamp(between(1), 0, 1));
    default:
      return property satisfies never;
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Scales a layer about its centre: its box, letters, strokes, corners and shadows. */
function scaleLayer(layer: Layer, factor: number): Layer {
  const { width, height, x = 0, y = 0 } = layer;
  if (typeof width !== 'number' || typeof height !== 'number') return layer;
  // A text with a box of size 0 would be truncated.
  if (factor === 0) return { ...layer, opacity: 0 };
  const scaled = scaleLengths(layer, factor) as Layer;
  return {
    ...scaled,
    x: x + (width * (1 - factor)) / 2,
    y: y + (height * (1 - factor)) / 2,
    width: width * factor,
    height: height * factor,
  };
}

/** Lengths besides the box, as properties of a layer or of its spans. */
const lengthNames: ReadonlySet<string> = new Set([
  'fontSize',
  'minSize',
  'letterSpacing',
  'cornerRadius',
]);
/** Nested objects with lengths, and the names of these lengths. */
const holders: ReadonlyMap<string, readonly string[]> = new Map([
  ['stroke', ['width']],
  ['border', ['width']],
  ['shadow', ['x', 'y', 'blur']],
]);

/** A copy of a layer or span with every length multiplied by `factor`. */
function scaleLengths(value: object, factor: number): object {
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    if (lengthNames.has(name)) return [name, multiply(inner, factor)];
    const inside = holders.get(name);
    if (inside !== undefined) return [name, scaleHolder(inner, inside, factor)];
    if (name === 'spans' && Array.isArray(inner)) {
      return [name, inner.map((span: object) => scaleLengths(span, factor))];
    }
    return [name, inner];
  });
  const copy = Object.fromEntries(entries) as { type?: string; fontSize?: number };
  return copy.type === 'text' ? { ...copy, fontSize: copy.fontSize ?? 16 * factor } : copy;
}

function scaleHolder(value: unknown, names: readonly string[], factor: number): unknown {
  if (Array.isArray(value)) return value.map((each) => scaleHolder(each, names, factor));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => [
    name,
    names.includes(name) ? multiply(inner, factor) : inner,
  ]);
  return Object.fromEntries(entries);
}

function multiply(value: unknown, factor: number): unknown {
  if (typeof value === 'number') return value * factor;
  return Array.isArray(value) ? value.map((each) => multiply(each, factor)) : value;
}

function fillLayer(
  layer: Layer,
  from: MotionTrack['from'],
  to: MotionTrack['to'],
  share: number,
): Layer {
  if (!('fill' in layer) && layer.type !== 'text') return layer;
  const fill = (layer as { fill?: unknown }).fill;
  const standard = typeof fill === 'string' && fill.startsWith('#') ? fill : '#000000';
  const start = toRgba(typeof from === 'string' ? from : standard);
  const end = toRgba(typeof to === 'string' ? to : standard);
  const channel = (index: 0 | 1 | 2 | 3): string => {
    const value = start[index] + (end[index] - start[index]) * share;
    return Math.round(index === 3 ? value * 255 : value)
      .toString(16)
      .padStart(2, '0');
  };
  return { ...layer, fill: `#${channel(0)}${channel(1)}${channel(2)}${channel(3)}` };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Shows the first letters of a text, as whole graphemes. */
function typeText(layer: Layer, share: number): Layer {
  if (layer.type !== 'text') return layer;
  if (layer.spans === undefined) return { ...layer, text: startOf(layer.text ?? '', share) };
  const lengths = layer.spans.map(({ text }) => graphemesOf(text).length);
  let left = Math.round(lengths.reduce((sum, length) => sum + length, 0) * share);
  const spans = layer.spans.map((span) => {
    const graphemes = graphemesOf(span.text);
    const text = graphemes.slice(0, Math.max(0, left)).join('');
    left -= graphemes.length;
    return { ...span, text };
  });
  return { ...layer, spans };
}

function startOf(text: string, share: number): string {
  const graphemes = graphemesOf(text);
  return graphemes.slice(0, Math.round(graphemes.length * share)).join('');
}

function graphemesOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
