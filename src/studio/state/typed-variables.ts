/** Creates variables from typed texts: `{{seat}}` in a text adds the variable `seat`, which its last use removes. */
import { itemPrefix } from '#language/values/list-value.ts';
import { bindingsIn, walkStrings } from '#language/bind/bindings.ts';
import { liveNeeds, withLiveVariables } from '#language/check/clock-rules.ts';
import { walkLayers, withoutChildren } from '#language/layer-tree.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Template } from '#language/schema/template.ts';
import { variableOf } from '#language/values/formatted-binding.ts';
import { keyedBy, usesOf } from '../panels/variables/variables.ts';
import { itemScopes } from './list-items.ts';

/** Properties in which people type: an unknown name in a binding becomes a new variable. */
const typedNames = new Set(['text', 'value', 'alternatives', 'alt', 'src', 'svg']);

/** Longest names of a variable and of a field, in characters (the format's `name`). */
const nameLengthMax = 128;
const fieldNameLengthMax = 64;

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
 * Creates the variables that texts name, and removes created variables that become unused. While a user types
 * `{{first_name}}`, each letter names another variable, and only the last one stays.
 */
export class TypedVariables {
  /** Created names; `list.field` for fields of lists. Undo keeps the name, because redo restores the variable. */
  readonly #made = new Set<string>();

  /** Makes `draft` valid: adds the text variables that its texts name, and removes created ones that are unused now. */
  settle(draft: Template): void {
    this.#remove(draft);
    const known = withLiveVariables(draft);
    for (const { name, id } of typedUses(draft, known)) {
      if (known.has(name) || liveNeeds(name) !== undefined) continue;
      if (name.startsWith(itemPrefix)) this.#addField(draft, name.slice(itemPrefix.length), id);
      else if (name !== '' && name.length <= nameLengthMax) this.#add(draft, name);
      for (const variable of draft.variables) known.set(variable.name, variable);
    }
  }

  #add(draft: Template, name: string): void {
    if (draft.variables.length >= templateLimits.variablesMax) return;
    draft.variables.push({ name, type: 'text', value: name, maxLength: typedLengthMax });
    this.#made.add(name);
  }

  /** Adds a field to the list whose items the layer shows. Does nothing for a layer without items. */
  #addField(draft: Template, name: string, id: string | undefined): void {
    const scope = id === undefined ? undefined : itemScopes(draft).get(id);
    const isName = name !== '' && name.length <= fieldNameLengthMax && !name.includes('.');
    const isKnown = scope?.variables.some((variable) => variable.name === itemPrefix + name);
    if (scope === undefined || !isName || isKnown === true) return;
    for (const list of draft.variables) {
      if (list.name !== scope.list || list.type !== 'list') continue;
      list.fields.push({ name, type: 'text', value: name });
      this.#made.add(`${list.name}.${name}`);
    }
  }

  #remove(draft: Template): void {
    if (this.#made.size === 0) return;
    const isUnused = (name: string): boolean =>
      usesOf(draft, name).length === 0 && keyedBy(draft, name).length === 0;
    draft.variables = draft.variables.filter((variable) => {
      if (variable.type === 'list') {
        variable.fields = variable.fields.filter(
          ({ name, type, value }) =>
            !this.#made.has(`${variable.name}.${name}`) ||
            type !== 'text' ||
            value !== name ||
            !isUnused(itemPrefix + name),
        );
        return true;
      }
      const { name, type, value, maxLength, ...more } = { maxLength: undefined, ...variable };
      const isTyped = type === 'text' && value === name && maxLength === typedLengthMax;
      const isUntouched = isTyped && Object.keys(more).length === 0;
      return !this.#made.has(name) || !isUntouched || !isUnused(name);
    });
  }
}

/** A name that a text binds, and the layer of the text. */
interface TypedUse {
  name: string;
  id: string | undefined;
}

function* typedUses(draft: Template, known: ReadonlyMap<string, unknown>): Generator<TypedUse> {
  const namesOf = (text: string): string[] =>
    text.includes('{{') ? bindingsIn(text).map((source) => variableOf(source, known)) : [];
  for (const name of namesOf(draft.alt ?? '')) yield { name, id: undefined };
  for (const [, layer] of walkLayers(draft.layers)) {
    for (const [path, text] of walkStrings(withoutChildren(layer))) {
      const property = path.replace(/\[\d+\]$/, '').replace(/^.*\./, '');
      if (!typedNames.has(property)) continue;
      for (const name of namesOf(text)) yield { name, id: layer.id };
    }
  }
}
