/** The currencies in which a document writes each variable, by its formats: `{{price | currency:EUR}}`. */
import { walkLayers, withoutChildren } from '../layer-tree.ts';
import type { Template } from '../schema/template.ts';
import { compileBinding, variableOf } from '../values/formatted-binding.ts';
import type { Names } from '../values/formatted-binding.ts';
import { itemPrefix } from '../values/list-value.ts';
import { bindingsIn, walkStrings } from './bindings.ts';
import { repeatedList } from './list-items.ts';

/** The parts of a document that bind values for readers. */
type Bindings = Pick<Template, 'layers' | 'variables' | 'alt'>;

const currenciesByDocument = new WeakMap<Template['layers'], ReadonlyMap<string, string>>();

/**
 * The codes of currencies (ISO 4217) by variable or field of a list (`items.price`), for those that a format writes in
 * one currency alone.
 */
export function formatCurrencies({
  layers,
  variables,
  alt = '',
}: Bindings): ReadonlyMap<string, string> {
  const known = currenciesByDocument.get(layers);
  if (known !== undefined) return known;
  const found = new Map<string, string>();
  const names: Names = new Set(variables.map(({ name }) => name));
  const note = (text: string, list?: string): void => {
    for (const source of bindingsIn(text)) {
      if (!source.includes('|') || names.has(source)) continue;
      const currency = compileBinding(source).formats.find((format) => format.currency)?.currency;
      if (currency === undefined) continue;
      const bound = variableOf(source, names);
      const isField = list !== undefined && bound.startsWith(itemPrefix);
      const name = isField ? `${list}.${bound.slice(itemPrefix.length)}` : bound;
      // A document that writes a value in two currencies means neither of them.
      found.set(name, (found.get(name) ?? currency) === currency ? currency : '');
    }
  };
  note(alt);
  for (const [, layer, , repeating] of walkLayers(layers)) {
    const list = repeatedList(repeating?.repeat, variables)?.name;
    for (const [, text] of walkStrings(withoutChildren(layer))) note(text, list);
  }
  for (const [name, currency] of found) if (currency === '') found.delete(name);
  currenciesByDocument.set(layers, found);
  return found;
}
