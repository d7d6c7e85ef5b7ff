/**
 * Binds the values of one layer. A property that a value makes invalid takes its default. One that an unread value leaves
 * incomplete is left out, or the layer if it needs the property.
 */
import { bindMarkup } from './markup.ts';
import {
  bindAddress,
  bindDrawnText,
  bindText,
  boundNames,
  boundValue,
  textNames,
  walkStrings,
  wholeBinding,
} from './bindings.ts';
import { imageNames } from '../layers.ts';
import type { Layer } from '../schema/layers.ts';
import { ColorFill } from '../schema/paint.ts';
import { pathProblem } from '../check/path-data.ts';
import type { Template, VariableType } from '../schema/template.ts';
import { bindsUncounted } from './binder.ts';
import type { Binder } from './binder.ts';
import { changedProperties, isIncomplete, neededProperties } from './changed-properties.ts';
import { questionsIn } from './conditions.ts';
import { bindIsolated, withIsolatedValues } from './isolated-values.ts';
import { bindAgain } from './recently-bound.ts';
import type { BoundLayer, LayerReads } from './recently-bound.ts';
import { conditionsOfSpans, withShownSpans } from './spans.ts';
import { createValidator } from '../schema/validator.ts';
import type { Validator } from '../schema/validator.ts';
import { compileBinding } from '../values/formatted-binding.ts';
import { parseBooleanText } from '../values/scalar-text.ts';

const backgroundValidator = createValidator(ColorFill);

/** Layers without bindings, with the layer that every render draws for them. */
const unbound = new WeakMap<Layer, Layer>();

const noProblems: readonly string[] = [];

/**
 * Binds values in a layer, without a group's children. A property that a value makes invalid takes its default, and one
 * without its value is left out; the other properties keep their values. A text that is too long stays valid, because
 * layout truncates it. Returns the same object each time for a layer without bindings.
 */
export function bindLayer(template: Layer, binder: Binder): BoundLayer {
  const known = unbound.get(template);
  if (known !== undefined) return { layer: known, invalid: false, problems: noProblems };
  return bindAgain(template, binder, readsOf, bindOnce);
}

function readsOf(layer: Layer, { types }: Binder): LayerReads {
  const texts = stringsOf(layer).map(([, text]) => text);
  const written = texts.flatMap((text) => boundNames(text, types));
  const asked = conditionsOfSpans(layer).flatMap((conditions) =>
    [...questionsIn(conditions)].map(([, { variable }]) => variable),
  );
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return { names: [...new Set([...written, ...asked])], written, characters };
}

/** The strings of a layer, without its conditions: they are evaluated before the layer is bound. */
function stringsOf(layer: Layer): ReturnType<typeof walkStrings> {
  return walkStrings({ ...layer, visibleWhen: undefined });
}

function bindOnce(template: Layer, binder: Binder): BoundLayer {
  const { problems } = binder.context;
  problems.length = 0;
  if (drawsUncounted(template, binder)) {
    return { layer: undefined, invalid: false, problems: noProblems };
  }
  const bound = bindProperties(template, binder, binder.values);
  if (bound === template && !(template.type === 'svg' && template.svg.includes('{{'))) {
    const drawn = withMarkup(template, template, binder, binder.values);
    unbound.set(template, drawn);
    return { layer: drawn, invalid: false, problems: noProblems };
  }
  const bad = bindsTextsOnly(template) ? noProperties : invalidProperties(bound, template);
  if (bad.size === 0) {
    const layer = withMarkup(bound, template, binder, binder.values);
    return { layer, invalid: false, problems: takeProblems(problems) };
  }
  const found = takeProblems(problems);
  const unread = new Set(
    [...bad].filter((name) => isIncomplete(Reflect.get(bound, name), Reflect.get(template, name))),
  );
  if (neededProperties(template.type).some((name) => unread.has(name))) {
    return { layer: undefined, invalid: true, problems: found };
  }
  const defaults = bindProperties(template, binder, binder.defaults);
  const repaired = { ...bound } as unknown as Record<string, unknown>;
  for (const name of bad) {
    if (Object.hasOwn(defaults, name) && !unread.has(name))
      repaired[name] = Reflect.get(defaults, name);
    else delete repaired[name];
  }
  for (const layer of [repaired as unknown as Layer, ...(unread.size > 0 ? [] : [defaults])]) {
    if (invalidProperties(layer, template).size > 0) continue;
    const values = layer === defaults ? binder.defaults : binder.values;
    return { layer: withMarkup(layer, template, binder, values), invalid: true, problems: found };
  }
  return { layer: undefined, invalid: true, problems: found };
}

