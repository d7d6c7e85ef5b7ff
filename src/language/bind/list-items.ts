/** Binds the items of a list: a layer that repeats draws its children once for each of these binders. */
import type { ListVariable, Variable, VariableType } from '../schema/template.ts';
import { listRows } from '../values/list-value.ts';
import type { Binder } from './binder.ts';

/** What an item is called in the bindings of a layer that repeats: `{{item.title}}`. */
export const itemPrefix = 'item.';

/**
 * The variables that a layer that repeats over `list` may bind beside the template's: one for each field, `item.title`
 * with its type and default. Validation and cost estimates take them as variables.
 */
export function itemVariables({ fields }: ListVariable): Variable[] {
  return fields.map(({ name, type, value }) => ({ name: itemPrefix + name, type, value }));
}

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
    const variables = itemVariables(list) as Exclude<Variable, ListVariable>[];
    found = {
      names: variables.map(({ name }) => name),
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

/** Number of items that a list has in these values, before any maximum of a layer. */
export function itemCount(list: ListVariable, { values }: Binder): number {
  return listRows(values.get(list.name) ?? '').length;
}

/**
 * A binder for each of the first `max` items of a list: the template's values, and `item.<field>` for each field. They share
 * the context of `binder`, so that problems of formats are found where they are for other layers. An item costs a copy of
 * the values. `bindLayer` remembers one binding for each layer object: a layer that repeats needs one copy of its
 * children for each item, made once for each template.
 */
export function itemBinders(list: ListVariable, binder: Binder, max: number): Binder[] {
  const { names, types, defaults } = itemNames(list, binder);
  return listRows(binder.values.get(list.name) ?? '')
    .slice(0, max)
    .map((row) => {
      const values = new Map(binder.values);
      for (const [index, name] of names.entries()) values.set(name, row[index] ?? '');
      return { values, types, defaults, context: binder.context };
    });
}
