/** Finds the source images of a render, on the main thread: it binds only the layers that name images. */
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

/** Upper bound of the different images in all frames of a render. */
const sourcesMax = 1000;

/** A document that has only the layers that name images. */
interface ImagePart {
  document: Template;
  /** Variables that frames set and these layers may read. */
  frameNames: readonly string[];
  /** Whether these layers read the clock. */
  isTimed: boolean;
}

const imageParts = new WeakMap<Template, ImagePart>();

/**
 * The sources of a template with these values, after binding, without duplicates and in drawing order. Hidden layers
 * and empty sources are left out. Throws BAD_REQUEST for frames with more than `sourcesMax` sources.
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
    // Most frames only move layers, and have the images of the first frame.
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

/** The part of a document that decides its images. Binding all layers of a banner takes 10 µs of the main thread. */
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
