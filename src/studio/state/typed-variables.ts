/**
 * Creates variables from typed bindings: `{{seat}}` in a text adds the variable `seat`, which its last use removes. A
 * binding that is a whole image address or a whole colour adds a variable of that type, with the value it replaces.
 */
import { itemPrefix } from '#language/values/list-value.ts';
import { bindingsIn, walkStrings, wholeBinding } from '#language/bind/bindings.ts';
import { liveNeeds, withLiveVariables } from '#language/check/clock-rules.ts';
import { walkLayers, withoutChildren } from '#language/layer-tree.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { variableOf } from '#language/values/formatted-binding.ts';
import { keyedBy, usesOf, valueAs } from '../panels/variables/variables.ts';
import { addressNames } from './fixed-values.ts';
import { itemScopes } from './list-items.ts';

/** Properties in which people type: an unknown name in a binding becomes a new text variable. */
const typedNames = new Set(['text', 'value', 'alternatives', 'alt', 'src', 'svg']);

/** Properties that hold a colour. An unknown name that is the whole value becomes a new colour variable. */
const colorNames = new Set(['fill', 'color', 'background', 'tint', 'dark', 'light']);

/** Longest names of a variable and of a field, in characters (the format's `name`). */
const nameLengthMax = 128;
const fieldNameLengthMax = 64;

/** Longest default of a field of a list, in characters (the format's `fields`). */
const fieldValueLengthMax = 2000;

/**
 * Characters of a text variable that is made from typed text. Without a limit, a service must expect 2,000 characters
 * in each text that shows it, and a dozen such sentences exceed the time of a layout.
 */
export const typedLengthMax = 200;

/** Limits the text variables that have no limit, to `typedLengthMax` or the length of their default. */
export function limitTexts({ variables }: Template): void {
  for (const variable of variables) {
    if (variable.type !== 'text') continue;
    variable.maxLength ??= Math.max(typedLengthMax, Array.from(variable.value).length);
  }
}

/**
 * Creates the variables that bindings name, and removes created variables that become unused. While a user types
 * `{{first_name}}`, each letter names another variable, and only the last one stays.
 */
export class TypedVariables {
  /** Created variables as JSON, fields after `list.`. Undo keeps them, because redo restores the variable. */
  readonly #made = new Set<string>();

  /**
   * Makes `draft` valid: adds the variables that its bindings name, and removes created ones that are unused now.
   * `before` returns the valid copy of the document before the change, with the values that bindings replace.
   */
  settle(draft: Template, before: () => Template): void {
    this.#remove(draft);
    const known = withLiveVariables(draft);
    for (const use of typedUses(draft, known)) {
      const { name } = use;
      if (known.has(name) || liveNeeds(name) !== undefined) continue;
      if (name.startsWith(itemPrefix)) this.#addField(draft, use, before);
      else if (name !== '' && name.length <= nameLengthMax) this.#add(draft, use, before);
      for (const variable of draft.variables) known.set(variable.name, variable);
    }
  }

  #add(draft: Template, use: TypedUse, before: () => Template): void {
    if (draft.variables.length >= templateLimits.variablesMax) return;
    const { name, type } = use;
    const variable: Variable =
      type === 'text'
        ? { name, type, value: name, maxLength: typedLengthMax }
        : { name, type, value: replacedValue(use, before()) };
    draft.variables.push(variable);
    this.#made.add(JSON.stringify(variable));
  }

  /** Adds a field to the list whose items the layer shows. Does nothing for a layer without items. */
  #addField(draft: Template, use: TypedUse, before: () => Template): void {
    const { id, type } = use;
    const name = use.name.slice(itemPrefix.length);
    const scope = id === undefined ? undefined : itemScopes(draft).get(id);
    const isName = name !== '' && name.length <= fieldNameLengthMax && !name.includes('.');
    const isKnown = scope?.variables.some((variable) => variable.name === use.name);
    if (scope === undefined || !isName || isKnown === true) return;
    for (const list of draft.variables) {
      if (list.name !== scope.list || list.type !== 'list') continue;
      const replaced = type === 'text' ? name : replacedValue(use, before());
      const value = replaced.length > fieldValueLengthMax ? '' : replaced;
      const field = { name, type, value };
      list.fields.push(field);
      this.#made.add(`${list.name}.${JSON.stringify(field)}`);
    }
  }

  #remove(draft: Template): void {
    if (this.#made.size === 0) return;
    const isUnused = (name: string): boolean =>
      usesOf(draft, name).length === 0 && keyedBy(draft, name).length === 0;
    draft.variables = draft.variables.filter((variable) => {
      if (variable.type === 'list') {
        variable.fields = variable.fields.filter(
          (field) =>
            !this.#made.has(`${variable.name}.${JSON.stringify(field)}`) ||
            !isUnused(itemPrefix + field.name),
        );
        return true;
      }
      return !this.#made.has(JSON.stringify(variable)) || !isUnused(variable.name);
    });
  }
}

/** A name that a property binds. */
interface TypedUse {
  name: string;
  /** The type of a variable for the property. */
  type: 'text' | 'image' | 'color';
  /** The layer's id; undefined for the document's alternative text and background. */
  id: string | undefined;
  /** JSON path of the property in the layer, or in the document's background. */
  path: string;
}

function* typedUses(draft: Template, known: ReadonlyMap<string, unknown>): Generator<TypedUse> {
  const namesOf = (text: string): string[] =>
    text.includes('{{') ? bindingsIn(text).map((source) => variableOf(source, known)) : [];
  for (const name of namesOf(draft.alt ?? ''))
    yield { name, type: 'text', id: undefined, path: '' };
  for (const [id, path, text] of allStrings(draft)) {
    const property = path.replace(/\[\d+\]$/, '').replace(/^.*\./, '');
    const names = namesOf(text);
    const type = names.length === 0 ? undefined : typeFor(property, text);
    if (type !== undefined) for (const name of names) yield { name, type, id, path };
  }
}

/** Returns the type of a new variable for a binding in a text; undefined if the property gets none. */
function typeFor(property: string, text: string): TypedUse['type'] | undefined {
  // A format converts the value of its variable, whose type the property does not show.
  const isWhole = wholeBinding(text)?.includes('|') === false;
  if (isWhole && addressNames.has(property)) return 'image';
  if (isWhole && colorNames.has(property)) return 'color';
  return typedNames.has(property) ? 'text' : undefined;
}

/** Returns the strings of the background and of all layers, with the layer's id and the path in it. */
function* allStrings(
  document: Template,
): Generator<[id: string | undefined, path: string, text: string]> {
  for (const [path, text] of walkStrings({ background: document.background })) {
    yield [undefined, path, text];
  }
  for (const [, layer] of walkLayers(document.layers)) {
    for (const [path, text] of walkStrings(withoutChildren(layer))) yield [layer.id, path, text];
  }
}

/** Returns the image or the colour that a binding replaces; none, or a plain colour, in place of another value. */
function replacedValue({ id, path, type }: TypedUse, before: Template): string {
  const found = [...allStrings(before)].find(([owner, at]) => owner === id && at === path);
  const value = found?.[2] ?? '';
  if (type === 'image') return value.includes('{{') ? '' : value;
  // Codes and canvases without a background are light.
  const isLight = value === '' && path === 'background';
  return isLight ? '#ffffff' : valueAs('color', value);
}
