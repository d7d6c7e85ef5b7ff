/** Finds the images that a render draws, on the thread that answers: it looks at nothing else of the layers. */
import { framesOf, frameValues } from '#language/animation/frames.ts';
import { walkStrings } from '#language/bind/bindings.ts';
import { imageSources, resolveLayers } from '#language/bind/layers.ts';
import { isTimed, shareClockUse } from '#language/clock/clock-use.ts';
import { isParent } from '#language/layer-tree.ts';
import { imageAddresses, layerTypes } from '#language/layers.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { AppError } from '../../foundation/errors.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { RenderOptions } from '../request.ts';
import type { ResolvedValues } from '../values.ts';

/** Different images of all frames: a still draws at most as many layers, each with two. */
const sourcesMax = 1000;

/** A document with nothing but the layers that name images. */
interface ImagePart {
  document: Template;
  /** Variables that frames set and these layers may read. */
  frameNames: readonly string[];
  /** Whether these layers read the clock. */
  isTimed: boolean;
}

const imageParts = new WeakMap<Template, ImagePart>();

/**
 * The sources that a template draws with these values, as they stand after binding, each once and in drawing order; hidden
 * layers and empty sources draw none. Throws BAD_REQUEST for frames that draw too many.
 */
export function drawnSources(
  { document: whole }: PublishedTemplate,
  values: ResolvedValues,
  { frames, ...options }: RenderOptions,
): string[] {
  let part = imageParts.get(whole);
  if (part === undefined) imageParts.set(whole, (part = imagePart(whole)));
  const { document, frameNames, isTimed: readsClock } = part;
  if (document.layers.length === 0) return [];
  const sequence = frames === undefined ? undefined : framesOf(whole, options.timeMs, frames);
  const sources = new Set<string>();
  const known = new Set<string>();
  for (const frame of sequence?.frames ?? [undefined]) {
    const timeMs = frame?.timeMs ?? options.timeMs;
    const set = frameNames.map((name) => frame?.values?.[name] ?? null);
    const reads = JSON.stringify([readsClock ? timeMs : null, ...set]);
    // Most frames move what is drawn, and draw the images of the first one.
    if (known.has(reads)) continue;
    known.add(reads);
    const inFrame = frameValues({ values }, frame);
    const { layers } = resolveLayers(document, inFrame, { ...options, timeMs });
    for (const source of imageSources(layers)) sources.add(source);
    if (sources.size > sourcesMax) throw tooManySources();
  }
  return [...sources];
}

function tooManySources(): AppError {
  return new AppError(
    'BAD_REQUEST',
    `The frames of this image draw more than ${sourcesMax} different images: ask for fewer frames (_frames), or show fewer images.`,
  );
}

/** Binding every layer of a banner takes 10 µs of the main thread; most name no image. */
function imagePart(whole: Template): ImagePart {
  const layers = imageLayers(whole.layers, whole.animation !== undefined);
  const { animation, background: _background, alt: _alt, ...rest } = whole;
  const document: Template = { ...rest, layers };
  const readsClock = isTimed({ ...document });
  shareClockUse(whole, document);
  const text = JSON.stringify(layers);
  const set = animation?.type === 'values' ? animation.frames : [];
  const names = new Set(set.flatMap((frame) => Object.keys(frame.values)));
  const frameNames = [...names].filter((name) => text.includes(JSON.stringify(name).slice(1, -1)));
  return { document, frameNames, isTimed: readsClock };
}

/**
 * Only the layers that name an image, bound or not. A value changes which image it is, and whether the layer can be drawn;
 * the geometry of one that moves is left out.
 */
function imageLayers(layers: readonly Layer[], moves: boolean): Layer[] {
  return layers
    .filter((layer) => imageSources([layer]).length > 0)
    .map((layer) => {
      const still = moves ? withoutGeometry(layer) : layer;
      return isParent(still) ? { ...still, layers: imageLayers(still.layers, moves) } : still;
    });
}

/** What decides whether a layer is drawn, beside the address of its image. */
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

/** The layer without bindings of where and how it is drawn: each frame may have other values of them. */
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
