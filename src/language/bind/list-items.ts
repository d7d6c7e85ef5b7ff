/** Creates a binder for each item of a list. A stack that repeats draws its layers once for each binder. */
import { itemsMaxDefault } from '../limits/template-limits.ts';
import type { Layer, StackLayer } from '../schema/layers.ts';
import type { ListVariable, Variable, VariableType } from '../schema/template.ts';
import { itemPrefix, listRows } from '../values/list-value.ts';
import { LayeredValues } from './binder.ts';
import type { Binder } from './binder.ts';

/**
 * The variables that layers of a stack that repeats `list` may bind besides the template's. Each field gives one, such
 * as `item.title`, with its type and default.
 */
export function itemVariables({ fields }: ListVariable): Exclude<Variable, ListVariable>[] {
  return [
    ...itemCounters.map((name) => ({ name, type: 'number' as const, value: '1' })),
    ...fields.map(({ name, type, value }) => ({ name: itemPrefix + name, type, value })),
  ];
}

/**
 * The position of an item, from 1, and the number of items that are not drawn. A field of the same name takes
 * precedence.
 */
export const itemCounters = [`${itemPrefix}number`, `${itemPrefix}more`] as const;

/** Names, types and defaults that the items of one list add to those of a template. */
interface ItemNames {
  names: readonly string[];
  types: ReadonlyMap<string, VariableType>;
  /** The defaults of the template and of the fields. They replace invalid values of an item. */
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

/** The list that a stack repeats; undefined without a `repeat`, or if the template has no such list. */
export function repeatedList(
  repeat: StackLayer['repeat'],
  variables: readonly Variable[],
): ListVariable | undefined {
  const list = repeat && variables.find(({ name }) => name === repeat.list);
  return list?.type === 'list' ? list : undefined;
}

/** Maximum number of items that a stack draws. */
export function itemsMax({ max = itemsMaxDefault }: NonNullable<StackLayer['repeat']>): number {
  return max;
}

/** Maximum number of times that a layer is drawn: once for each item of the stack that repeats it. */
export function timesDrawn(layer: Layer, repeating: StackLayer | undefined): number {
  const { repeat } = repeating ?? {};
  return repeat === undefined || repeat.more === layer.id ? 1 : itemsMax(repeat);
}

/** The binders of a list. Those of its items are made at the first read. */
export interface ItemBinders {
  readonly items: readonly Binder[];
  /** Undefined for a list without further items. */
  rest: Binder | undefined;
}

/**
 * Makes a binder for each of the first `max` items of a list, and one for the `more` layer if the list has more. Each
 * has the template's values and `item.<field>` for each field. They share the context of `binder`, which collects the
 * problems of formats.
 */
export function itemBinders(list: ListVariable, binder: Binder, max: number): ItemBinders {
  const { names, types, defaults } = itemNames(list, binder);
  const rows = listRows(binder.values.get(list.name) ?? '');
  const more = Math.max(0, rows.length - max);
  const bind = (row: readonly string[], number: number): Binder => {
    const values = new LayeredValues(binder.values);
    values.set(itemCounters[0], String(number));
    values.set(itemCounters[1], String(more));
    for (const [index, name] of names.entries()) values.set(name, row[index] ?? '');
    return { ...binder, values, types, defaults };
  };
  let items: Binder[] | undefined;
  return {
    get items() {
      items ??= rows.slice(0, max).map((row, index) => bind(row, index + 1));
      return items;
    },
    rest: more === 0 ? undefined : bind([], max + 1),
  };
}
