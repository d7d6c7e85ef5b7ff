/** Checks documents beyond their schema: budgets, unique ids and names, defaults, and references. */
import { bindBackground, bindValues, layerPaths, layerValidators } from '../bind/layer.ts';
import { createBinder } from '../bind/binder.ts';
import { markupBindingProblem } from '../bind/markup.ts';
import { bindText, textNames, walkStrings, wholeBinding } from '../bind/bindings.ts';
import { isParent, walkLayers, withoutChildren } from '../layer-tree.ts';
import type { WalkedLayer } from '../layer-tree.ts';
import { aztecBytesMax } from '../schema/layers.ts';
import { utf8Bytes } from '../limits/layer-costs.ts';
import { imageNames } from '../layers.ts';
import type { Layer } from '../schema/layers.ts';
import { checkBindings } from './binding-rules.ts';
import { checkClock, withLiveVariables } from './clock-rules.ts';
import { checkAnimation } from './animation-rules.ts';
import { checkConditions } from './condition-rules.ts';
import { checkRepeat, timesDrawn, variablesIn } from './repeat-rules.ts';
import { checkBoundBox, checkBox } from './stack-rules.ts';
import { pathProblem } from './path-data.ts';
import { svgProblem } from './svg-markup.ts';
import { checkBudgets } from '../limits/template-budgets.ts';
import { findProblems, problemsMax, show } from './template-problems.ts';
import type { TemplateProblem } from './template-problems.ts';
import { templateLimits } from '../limits/template-limits.ts';
import type { Template, Variable } from '../schema/template.ts';
import { countCodePoints, countLineBreaks, layerTextMax, textsOf } from '../limits/text-limit.ts';
import type { TextLayer } from '../schema/text.ts';
import { isMisshapen, tableSourceProblem, variableProblems } from './variable-problems.ts';
import { defaultText } from '../values/list-value.ts';
import { compileBinding } from '../values/formatted-binding.ts';
import type { Names } from '../values/formatted-binding.ts';
import { rangeSamples } from '../values/range-format.ts';

/** Adds the problems of a document of one size that fits its schema. Skips the defaults of layers in `checked`. */
export function checkMeaning(
  template: Template,
  problems: TemplateProblem[],
  checked = new WeakSet<Layer>(),
): void {
  if (template.variables.some(isMisshapen)) {
    checkVariables(template, problems);
    return;
  }
  const layers = [...walkLayers(template.layers)];
  checkBudgets(
    template,
    layers.map(([path, layer, , repeating]) => [path, layer, timesDrawn(layer, repeating)]),
    problems,
  );
  checkUnique(
    layers.map(([path, layer]) => [`${path}.id`, layer.id]),
    problems,
  );
  checkVariables(template, problems);
  const declared = new Map(template.variables.map((variable) => [variable.name, variable]));
  for (const [index, variable] of template.variables.entries()) {
    const message = tableSourceProblem(variable, declared);
    if (message !== undefined) problems.push({ path: `variables[${index}].from`, message });
  }
  for (const property of ['until', 'per'] as const) {
    checkBindings(`clock.${property}`, template.clock?.[property], declared, problems);
  }
  checkClock(template, problems);
  const variables = withLiveVariables(template);
  checkBindings('background', template.background, variables, problems);
  checkBindings('alt', template.alt, variables, problems);
  for (const [path, layer, parent, repeating] of layers) {
    if (problems.length >= problemsMax) return;
    checkBox(path, layer, parent, problems);
    checkLayer(path, layer, variablesIn(repeating, variables), problems);
    if (layer.type === 'stack') checkRepeat(path, layer, repeating, variables, problems);
  }
  checkMasks(template.layers, 'layers', problems);
  checkAnimation(template, problems);
  if (problems.length === 0) checkDefaults(template, layers, problems, checked);
}

function checkVariables({ variables }: Template, problems: TemplateProblem[]): void {
  checkUnique(
    variables.map(({ name }, index) => [`variables[${index}].name`, name]),
    problems,
  );
  for (const [index, variable] of variables.entries()) {
    for (const [property, message] of variableProblems(variable)) {
      problems.push({ path: `variables[${index}].${property}`, message });
    }
  }
}

function checkUnique(values: [path: string, value: string][], problems: TemplateProblem[]): void {
  const seen = new Set<string>();
  for (const [path, value] of values) {
    if (seen.has(value))
      problems.push({ path, message: `is ${show(value)} again, expected a unique one` });
    seen.add(value);
  }
}

