/** The part of a template that decides which images a render fetches. */
import { clockUseOf, shareClockUse } from '../clock/clock-use.ts';
import { isParent } from '../layer-tree.ts';
import { imageAddresses, layerTypes } from '../layers.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { walkStrings } from './bindings.ts';
import { imageSources } from './layers.ts';

/** The layers of a template that name images, as documents. */
export interface ImagePart {
  document: Template;
  /** With only the layers of the canvas whose images may differ from frame to frame. */
  changing: Template;
  /** Variables that frames set and these layers may read. */
  frameNames: readonly string[];
  /** Whether these layers read the clock. */
  isTimed: boolean;
}

const imageParts = new WeakMap<Template, ImagePart>();

/** The image part of a template, cached for each document. Binding all layers of a banner takes 10 µs. */
export function imagePartOf(whole: Template): ImagePart {
  let part = imageParts.get(whole);
  if (part === undefined) imageParts.set(whole, (part = findPart(whole)));
  return part;
}

function findPart(whole: Template): ImagePart {
  const { animation, background: _background, alt: _alt, ...rest } = whole;
  const layers = imageLayers(whole.layers, animation !== undefined);
  const texts = layers.map((layer) => JSON.stringify(layer));
  const set = animation?.type === 'values' ? animation.frames : [];
  const names = new Set(set.flatMap((frame) => Object.keys(frame.values)));
  const { read: readByClock } = clockUseOf(whole);
  const frameNames = [...names].filter(
    (name) => readByClock.has(name) || texts.some((text) => text.includes(inJson(name))),
  );
  const clockWords = clockWordsOf(whole);
  const isTimed = clockWords.some((word) => texts.some((text) => text.includes(word)));
  const read = [...frameNames.map(inJson), ...clockWords];
  const document: Template = { ...rest, layers };
  const changing: Template = {
    ...rest,
    layers: layers.filter((_, index) => read.some((word) => texts[index]?.includes(word))),
  };
  shareClockUse(whole, document);
  shareClockUse(whole, changing);
  return { document, changing, frameNames, isTimed };
}

/** Texts at least one of which is in the JSON of each layer that reads the clock. */
function clockWordsOf(whole: Template): string[] {
  const { names, unit } = clockUseOf(whole);
  return [...[...names].map(inJson), ...(unit === undefined ? [] : ['|', '"now"', '"today"'])];
}

/** A name as the JSON of a text contains it. */
function inJson(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

/**
 * The layers that name an image, bound or not. Values decide which image a layer has and whether it can be drawn. For a
 * template with frames (`moves`), bound geometry is left out.
 */
function imageLayers(layers: readonly Layer[], moves: boolean): Layer[] {
  return layers
    .filter((layer) => imageSources([layer]).length > 0)
    .map((layer) => {
      const still = moves ? withoutGeometry(layer) : layer;
      return isParent(still) ? { ...still, layers: imageLayers(still.layers, moves) } : still;
    });
}

/** Properties that decide whether a layer is drawn, besides the address of its image. */
const decidingNames: ReadonlySet<string> = new Set([
  'id',
  'type',
  'visible',
  'visibleWhen',
  'layers',
  'repeat',
  'text',
  'spans',
  'value',
  'alternatives',
]);

const boxNames: ReadonlySet<string> = new Set(['x', 'y', 'width', 'height']);

/** The layer without bindings of position and appearance, whose values may differ in each frame. */
function withoutGeometry(layer: Layer): Layer {
  const { required = [] } = layerTypes[layer.type].schema as { required?: readonly string[] };
  const addresses = new Set(imageAddresses(layer).map(([[name]]) => name));
  const entries = Object.entries(layer).flatMap(([name, value]: [string, unknown]) => {
    const isKept = decidingNames.has(name) || addresses.has(name) || !isBound(value);
    if (isKept || (required.includes(name) && !boxNames.has(name))) return [[name, value]];
    return boxNames.has(name) ? [[name, 1]] : [];
  });
  return Object.fromEntries(entries) as Layer;
}

function isBound(value: unknown): boolean {
  return [...walkStrings(value)].some(([, text]) => text.includes('{{'));
}
