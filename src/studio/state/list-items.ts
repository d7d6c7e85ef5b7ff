/** What layers bind of the items of lists: a layer that loses its items keeps the values of the first one. */
import { itemPrefix } from '#language/values/list-value.ts';
import { itemsMax, itemVariables, repeatedList } from '#language/bind/list-items.ts';
import { walkLayers, withoutChildren } from '#language/layer-tree.ts';
import type { StackLayer } from '#language/schema/layers.ts';
import type {
  ListVariable,
  ScalarVariable,
  Template,
  Variable,
} from '#language/schema/template.ts';
import { fixedValues, fixLayer } from './fixed-values.ts';
import { flattenLayers } from './layers.ts';
import { settleTracks } from './motion.ts';

/** What a layer may bind of an item. */
export interface ItemScope {
  /** The list variable. */
  list: string;
  /** `item.title` and so on, with the values of the first item. */
  variables: ScalarVariable[];
}

/** The items that layers may bind, by the ids of the layers; layers outside of stacks that repeat are not in it. */
export type ItemScopes = ReadonlyMap<string, ItemScope>;

/** Where in a document layers may bind items. */
export function itemScopes({ layers, variables }: Template): ItemScopes {
  const scopes = new Map<string, ItemScope>();
  for (const [, layer, , repeating] of walkLayers(layers)) {
    const list = repeatedList(repeating?.repeat, variables);
    if (list === undefined || repeating?.repeat === undefined) continue;
    scopes.set(layer.id, { list: list.name, variables: firstItem(list, repeating.repeat) });
  }
  return scopes;
}

/** The variables of an item with the values of the first; a list without items has the defaults of its fields. */
function firstItem(
  list: ListVariable,
  repeat: NonNullable<StackLayer['repeat']>,
): ScalarVariable[] {
  const [item = {}] = list.value;
  const more = String(Math.max(1, list.value.length - itemsMax(repeat)));
  return itemVariables(list).map((variable) => {
    const { name, type, value: standard } = variable;
    if (name === `${itemPrefix}more`) return { ...variable, value: more };
    const value = String(item[name.slice(itemPrefix.length)] ?? standard);
    // A property that must be there takes its number or colour from the default.
    const isKept = value !== '' || type === 'text' || type === 'image' || type === 'date';
    return { ...variable, value: isKept ? value : standard };
  });
}

/** The variables that all of some layers may bind: those of the template, and those of an item around all of them. */
export function variablesOf(document: Template, ids: readonly string[]): Variable[] {
  const scopes = itemScopes(document);
  const [first, ...others] = ids.map((id) => scopes.get(id));
  const isSame = others.every((scope) => scope?.list === first?.list);
  return [...((isSame ? first?.variables : undefined) ?? []), ...document.variables];
}

/** A document after an edit, and the ids of the layers that lost items by it. */
export interface Edited {
  document: Template;
  settled: string[];
}

/** Changes a copy of a document, and keeps it valid where layers lose the items of a list that they bind. */
export function edit(before: Template, recipe: (draft: Template) => void): Edited {
  const document = structuredClone(before);
  recipe(document);
  settleTracks(document);
  return { document, settled: settleItems(document, itemScopes(before)) };
}

/**
 * For layers that were in a repeat and no longer are: replaces their bindings to fields of the item by the values of the
 * first item. Also ends repeats that no document may have. Returns the ids of the layers that it changed. A binding that
 * somebody wrote into a layer without an item stays, and the service reports it.
 */
export function settleItems(draft: Template, before: ItemScopes): string[] {
  settleRepeats(draft);
  if (before.size === 0) return [];
  const after = itemScopes(draft);
  const names = new Set(draft.variables.map(({ name }) => name));
  return flattenLayers(draft).flatMap(({ layer }) => {
    const had = before.get(layer.id);
    const has = after.get(layer.id);
    const lost = had?.variables.filter(
      (variable) => !names.has(variable.name) && isLost(variable, had, has),
    );
    if (lost === undefined || lost.length === 0) return [];
    const bound = JSON.stringify(withoutChildren(layer));
    fixLayer(layer, fixedValues(draft, lost));
    return JSON.stringify(withoutChildren(layer)) === bound ? [] : [layer.id];
  });
}

function isLost(
  { name, type }: ScalarVariable,
  had: ItemScope,
  has: ItemScope | undefined,
): boolean {
  const now = has?.variables.find((variable) => variable.name === name);
  // Fields of another list may have the name, but not the type.
  return now === undefined || (has?.list !== had.list && now.type !== type);
}

/** An item has no lists, a list may be gone, and what follows the items is a layer of the stack. */
function settleRepeats(draft: Template): void {
  for (const [, layer, , repeating] of walkLayers(draft.layers)) {
    if (layer.type !== 'stack' || layer.repeat === undefined) continue;
    const { repeat, layers } = layer;
    const isList = repeatedList(repeat, draft.variables) !== undefined;
    if (repeating !== undefined || !isList) delete layer.repeat;
    else if (!layers.some(({ id }) => id === repeat.more)) delete repeat.more;
  }
}
