/** Replaces bindings by values permanently: in texts, properties and conditions of a layer. */
import {
  bindingPattern,
  bindingsIn,
  boundValue,
  textNames,
  wholeBinding,
} from '#language/bind/bindings.ts';
import { conditionsHold } from '#language/bind/conditions.ts';
import type { Conditions } from '#language/bind/conditions.ts';
import type { Condition, VariableCondition } from '#language/schema/layer-base.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template, Variable, VariableType } from '#language/schema/template.ts';
import { compileBinding, variableOf } from '#language/values/formatted-binding.ts';
import { defaultText } from '#language/values/list-value.ts';
import { parseBooleanText } from '#language/values/scalar-text.ts';
import type { FormatContext } from '#language/values/value-formats.ts';

/** Variables whose bindings are replaced by their values. */
export interface FixedValues {
  names: ReadonlySet<string>;
  /** Values of these and of all variables of the template, because conditions compare them. */
  values: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, VariableType>;
  context: FormatContext;
}

/** Returns the values of `variables`, to replace their bindings in the document. */
export function fixedValues(
  { variables: all, lang = 'en' }: Template,
  variables: readonly Variable[],
): FixedValues {
  const known = [...all, ...variables];
  return {
    names: new Set(variables.map(({ name }) => name)),
    values: new Map(known.map((variable) => [variable.name, defaultText(variable)])),
    types: new Map(known.map(({ name, type }) => [name, type])),
    context: { lang, documentLang: lang, timeMs: Date.now(), problems: [] },
  };
}

/** Properties that hold no bindings of the layer: its identity, and its children, which are visited separately. */
export const fixedNames: ReadonlySet<string> = new Set(['id', 'type', 'name', 'mask', 'layers']);
/** `fixedNames`, and the properties that name variables without brackets. */
const keptNames = new Set([...fixedNames, 'repeat', 'visibleWhen']);

/** Replaces the bindings of a layer without those of its children. */
export function fixLayer(layer: Layer, fixed: FixedValues): void {
  const properties = layer as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(properties)) {
    if (!keptNames.has(name)) write(properties, name, fixValue(value, name, fixed));
  }
  if (layer.type === 'text' && layer.spans !== undefined) {
    const spans = layer.spans.filter((span) => fixConditions(span, fixed));
    // A text has at least one span.
    layer.spans = spans.length === 0 ? [{ text: '' }] : spans;
  }
  if (!fixConditions(layer, fixed)) layer.visible = false;
}

/** Returns the value of a property with its bindings replaced; undefined if the property is to be removed. */
export function fixValue(value: unknown, name: string, fixed: FixedValues): unknown {
  if (typeof value === 'string') return fixText(value, name, fixed);
  if (Array.isArray(value)) {
    return value.map((item) => fixValue(item, name, fixed)).filter((item) => item !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    keptNames.has(key) ? (item as unknown) : fixValue(item, key, fixed),
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined)) as unknown;
}

/** As `imageNames` of the language, whose schemas are no part of the studio. */
export const addressNames: ReadonlySet<string> = new Set(['src', 'image']);
/** Properties that take values anywhere in their text, without conversion to another type. */
const freeNames = new Set([...textNames, ...addressNames, 'svg']);

function fixText(text: string, name: string, fixed: FixedValues): unknown {
  const whole = freeNames.has(name) ? undefined : wholeBinding(text);
  if (whole !== undefined) return isFixed(whole, fixed) ? literal(whole, fixed) : text;
  return text.replace(bindingPattern, (binding, source: string, offset: number) => {
    if (!isFixed(source.trim(), fixed)) return binding;
    const value = boundValue(source, fixed.values, fixed.context);
    if (addressNames.has(name) && offset > 0) return encodeURIComponent(value);
    // Text from a value must not become a binding.
    const plain = value.replaceAll('{{', '{ {');
    return name === 'svg' ? escapeXml(plain) : plain;
  });
}

function isFixed(source: string, { names, types }: FixedValues): boolean {
  return names.has(variableOf(source, types));
}

/** Returns the value of a binding that is the whole property, in the type of its variable or format. */
function literal(source: string, { values, types, context }: FixedValues): unknown {
  const value = boundValue(source, values, context);
  const { result } = types.has(source) ? { result: 'same' as const } : compileBinding(source);
  const type = result === 'same' ? types.get(variableOf(source, types)) : result;
  if (type === 'number') return value === '' ? undefined : Number(value);
  if (type === 'boolean') return value === '' ? undefined : parseBooleanText(value);
  return type === 'color' && value === '' ? undefined : value;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function write(owner: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete owner[name];
  else owner[name] = value;
}

// Conditions: a condition on fixed values has a constant result.

/** Evaluates the conditions on fixed values. Returns false if the owner never shows. */
function fixConditions(owner: { visibleWhen?: Conditions }, fixed: FixedValues): boolean {
  const { visibleWhen } = owner;
  if (visibleWhen === undefined) return true;
  const answer = answerAll([visibleWhen].flat(), fixed);
  if (typeof answer === 'boolean') delete owner.visibleWhen;
  else owner.visibleWhen = answer.length === 1 ? answer[0] : answer;
  return answer !== false;
}

/** Returns the conditions that stay open; true if all always hold, false if one never holds. */
function answerAll<Inner extends Condition>(
  all: readonly Inner[],
  fixed: FixedValues,
): Inner[] | boolean {
  const answers = all.map((inner) => answerOf(inner, fixed));
  if (answers.includes(false)) return false;
  const open = answers.filter((answer) => typeof answer !== 'boolean');
  return open.length === 0 ? true : open;
}

/** Returns a condition without its constant parts, or its result if it is constant. */
function answerOf<Inner extends Condition>(condition: Inner, fixed: FixedValues): Inner | boolean {
  if ('all' in condition) {
    const all = answerAll(condition.all, fixed);
    return typeof all === 'boolean' ? all : { ...condition, all };
  }
  if ('any' in condition) {
    const answers = condition.any.map((inner) => answerOf(inner, fixed));
    if (answers.includes(true)) return true;
    const any = answers.filter((answer) => typeof answer !== 'boolean');
    return any.length === 0 ? false : { ...condition, any };
  }
  if ('not' in condition) {
    const not = answerOf(condition.not, fixed);
    return typeof not === 'boolean' ? !not : { ...condition, not };
  }
  return looksAt(condition, fixed) ? conditionsHold(condition, fixed) : condition;
}

/** Whether a condition tests a fixed value, or compares with one. */
function looksAt(condition: VariableCondition, fixed: FixedValues): boolean {
  const { equals, notEquals, oneOf = [], greaterThan, lessThan } = condition;
  const compared = [equals, notEquals, ...oneOf, greaterThan, lessThan];
  return (
    fixed.names.has(condition.variable) ||
    compared.some((text) => typeof text === 'string' && bindsFixed(text, fixed))
  );
}

function bindsFixed(text: string, fixed: FixedValues): boolean {
  return bindingsIn(text).some((source) => isFixed(source, fixed));
}