/** Whether a layer draws what is left of a countdown without a deadline, as "Ends in {{countdown.days}} days" does. */
function drawsUncounted(template: Layer, binder: Binder): boolean {
  if (binder.uncounted === undefined || binder.uncounted.size === 0) return false;
  const shown = withShownSpans(template, binder, binder.values);
  return stringsOf(shown).some(([, text]) => bindsUncounted(text, binder));
}

/** A copy of the problems of one layer, without duplicates. Most layers have none. */
function takeProblems(problems: readonly string[]): readonly string[] {
  return problems.length === 0 ? noProblems : [...new Set(problems)];
}

/** Binds `values` in a layer without checking the result, which may be an invalid layer. */
export function bindValues(
  template: Layer,
  binder: Binder,
  values: ReadonlyMap<string, string>,
): Layer {
  return withMarkup(bindProperties(template, binder, values), template, binder, values);
}

/** Binds all properties except an SVG's markup, which needs the bound colours of its layer. */
function bindProperties(
  template: Layer,
  binder: Binder,
  values: ReadonlyMap<string, string>,
): Layer {
  if (template.type !== 'svg') {
    const shown = withShownSpans(template, binder, values);
    const layer = bindDeep(shown, binder, values) as Layer;
    return withIsolatedValues(layer, shown, (text) => bindIsolated(text, values, binder.context));
  }
  const bound = bindDeep({ ...template, svg: '' }, binder, values) as Layer;
  return isSame(bound, template) ? template : { ...bound, type: 'svg', svg: template.svg };
}

/** Whether two SVG layers are equal, except for their markup. */
function isSame(bound: Layer, template: Layer): boolean {
  const names = Object.keys(template).filter((name) => name !== 'svg');
  return names.every((name) => Reflect.get(bound, name) === Reflect.get(template, name));
}

/** The layer with its markup bound and recoloured; the same object if the markup does not change. */
function withMarkup(
  layer: Layer,
  template: Layer,
  { context }: Binder,
  values: ReadonlyMap<string, string>,
): Layer {
  if (layer.type !== 'svg' || template.type !== 'svg') return layer;
  const svg = bindMarkup(template.svg, layer.colors ?? {}, values, context);
  return svg === layer.svg ? layer : { ...layer, svg };
}

/** Binds a document's background: a colour or a gradient; undefined for a transparent one. */
export function bindBackground(
  background: Template['background'],
  binder: Binder,
): { background: ColorFill | undefined; invalid: boolean } {
  if (background === undefined || background === 'none')
    return { background: undefined, invalid: false };
  const bind = (values: ReadonlyMap<string, string>): unknown =>
    bindDeep(background, binder, values);
  const bound = bind(binder.values);
  // A colour with an empty value draws nothing.
  if (bound === undefined) return { background: undefined, invalid: false };
  if (backgroundValidator.Check(bound)) return { background: bound, invalid: false };
  if (isIncomplete(bound, background)) return { background: undefined, invalid: true };
  const standIn = bind(binder.defaults);
  const isValid = backgroundValidator.Check(standIn);
  return { background: isValid ? standIn : undefined, invalid: true };
}

/** Paths of texts that later steps truncate, or refuse as a code. Their default would show a different text. */
const drawnTexts = /^\/(text|value|spans\/\d+\/text|alternatives\/\d+)$/;

/** The same paths as `walkStrings` writes them, and markup, which is bound afterwards. */
const freeTexts = /^(text|value|spans\[\d+\]\.text|alternatives\[\d+\]|svg)$/;
const noProperties: ReadonlySet<string> = new Set();

/** Cache: whether the bindings of a layer are in free texts only. */
const textsOnly = new WeakMap<Layer, boolean>();

