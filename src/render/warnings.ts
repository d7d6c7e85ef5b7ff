/** Says in a header what a delivered render lacks. */
import type { RenderWarning } from '#wire/render-job.ts';

/** Warnings that are named; the rest are counted. A header of some 600 bytes passes every proxy. */
const warningsMax = 8;

const layerPattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The value of `X-Render-Warnings`: `TEXT_TRUNCATED;layer="title", IMAGE_FAILED;layer="photo"`, each once,
 * at most eight and then `more;count=3`. Only codes and layer ids, which are ASCII, never a caller's text.
 * Empty when there is nothing to warn of.
 */
export function warningsHeader(warnings: readonly RenderWarning[]): string {
  const items = new Set(warnings.map(warningItem));
  const named = [...items].slice(0, warningsMax);
  if (items.size > named.length) named.push(`more;count=${items.size - named.length}`);
  return named.join(', ');
}

function warningItem({ code, layer }: RenderWarning): string {
  return layer !== undefined && layerPattern.test(layer) ? `${code};layer="${layer}"` : code;
}
