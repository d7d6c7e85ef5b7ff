/** Parses bindings, and adds, renames, removes and finds the uses of variables in drafts of documents. */
import { itemPrefix } from '#language/values/list-value.ts';
import { parseTableSource } from '#language/values/table-source.ts';
import { bindingPattern, bindingsIn, wholeBinding as wholeText } from '#language/bind/bindings.ts';
import { liveVariables } from '#language/clock/live-values.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { ListVariable, Template, Variable, VariableType } from '#language/schema/template.ts';
import { fixedNames, fixedValues, fixLayer, fixValue } from '../../state/fixed-values.ts';
import { flattenLayers } from '../../state/layers.ts';
import { itemScopes, variablesOf } from '../../state/list-items.ts';
import { setAt } from '../fields/values.ts';
import type { Path } from '../fields/values.ts';
import type { FieldKind } from '../fields/schema-fields.ts';

/** Returns the name and the formats of a binding that is the whole value; undefined for other values. */
export function wholeBinding(value: unknown): string | undefined {
  return typeof value === 'string' ? wholeText(value) : undefined;
}

/** Returns the names that a text binds, in order, without formats. */
export function boundNames(text: string): string[] {
  return bindingsIn(text).map((source) => splitBinding(source).name);
}

/** Splits a binding into its name and its formats, such as `| upper`; empty without formats. */
export function splitBinding(source: string): { name: string; formats: string } {
  const at = source.indexOf('|');
  if (at === -1) return { name: source.trim(), formats: '' };
  return { name: source.slice(0, at).trim(), formats: source.slice(at).trim() };
}

/** A binding in a text. `source` is without brackets; `from` and `to` include them, as UTF-16 indices. */
export interface PlacedBinding {
  source: string;
  from: number;
  to: number;
}

/** Returns the binding that contains the whole selection or the caret. */
export function bindingAt(
  text: string,
  [start, end]: readonly [from: number, to: number],
): PlacedBinding | undefined {
  for (const { 0: binding, 1: source = '', index: from } of text.matchAll(bindingPattern)) {
    const to = from + binding.length;
    const isInside = from <= start && end <= to && end > from && start < to;
    if (isInside) return { source: source.trim(), from, to };
  }
  return undefined;
}

/** Returns the type of a variable for a kind of property. */
export function variableTypeOf(kind: FieldKind): VariableType {
  switch (kind.type) {
    case 'number':
    case 'boolean':
    case 'image':
    case 'color':
      return kind.type;
    case 'fill':
      return 'color';
    case 'size':
    case 'tuple':
      return 'number';
    default:
      return 'text';
  }
}

/** Longest name before a number is added, in characters, because people read names in links. */
const nameLengthMax = 60;