/** Whether no value can make the layer invalid. Renders skip the check of such layers, which are most. */
function bindsTextsOnly(layer: Layer): boolean {
  let isFree = textsOnly.get(layer);
  if (isFree === undefined) {
    isFree = stringsOf(layer)
      .filter(([, text]) => text.includes('{{'))
      .every(([path]) => freeTexts.test(path));
    textsOnly.set(layer, isFree);
  }
  return isFree;
}

/** Names of the invalid properties of a bound layer. `template` is the layer with its bindings. */
function invalidProperties(layer: Layer, template: Layer): Set<string> {
  const bad = new Set<string>();
  // Whether a layer may hug or fill is checked when the template is saved. A value may only give a number.
  for (const name of ['width', 'height'] as const) {
    if (typeof layer[name] === 'string' && layer[name] !== template[name]) bad.add(name);
  }
  const needed = neededProperties(template.type);
  for (const { name, value, validator } of changedProperties(layer, template)) {
    const isMissing = value === undefined;
    const isBad = isMissing
      ? needed.includes(name)
      : !validator.Check(value) && !isOnlyLong(name, validator.Errors(value));
    if (isBad) bad.add(name);
  }
  for (const [name, data] of layerPaths(layer)) {
    if (typeof data === 'string' && pathProblem(data) !== undefined) bad.add(name);
  }
  return bad;
}

/** Whether a text is too long, and has no other error. */
function isOnlyLong(name: string, errors: ReturnType<Validator['Errors']>): boolean {
  return errors.every(
    ({ keyword, instancePath }) =>
      keyword === 'maxLength' && drawnTexts.test(`/${name}${instancePath}`),
  );
}

/** SVG path data of a layer by the property that holds it. */
export function layerPaths(layer: Layer): [property: 'path' | 'clip', data: string][] {
  const paths: ['path' | 'clip', string][] = [];
  if ('path' in layer && layer.path !== undefined) paths.push(['path', layer.path]);
  if (layer.clip?.path !== undefined) paths.push(['clip', layer.clip.path]);
  return paths;
}

/** Binds every string inside a JSON value, the property `name`. Returns the same object if it has no bindings. */
function bindDeep(
  value: unknown,
  binder: Binder,
  values: ReadonlyMap<string, string>,
  name = '',
): unknown {
  if (typeof value === 'string') {
    const { context } = binder;
    if (imageNames.has(name) && value.includes('{{')) return bindAddress(value, values, context);
    // Scanners read 0 to 9.
    if (name === 'value') return bindText(value, values, context);
    return textNames.has(name)
      ? bindDrawnText(value, values, context)
      : bindString(value, binder, values);
  }
  if (Array.isArray(value) && name !== 'visibleWhen') {
    const inner = textNames.has(name) ? name : '';
    const items = value.map((item) => bindDeep(item, binder, values, inner));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  // Conditions are evaluated before a layer is bound.
  if (typeof value !== 'object' || value === null || name === 'visibleWhen') return value;
  const entries = Object.entries(value);
  const bound = entries.map(([key, item]) => [key, bindDeep(item, binder, values, key)] as const);
  if (bound.every(([, item], index) => item === entries[index]?.[1])) return value;
  return Object.fromEntries(bound.filter(([, item]) => item !== undefined));
}

/**
 * Binds one string; undefined, which removes the property, for a colour, number or boolean with an empty value, and for
 * a number or boolean that cannot be read.
 */
function bindString(
  text: string,
  { types, context }: Binder,
  values: ReadonlyMap<string, string>,
): unknown {
  const source = wholeBinding(text);
  if (source === undefined) return bindText(text, values, context);
  const value = boundValue(source, values, context);
  switch (typeOfBinding(source, types)) {
    case 'number':
      return value === '' || !Number.isFinite(Number(value)) ? undefined : Number(value);
    case 'boolean':
      return value === '' ? undefined : parseBooleanText(value);
    case 'color':
      return value === '' ? undefined : value;
    default:
      return value;
  }
}

/** The type of a binding's value: the variable's, unless a format changes it. */
function typeOfBinding(
  source: string,
  types: ReadonlyMap<string, VariableType>,
): VariableType | undefined {
  if (types.has(source) || !source.includes('|')) return types.get(source);
  const { name, result } = compileBinding(source);
  return result === 'same' ? types.get(name) : result;
}
