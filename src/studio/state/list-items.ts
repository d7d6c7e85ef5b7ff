/** The items of lists that layers may bind. A layer that loses its items keeps the values of the first item. */
import { itemPrefix } from '#language/values/list-value.ts';
import { itemCounters, itemsMax, itemVariables, repeatedList } from '#language/bind/list-items.ts';
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

/** The variables of an item that a layer may bind. */
export interface ItemScope {
  /** Name of the list variable. */
  list: string;
  /** `item.title` and so on, with the values of the first item. */
  variables: ScalarVariable[];
}

/** Scopes by layer id. Layers outside of repeating stacks have none. */
export type ItemScopes = ReadonlyMap<string, ItemScope>;

/** Returns the scopes of a document's layers. */
export function itemScopes({ layers, variables }: Template): ItemScopes {
  const scopes = new Map<string, ItemScope>();
  for (const [, layer, , repeating] of walkLayers(layers)) {
    const list = repeatedList(repeating?.repeat, variables);
    if (list === undefined || repeating?.repeat === undefined) continue;
    scopes.set(layer.id, { list: list.name, variables: firstItem(list, repeating.repeat) });
  }
  return scopes;
}

/** Returns the variables of the first item, its fields first. A list without items has the defaults of its fields. */
function firstItem(
  list: ListVariable,
  repeat: NonNullable<StackLayer['repeat']>,
): ScalarVariable[] {
  const [item = {}] = list.value;
  const more = String(Math.max(1, list.value.length - itemsMax(repeat)));
  const variables = itemVariables(list);
  const counters = variables.splice(0, itemCounters.length);
  return [...variables, ...counters].map((variable) => {
    const { name, type, value: standard } = variable;
    if (name === `${itemPrefix}more`) return { ...variable, value: more };
    const value = String(item[name.slice(itemPrefix.length)] ?? standard);
    // A required property takes its number or colour from the default.
    const isKept = value !== '' || type === 'text' || type === 'image' || type === 'date';
    return { ...variable, value: isKept ? value : standard };
  });
}

/** Returns the variables that all the layers may bind: the template's, and those of an item around all of them. */
export function variablesOf(document: Template, ids: readonly string[]): Variable[] {
  const scopes = itemScopes(document);
  const [first, ...others] = ids.map((id) => scopes.get(id));
  const isSame = others.every((scope) => scope?.list === first?.list);
  return [...((isSame ? first?.variables : undefined) ?? []), ...document.variables];
}

/** A document after an edit, and the ids of the layers that lost items in the edit. */
export interface Edited {
  document: Template;
  settled: string[];
}

/** Changes a copy of a document, and keeps the copy valid if layers lose the items or the tracks that they use. */
export function edit(before: Template, recipe: (draft: Template) => void): Edited {
  const document = structuredClone(before);
  recipe(document);
  settleTracks(document);
  return { document, settled: settleItems(document, itemScopes(before)) };
}

/**
 * Replaces bindings to fields of an item by the values of the first item, in layers that are no longer in the repeat.
 * Removes invalid repeats. Returns the ids of the changed layers. A binding that a user wrote into a layer without an
 * item stays, and the service reports it.
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
  // A field of another list may have the same name with another type.
  return now === undefined || (has?.list !== had.list && now.type !== type);
}

/** Removes nested repeats, repeats of missing lists, and references to a missing layer after the items. */
function settleRepeats(draft: Template): void {
  for (const [, layer, , repeating] of walkLayers(draft.layers)) {
    if (layer.type !== 'stack' || layer.repeat === undefined) continue;
    const { repeat, layers } = layer;
    const isList = repeatedList(repeat, draft.variables) !== undefined;
    if (repeating !== undefined || !isList) delete layer.repeat;
    else if (!layers.some(({ id }) => id === repeat.more)) delete repeat.more;
  }
}
