/** Checks each layer with the default values of its variables, which every link may fall back to. */
import { bindBackground, bindValues, layerPaths } from '../bind/layer.ts';
import { changedProperties } from '../bind/changed-properties.ts';
import type { ChangedProperty } from '../bind/changed-properties.ts';
import { createBinder } from '../bind/binder.ts';
import { boundTextsIn, textNames, walkStrings, wholeBinding } from '../bind/bindings.ts';
import { withoutChildren } from '../layer-tree.ts';
import type { WalkedLayer } from '../layer-tree.ts';
import { imageNames } from '../layers.ts';
import type { Layer } from '../schema/layers.ts';
import { withLiveVariables } from './clock-rules.ts';
import { scopesOf } from './repeat-rules.ts';
import { checkBoundBox } from './stack-rules.ts';
import { pathProblem } from './path-data.ts';
import { svgProblem } from './svg-markup.ts';
import { findProblems } from './template-problems.ts';
import type { CheckSteps, TemplateProblem } from './template-problems.ts';
import type { Template } from '../schema/template.ts';
import { defaultText } from '../values/list-value.ts';
import { compileBinding } from '../values/formatted-binding.ts';
import type { Names } from '../values/formatted-binding.ts';
import { rangeSamples } from '../values/range-format.ts';

/** Checks each layer with all default values, because defaults replace invalid values. */
export function* checkDefaults(
  template: Template,
  layers: readonly WalkedLayer[],
  problems: TemplateProblem[],
): CheckSteps {
  const variables = withLiveVariables(template);
  const all = [...variables.values()];
  const defaults = new Map(all.map((variable) => [variable.name, defaultText(variable)]));
  // Without layers: finding the clock use of all layers for each binder would take quadratic time.
  const bare = { ...template, layers: [] };
  const whole = createBinder({ ...bare, variables: all }, defaults);
  if (bindBackground(template.background, whole).invalid) {
    const message = 'is no colour with the default values; give its variables other defaults';
    problems.push({ path: 'background', message });
  }
  const binderOf = scopesOf(variables, (scope) => {
    const named = [...scope.values()];
    const values = new Map(named.map((variable) => [variable.name, defaultText(variable)]));
    return createBinder({ ...bare, variables: named }, values);
  });
  for (const [path, layer, , repeating] of layers) {
    if (boundTextsIn(layer).length === 0) continue;
    yield;
    const written = withoutChildren(layer);
    const binder = binderOf(repeating);
    const { values } = binder;
    const bound = bindValues(written, binder, values);
    if (bound === written) continue;
    checkBoundBox(path, written, bound, problems);
    addBoundProblems(path, written, bound, defaultsRemark, problems);
    for (const [sample, remarkAt] of rangedLayers(written, binder.types)) {
      addBoundProblems(path, written, bindValues(sample, binder, values), remarkAt, problems);
    }
  }
}

/** The end of a message about a layer with all default values. */
const defaultsRemark = (): string => ' (with the default values of its variables)';

/** Adds the problems of a bound layer. `remarkAt` gives the end of the message for a path in it. */
function addBoundProblems(
  path: string,
  written: Layer,
  bound: Layer,
  remarkAt: (path: string) => string,
  problems: TemplateProblem[],
): void {
  const found = changedProperties(bound, written).flatMap((each) => boundProblems(path, each));
  for (const [property, data] of layerPaths(bound)) {
    const message = pathProblem(data);
    if (message !== undefined) found.push({ path: `${path}.${property}`, message });
  }
  if (bound.type === 'svg') {
    const message = svgProblem(bound.svg);
    if (message !== undefined) found.push({ path: `${path}.svg`, message });
  }
  for (const problem of found) {
    if (problems.some((known) => known.path === problem.path)) continue;
    const remark = remarkAt(problem.path.slice(path.length + 1));
    problems.push({ ...problem, message: `${problem.message}${remark}` });
  }
}

function boundProblems(
  path: string,
  { name, value, isRequired, schema, validator }: ChangedProperty,
): TemplateProblem[] {
  if (value === undefined && !isRequired) return [];
  // A property that binds a text that is no number is left out.
  return findProblems(`${path}.${name}`, schema, value ?? Number.NaN, validator);
}

/**
 * Three copies of the layer: all properties with a range have its first end, its other end, or a value between. A
 * property that is valid at both ends is valid in between. Each copy comes with the remarks for its paths.
 */
function* rangedLayers(
  layer: Layer,
  names: Names,
): Generator<[layer: Layer, remarkAt: (path: string) => string]> {
  const samples = new Map<string, ReturnType<typeof rangeSamples>>();
  for (const [, text] of walkStrings(layer)) {
    const source = text.includes('|') ? wholeBinding(text) : undefined;
    if (source === undefined || names.has(source) || samples.has(text)) continue;
    const { range } = compileBinding(source);
    // Every value between two colours is a valid colour.
    if (range === undefined || typeof range.to[0] === 'string') continue;
    samples.set(text, rangeSamples(range));
  }
  if (samples.size === 0) return;
  for (const index of [0, 1, 2] as const) {
    const numbers = new Map(Array.from(samples, ([text, all]) => [text, Number(all[index])]));
    const remarkAt = (path: string): string => {
      const [, text = ''] = walkStrings(layer).find(([at]) => at === path) ?? [];
      const result = numbers.get(text);
      return result === undefined ? ' (its ranges give that)' : ` (its range gives ${result})`;
    };
    yield [replaceStrings(layer, numbers) as Layer, remarkAt];
  }
}

/** A copy of a JSON value with numbers for the given texts, except drawn texts, addresses and conditions. */
function replaceStrings(value: unknown, numbers: ReadonlyMap<string, number>): unknown {
  if (typeof value === 'string') return numbers.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceStrings(item, numbers));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    isWritten(key) ? item : replaceStrings(item, numbers),
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** Whether a property takes its value as text, or is evaluated before the layer is bound. */
function isWritten(key: string): boolean {
  return textNames.has(key) || imageNames.has(key) || key === 'visibleWhen';
}