/** Returns an unused name: the preferred one in letters, digits and `_`, with a number if it is taken. */
export function freshName(document: Template, preferredName: string): string {
  const clean = preferredName.replaceAll(/[^\p{L}\p{N}]+/gu, '_').replaceAll(/^_+|_+$/g, '');
  const base = clean.slice(0, nameLengthMax) || 'value';
  const taken = new Set(document.variables.map(({ name }) => name));
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`;
  return name;
}

/** Adds a variable and returns its name. */
export function addVariable(
  draft: Template,
  preferredName: string,
  type: VariableType,
  value: string,
): string {
  const name = freshName(draft, preferredName);
  draft.variables.push(type === 'list' ? newList(name) : { name, type, value });
  return name;
}

/** Returns a list variable with sample items. */
export function newList(name: string): ListVariable {
  return {
    name,
    type: 'list',
    fields: [
      { name: 'title', type: 'text', value: '' },
      { name: 'price', type: 'number', value: '0' },
    ],
    value: [
      { title: 'First', price: '19.90' },
      { title: 'Second', price: '5' },
    ],
  };
}

/** Returns a value if it fits the type, else the plainest value of the type. */
export function valueAs(type: VariableType, value: string): string {
  return fits[type].test(value) ? value : plainest[type];
}

/** The start of an image source that is an address. */
export const imagePattern = /^(?:https?:\/\/[^/]|asset:|data:)/i;

const fits: Readonly<Record<VariableType, RegExp>> = {
  text: /^/,
  image: imagePattern,
  color: /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  number: /^-?\d{1,15}(\.\d{1,15})?$/,
  boolean: /^(true|false)$/,
  date: /^\d{4}-\d\d-\d\d(T[\d:]+(Z|[+-][\d:]+)?)?$/,
  list: /^/,
};

const plainest: Readonly<Record<VariableType, string>> = {
  text: '',
  image: '',
  color: '#000000',
  number: '0',
  boolean: 'true',
  date: '2026-12-31',
  list: '',
};

/** Returns the variables that a property may bind, with the live values if there is a clock; the clock binds none. */
export function offeredVariables(
  document: Template,
  ids: readonly string[],
  path: Path,
): Variable[] {
  const declared = variablesOf(document, ids);
  if (document.clock === undefined || path[0] === 'clock') return declared;
  const names = new Set(declared.map(({ name }) => name));
  return [...declared, ...liveVariables(document).filter(({ name }) => !names.has(name))];
}

/** Returns the default in words: a count for a list, `the default image` for a stored image, else the link text. */
export function defaultWords(variable: Variable): string {
  if (variable.type === 'list') {
    const { length } = variable.value;
    return length === 1 ? '1 item' : `${length} items`;
  }
  const text = linkText(variable);
  if (/^(asset|data):/.test(text)) return 'the default image';
  return text === '' ? 'empty' : text;
}

/** Returns a variable's default as a link gives it. */
export function linkText(variable: Variable): string {
  return variable.type === 'list' ? JSON.stringify(variable.value) : variable.value;
}

/** One use of a variable. */
export interface Use {
  /** The layer's id; undefined for the document's background, alternative text or clock. */
  id: string | undefined;
  layer: Layer | undefined;
  /** Path inside the layer or the document. */
  path: Path;
  text: string;
}

/** Returns every use of a variable, in paint order. */
export function usesOf(document: Template, name: string): Use[] {
  return allTexts(document).filter(({ path, text }) =>
    namesVariable(path) ? text === name : boundNames(text).includes(name),
  );
}

/** Returns the variables that come from a table and have the variable `name` as their key. */
export function keyedBy({ variables }: Template, name: string): (Variable & { from: string })[] {
  return variables.filter(
    (variable): variable is Variable & { from: string } =>
      variable.from !== undefined && parseTableSource(variable.from).keyVariable === name,
  );
}

/** Renames a variable and all its uses. The name `to` must be free. */
export function renameVariable(draft: Template, from: string, to: string): void {
  for (const variable of keyedBy(draft, from)) {
    const { table, column } = parseTableSource(variable.from);
    variable.from = `${table}.{{${to}}}.${column}`;
  }
  for (const variable of draft.variables) {
    if (variable.name === from) variable.name = to;
  }
  renameUses(draft, usesOf(draft, from), from, to);
  for (const frame of framesOf(draft)) {
    const { [from]: value, ...others } = frame.values;
    if (value !== undefined) frame.values = { ...others, [to]: value };
  }
}

/** Returns the frames of a values animation, whose values are named after variables. */
function framesOf({ animation }: Template): { values: Record<string, string> }[] {
  return animation?.type === 'values' ? animation.frames : [];
}

/** Renames a field of a list, in its items and in the layers that bind it. The name `to` must be free. */
export function renameField(draft: Template, list: ListVariable, from: string, to: string): void {
  const scopes = itemScopes(draft);
  const uses = usesOf(draft, itemPrefix + from).filter(
    ({ id = '' }) => scopes.get(id)?.list === list.name,
  );
  for (const field of list.fields) if (field.name === from) field.name = to;
  list.value = list.value.map((item) => {
    const entries = Object.entries(item).map(([name, value]) => [name === from ? to : name, value]);
    return Object.fromEntries(entries) as typeof item;
  });
  renameUses(draft, uses, itemPrefix + from, itemPrefix + to);
}

function renameUses(draft: Template, uses: readonly Use[], from: string, to: string): void {
  for (const { layer, path, text } of uses) {
    const renamed = namesVariable(path)
      ? to
      : text.replace(bindingPattern, (whole, source: string) => {
          const { name, formats } = splitBinding(source);
          return name === from ? `{{${[to, formats].join(' ').trim()}}}` : whole;
        });
    setAt(layer ?? draft, path, renamed);
  }
}

/** Removes a variable. Its uses and the conditions on it get its default. */
export function removeVariable(draft: Template, name: string): void {
  const variable = draft.variables.find((each) => each.name === name);
  if (variable === undefined) return;
  const fixed = fixedValues(draft, [variable]);
  const background = fixValue(draft.background, 'background', fixed);
  if (background === undefined) delete draft.background;
  else draft.background = background as NonNullable<Template['background']>;
  const alt = fixValue(draft.alt, 'text', fixed);
  if (typeof alt === 'string') draft.alt = alt;
  const { clock } = draft;
  for (const part of ['until', 'per'] as const) {
    const text = fixValue(clock?.[part], 'text', fixed);
    if (clock !== undefined && text === '') delete clock[part];
    else if (clock !== undefined && typeof text === 'string') clock[part] = text;
  }
  for (const { values } of framesOf(draft)) delete values[name];
  for (const { layer } of flattenLayers(draft)) fixLayer(layer, fixed);
  // Variables without their key use their defaults.
  for (const keyed of keyedBy(draft, name)) delete (keyed as Variable).from;
  draft.variables = draft.variables.filter((each) => each !== variable);
}

/** Whether the text at a path is a variable's plain name: in a condition, or the list that a stack repeats. */
function namesVariable(path: Path): boolean {
  const last = path.at(-1);
  return (
    (path.includes('visibleWhen') && last === 'variable') ||
    (path[0] === 'repeat' && last === 'list')
  );
}

/** Returns every text of a document that may contain a binding, with its path. */
function allTexts(document: Template): Use[] {
  const ground = [
    ...textsIn(document.background, ['background']),
    ...textsIn(document.alt, ['alt']),
    ...textsIn(document.clock, ['clock']),
  ];
  const inLayers = flattenLayers(document).flatMap(({ layer }) =>
    Object.entries(layer)
      .filter(([name]) => !fixedNames.has(name))
      .flatMap(([name, value]) => [...textsIn(value, [name])])
      .map(([path, text]) => ({ id: layer.id, layer, path, text })),
  );
  return [
    ...ground.map(([path, text]) => ({ id: undefined, layer: undefined, path, text })),
    ...inLayers,
  ];
}

function* textsIn(value: unknown, path: Path): Generator<[Path, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) yield* textsIn(item, [...path, name]);
  }
}
