/** Checks documents beyond their schema: budgets, unique ids and names, defaults, and references. */
import { layerPaths } from '../bind/layer.ts';
import { markupBindingProblem } from '../bind/markup.ts';
import { bindText } from '../bind/bindings.ts';
import { isParent, walkLayers } from '../layer-tree.ts';
import { aztecBytesMax } from '../schema/layers.ts';
import { utf8Bytes } from '../limits/layer-costs.ts';
import type { Layer } from '../schema/layers.ts';
import { checkBindings } from './binding-rules.ts';
import { checkClock, withLiveVariables } from './clock-rules.ts';
import { checkAnimation } from './animation-rules.ts';
import { checkConditions } from './condition-rules.ts';
import { checkDefaults } from './default-rules.ts';
import { checkRepeat, scopesOf } from './repeat-rules.ts';
import { checkBox } from './stack-rules.ts';
import { pathProblem } from './path-data.ts';
import { svgProblem } from './svg-markup.ts';
import { pathedLayers } from '../limits/frame-work.ts';
import { checkBudgets } from '../limits/template-budgets.ts';
import type { LayerCosts } from '../limits/template-budgets.ts';
import { problemsMax, show } from './template-problems.ts';
import type { CheckSteps, TemplateProblem } from './template-problems.ts';
import { templateLimits } from '../limits/template-limits.ts';
import type { Template, Variable } from '../schema/template.ts';
import { countCodePoints, countLineBreaks, layerTextMax, textsOf } from '../limits/text-limit.ts';
import type { TextLayer } from '../schema/text.ts';
import { isMisshapen, tableSourceProblem, variableProblems } from './variable-problems.ts';

/** Adds the problems of a document without sizes that fits its schema, in steps. `costs` are filled. */
export function* checkMeaning(
  template: Template,
  problems: TemplateProblem[],
  costs: LayerCosts = new Map(),
): CheckSteps {
  if (template.variables.some(isMisshapen)) {
    checkVariables(template, problems);
    return;
  }
  const layers = [...walkLayers(template.layers)];
  yield* checkBudgets(template, pathedLayers(template), problems, costs);
  yield;
  checkUnique(
    layers.map(([path, layer]) => [`${path}.id`, layer.id]),
    problems,
  );
  checkVariables(template, problems);
  const declared = new Map(template.variables.map((variable) => [variable.name, variable]));
  const tables = new Set<string>();
  for (const [index, variable] of template.variables.entries()) {
    const message = tableSourceProblem(variable, declared, tables);
    if (message !== undefined) problems.push({ path: `variables[${index}].from`, message });
  }
  const { until, per } = template.clock ?? {};
  checkBindings('clock', { until, per }, declared, problems);
  checkClock(template, problems);
  yield;
  const variables = withLiveVariables(template);
  const scopeOf = scopesOf(variables, (scope) => scope);
  const { background, alt } = template;
  checkBindings('', { background, alt }, variables, problems);
  for (const [path, layer, parent, repeating] of layers) {
    if (problems.length >= problemsMax) return;
    checkBox(path, layer, parent, problems);
    checkLayer(path, layer, scopeOf(repeating), problems);
    if (layer.type === 'stack') checkRepeat(path, layer, repeating, variables, problems);
    yield;
  }
  checkMasks(template.layers, 'layers', problems);
  checkAnimation(template, problems);
  if (problems.length === 0) yield* checkDefaults(template, layers, problems);
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
  checkBindings(path, layer, variables, problems);
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
