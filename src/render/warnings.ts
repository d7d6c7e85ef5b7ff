/** The warnings of a render: their names, and the `X-Render-Warnings` header. */
import { isUid } from '#language/uid.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { NamedWarning } from './cache.ts';
import type { JobImages } from './images/job-images.ts';

/** Warnings of images that were replaced by their defaults, or are not drawn. */
export function imageWarnings({ failedLayers }: JobImages): RenderWarning[] {
  return [...failedLayers.keys()].map((layer) => {
    return { code: 'IMAGE_FAILED', layer, detail: 'drawn as its default, or not at all' };
  });
}

/** Warnings that the header names; the rest are counted. Every proxy accepts a header of some 600 bytes. */
const warningsMax = 8;

/** The warnings without their texts and without duplicates. */
export function nameWarnings(warnings: readonly RenderWarning[]): NamedWarning[] {
  const named = warnings.map(({ code, layer }): [string, NamedWarning] => [
    `${code} ${layer ?? ''}`,
    layer === undefined ? { code } : { code, layer },
  ]);
  return [...new Map(named).values()];
}

/**
 * The value of `X-Render-Warnings`: `TEXT_TRUNCATED;layer="title", IMAGE_FAILED;layer="photo"`, at most eight and then
 * `more;count=3`. Only codes and layer ids, which are ASCII, never a caller's text. Empty when there is nothing to warn
 * of.
 */
export function warningsHeader(warnings: readonly NamedWarning[]): string {
  const named = warnings.slice(0, warningsMax).map(warningText);
  if (warnings.length > warningsMax) named.push(`more;count=${warnings.length - warningsMax}`);
  return named.join(', ');
}

/** `TEXT_TRUNCATED;layer="title"`. */
export function warningText({ code, layer }: NamedWarning): string {
  return layer !== undefined && isUid(layer) ? `${code};layer="${layer}"` : code;
}