function checkLayer(
  path: string,
  layer: Layer,
  variables: ReadonlyMap<string, Variable>,
  problems: TemplateProblem[],
): void {
  checkBindings(path, withoutChildren(layer), variables, problems);
  checkConditions(`${path}.visibleWhen`, layer.visibleWhen, variables, problems);
  if (layer.type === 'text') {
    for (const [index, { visibleWhen }] of (layer.spans ?? []).entries()) {
      const here = `${path}.spans[${index}].visibleWhen`;
      checkConditions(here, visibleWhen, variables, problems);
    }
    checkText(path, layer, problems);
  }
  if (layer.clip?.shape === 'path' && layer.clip.path === undefined) {
    problems.push({ path: `${path}.clip`, message: 'needs "path"' });
  }
  for (const [property, data] of layerPaths(layer)) {
    const problem = data.startsWith('{{') ? undefined : pathProblem(data);
    if (problem === undefined) continue;
    problems.push({
      path: `${path}.${property === 'clip' ? 'clip.path' : property}`,
      message: problem,
    });
  }
  if (layer.type === 'barcode' && layer.kind === 'azteccode') {
    const bytes = utf8Bytes(bindText(layer.value, new Map()));
    if (bytes > aztecBytesMax) {
      const message = `has ${bytes} bytes, an azteccode holds at most ${aztecBytesMax}; use a shorter value or another kind`;
      problems.push({ path: `${path}.value`, message });
    }
  }
  if (layer.type === 'svg') {
    const problem = markupBindingProblem(layer.svg, variables) ?? svgProblem(layer.svg, 'open');
    if (problem !== undefined) problems.push({ path: `${path}.svg`, message: problem });
  }
}

/** Checks the length of a layer's literal text, which every image would truncate. */
function checkText(path: string, layer: TextLayer, problems: TemplateProblem[]): void {
  if ((layer.text === undefined) === (layer.spans === undefined)) {
    problems.push({ path, message: 'needs either text or spans' });
    return;
  }
  const written = layer.text === undefined ? 'spans' : 'text';
  for (const [index, text] of textsOf(layer).entries()) {
    const property = index === 0 ? written : `alternatives[${index - 1}]`;
    checkDrawnText(`${path}.${property}`, bindText(text, new Map()), layer, problems);
  }
}

function checkDrawnText(
  path: string,
  literal: string,
  layer: TextLayer,
  problems: TemplateProblem[],
): void {
  const { layerLineBreaksMax } = templateLimits;
  const codePointsMax = layerTextMax(layer);
  const codePoints = countCodePoints(literal);
  if (codePoints > codePointsMax) {
    const message = `has ${codePoints} characters, a layer draws at most ${codePointsMax}; part it into several layers`;
    problems.push({ path, message });
  }
  const lineBreaks = countLineBreaks(literal);
  if (lineBreaks > layerLineBreaksMax) {
    const message = `has ${lineBreaks} line breaks, a layer draws at most ${layerLineBreaksMax}; part it into several layers`;
    problems.push({ path, message });
  }
}

/** Checks masks: a mask is a sibling of its layer, and masks form no cycle. */
function checkMasks(layers: readonly Layer[], path: string, problems: TemplateProblem[]): void {
  const masks = new Map(layers.map(({ id, mask }) => [id, mask]));
  for (const [index, layer] of layers.entries()) {
    const here = `${path}[${index}]`;
    if (isParent(layer)) checkMasks(layer.layers, `${here}.layers`, problems);
    const { mask } = layer;
    if (mask === undefined) continue;
    if (!masks.has(mask) || mask === layer.id) {
      const message = `is ${show(mask)}, expected the id of another layer in the same group`;
      problems.push({ path: `${here}.mask`, message });
      continue;
    }
    const seen = new Set<string>();
    let next: string | undefined = mask;
    while (next !== undefined && next !== layer.id && !seen.has(next)) {
      seen.add(next);
      next = masks.get(next);
    }
    if (next === layer.id) {
      const message = `is ${show(mask)}, which this layer masks in turn; break the circle`;
      problems.push({ path: `${here}.mask`, message });
    }
  }
}

/** Checks each layer with all default values, because defaults replace invalid values. */
function checkDefaults(
  template: Template,
  layers: readonly WalkedLayer[],
  problems: TemplateProblem[],
  checked: WeakSet<Layer>,
): void {
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
  for (const [path, layer, , repeating] of layers) {
    if (checked.has(layer)) continue;
    checked.add(layer);
    const written = withoutChildren(layer);
    const scope = [...variablesIn(repeating, variables).values()];
    const values = new Map(scope.map((variable) => [variable.name, defaultText(variable)]));
    const binder = createBinder({ ...bare, variables: scope }, values);
    const bound = bindValues(written, binder, values);
    if (bound === written) continue;
    checkBoundBox(path, written, bound, problems);
    addBoundProblems(path, bound, () => ' (with the default values of its variables)', problems);
    for (const [sample, remark] of rangedLayers(written, binder.types)) {
      addBoundProblems(path, bindValues(sample, binder, values), remark, problems);
    }
  }
}

/** Adds the problems of a bound layer. `remarkAt` gives the end of the message for a path in it. */
function addBoundProblems(
  path: string,
  bound: Layer,
  remarkAt: (path: string) => string,
  problems: TemplateProblem[],
): void {
  const entry = layerValidators.get(bound.type);
  if (entry === undefined) return;
  const found = findProblems(path, entry.schema, bound, entry.validator);
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
      const [, text = ''] = Array.from(walkStrings(layer)).find(([at]) => at === path) ?? [];
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
