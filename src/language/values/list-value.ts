/** Values of list variables: their text form, their items, and their defaults. */
import { LRUCache } from 'lru-cache';
import type { ListVariable, Variable } from '../schema/template.ts';

/** Prefix of an item's fields in the bindings of a layer that repeats: `{{item.title}}`. */
export const itemPrefix = 'item.';

/** An item of a list: the text of each field by its name, in the order of the fields. */
export type ListItem = ReadonlyMap<string, string>;

/**
 * The text form of a list in the values of a render: a JSON array of arrays. Each has an item's values in the order of
 * the fields. Empty for a list without items.
 */
export function listText(items: readonly ListItem[], { fields }: ListVariable): string {
  if (items.length === 0) return '';
  return JSON.stringify(
    items.map((item) => fields.map(({ name, value }) => item.get(name) ?? value)),
  );
}

/** Cache of recently parsed lists, at most 16,000 characters each. */
const parsed = new LRUCache<string, readonly (readonly string[])[]>({ max: 100 });

/** The items of a list's text form. Equal texts give the same object while it is cached. */
export function listRows(text: string): readonly (readonly string[])[] {
  if (text === '') return [];
  let rows = parsed.get(text);
  if (rows === undefined) {
    rows = JSON.parse(text) as string[][];
    parsed.set(text, rows);
  }
  return rows;
}

const defaults = new WeakMap<ListVariable, string>();

/** The default of a variable, as a text in the values of a render. */
export function defaultText(variable: Variable): string {
  if (variable.type !== 'list') return variable.value;
  let text = defaults.get(variable);
  if (text === undefined) {
    const items = variable.value.map(
      (item) => new Map(Object.entries(item).map(([name, value]) => [name, String(value)])),
    );
    text = listText(items, variable);
    defaults.set(variable, text);
  }
  return text;
}
