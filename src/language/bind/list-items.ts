/** Binds the items of a list: a layer that repeats draws its children once for each of these binders. */
import { itemsMaxDefault } from '../limits/template-limits.ts';
import type { StackLayer } from '../schema/layers.ts';
import type { ListVariable, Variable, VariableType } from '../schema/template.ts';
import { itemPrefix, listRows } from '../values/list-value.ts';
import type { Binder } from './binder.ts';

/**
 * The variables that a layer that repeats over `list` may bind beside the template's: one for each field, `item.title`
 * with its type and default. Validation and cost estimates take them as variables.
 */
export function itemVariables({ fields }: ListVariable): Exclude<Variable, ListVariable>[] {
  return [
    ...itemCounters.map((name) => ({ name, type: 'number' as const, value: '1' })),
    ...fields.map(({ name, type, value }) => ({ name: itemPrefix + name, type, value })),
  ];
}

/** The position of an item, from 1, and how many items the list has that are not drawn. A field of the name prevails. */
export const itemCounters = [`${itemPrefix}number`, `${itemPrefix}more`] as const;

/** What the items of one list add to the names of a template. */
interface ItemNames {
  names: readonly string[];
  types: ReadonlyMap<string, VariableType>;
  /** The defaults of the template and those of the fields, which stand in for invalid values of an item. */
  defaults: ReadonlyMap<string, string>;
}

const namesByList = new WeakMap<ListVariable, WeakMap<Binder['types'], ItemNames>>();

function itemNames(list: ListVariable, { types, defaults }: Binder): ItemNames {
  let known = namesByList.get(list);
  if (known === undefined) namesByList.set(list, (known = new WeakMap()));
  let found = known.get(types);
  if (found === undefined) {
    const variables = itemVariables(list);
    found = {
      names: list.fields.map(({ name }) => itemPrefix + name),
      types: new Map([...types, ...variables.map(({ name, type }) => [name, type] as const)]),
      defaults: new Map([
        ...defaults,
        ...variables.map(({ name, value }) => [name, value] as const),
      ]),
    };
    known.set(types, found);
  }
  return found;
}

/** The list that a stack repeats; undefined for a stack without one, or if the template has no such list. */
export function repeatedList(
  repeat: StackLayer['repeat'],
  variables: readonly Variable[],
): ListVariable | undefined {
  const list = repeat && variables.find(({ name }) => name === repeat.list);
  return list?.type === 'list' ? list : undefined;
}

/** How many items of its list a stack draws at most. */
export function itemsMax({ max = itemsMaxDefault }: NonNullable<StackLayer['repeat']>): number {
  return max;
}

/**
 * A binder for each of the first `max` items of a list, and one for what follows them if the list has more. Each has the
 * template's values, and `item.<field>` for each field. They share the context of `binder`, so that problems of formats
 * are found where they are for other layers. An item costs a copy of the values.
 */
export function itemBinders(
  list: ListVariable,
  binder: Binder,
  max: number,
): { items: Binder[]; rest: Binder | undefined } {
  const { names, types, defaults } = itemNames(list, binder);
  const rows = listRows(binder.values.get(list.name) ?? '');
  const more = Math.max(0, rows.length - max);
  const bind = (row: readonly string[], number: number): Binder => {
    const values = new Map(binder.values);
    values.set(itemCounters[0], String(number));
    values.set(itemCounters[1], String(more));
    for (const [index, name] of names.entries()) values.set(name, row[index] ?? '');
    return { values, types, defaults, context: binder.context };
  };
  const items = rows.slice(0, max).map((row, index) => bind(row, index + 1));
  return { items, rest: more === 0 ? undefined : bind([], max + 1) };
}
