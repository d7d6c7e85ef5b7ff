/** What an image says, for those who do not see it. */
import { spansOf } from '../limits/text-limit.ts';
import { isParent } from '../layer-tree.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import type { RenderLocale } from './binder.ts';
import { resolveLayers } from './layers.ts';

/** UTF-16 units of a description: more than a screen reader reads in a minute. */
const unitsMax = 2000;

/**
 * The visible texts of an image in the order in which they are painted, each as a part of a sentence; the template's name
 * for an image without words. Texts without a letter or digit are ornaments, and left out.
 */
export function alternativeText(
  template: Template,
  values: ReadonlyMap<string, string>,
  locale: RenderLocale,
): string {
  let text = '';
  for (const part of textsOf(resolveLayers(template, values, locale).layers)) {
    const separator = text === '' ? '' : /\p{P}$/u.test(text) ? ' ' : ', ';
    text += separator + part;
    if (text.length > unitsMax) return `${text.slice(0, unitsMax - 1).toWellFormed()}…`;
  }
  return text === '' ? template.name : text;
}

function textsOf(layers: readonly Layer[]): string[] {
  return layers.flatMap((layer): string[] => {
    if (isParent(layer)) return textsOf(layer.layers);
    if (layer.type !== 'text') return [];
    const whole = spansOf(layer)
      .map((span) => span.text)
      .join('');
    return /[\p{L}\p{N}]/u.test(whole) ? [whole.replaceAll(/\s+/g, ' ').trim()] : [];
  });
}
