/** Finds the source images of a render, on the main thread: it binds only the layers that name images. */
import { framesOf, frameValues } from '#language/animation/frames.ts';
import { imagePartOf } from '#language/bind/image-part.ts';
import { imageSources, resolveLayers } from '#language/bind/layers.ts';
import { AppError } from '../../foundation/errors.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { RenderOptions } from '../request.ts';
import type { ResolvedValues } from '../values.ts';

/** Upper bound of the different images in all frames of a render. */
const sourcesMax = 1000;

/**
 * The sources of a template with these values, after binding, without duplicates and in drawing order. Hidden layers
 * and empty sources are left out. Throws BAD_REQUEST for frames with more than `sourcesMax` sources.
 */
export function drawnSources(
  { document: whole }: PublishedTemplate,
  values: ResolvedValues,
  { frames, ...options }: RenderOptions,
): string[] {
  const { document, changing, frameNames, isTimed: readsClock } = imagePartOf(whole);
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
    const part = known.size === 1 ? document : changing;
    const { layers } = resolveLayers(part, inFrame, { ...options, timeMs });
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
