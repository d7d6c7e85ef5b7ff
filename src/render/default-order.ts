/** The order of a template's default picture. */
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { RenderOrder } from './draw.ts';
import { renderKey } from './key.ts';
import type { RenderOptions } from './request.ts';
import { defaultOptions } from './request.ts';
import { resolveVariables } from './values.ts';

/** The picture of no values at all; by default in the template's own format and quality at its own size. */
export function defaultOrder(
  template: PublishedTemplate,
  options: RenderOptions = defaultOptions({ uid: template.uid, format: undefined }, template),
): RenderOrder {
  const values = resolveVariables(template, { parameters: [], isTruncated: false });
  return { key: renderKey(template, options, values), template, options, values };
}
