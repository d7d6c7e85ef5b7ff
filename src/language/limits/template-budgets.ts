/** Checks the budgets of a document: pixels, layers, bindings, encoding, layout and fonts. */
import { animationOf, designedFrames } from '../animation/frames.ts';
import { itemPrefix } from '../values/list-value.ts';
import { defaultFormat, outputFormats } from '../formats.ts';
import { encodeMs, encodeMsMax } from './image-costs.ts';
import { templateLimits } from './template-limits.ts';
import { show } from '../check/template-problems.ts';
import type { CheckSteps, TemplateProblem } from '../check/template-problems.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template, Variable } from '../schema/template.ts';
import { withoutChildren } from '../layer-tree.ts';
import { layoutCostOf } from '../layers.ts';
import { formatCost } from './format-cost.ts';
import { boundCharacters, countBindings, frameWork } from './frame-work.ts';
import type { PathedLayers } from './format-cost.ts';
import { utf8Bytes } from './layer-costs.ts';
import type { DefaultCost, LayerCost } from './layer-costs.ts';
import { longestValues } from './longest-values.ts';
import { countCodePoints, layoutsOf, spansOf } from './text-limit.ts';
import type { TextLayer } from '../schema/text.ts';

/**
 * Adds a problem for each exceeded budget, in steps. `costs` is of one document, whose sizes share it. `isSize`: a size
 * of a document that is within its budgets, and that binds nothing more.
 */
export function* checkBudgets(
  template: Template,
  layers: PathedLayers,
  problems: TemplateProblem[],
  costs: LayerCosts,
  isSize = false,
): CheckSteps {
  const { pixelsMax, layersMax } = templateLimits;
  if (template.width * template.height > pixelsMax) {
    const message = `times height is over ${pixelsMax} pixels; make the canvas smaller`;
    problems.push({ path: 'width', message });
  }
  const drawn = layers.reduce((sum, [, , times]) => sum + times, 0);
  if (drawn > layersMax) {
    const message = `has ${drawn} layers with those in groups and the items of lists, the limit is ${layersMax}`;
    problems.push({ path: 'layers', message });
    return;
  }
  checkEncodeCost(template, problems);
  yield* checkLayoutCost(template, layers, problems, costs);
  if (!isSize) checkBindingCount(template, layers, problems);
  yield;
  checkRepeatedSize(layers, problems);
  if (isSize) return;
  yield;
  checkFrames(template, layers, problems);
  yield;
  checkFormatCost(template, layers, problems);
}

/** Checks the file of a link without options. Options of links are checked at each request. */
function checkEncodeCost({ width, height, output }: Template, problems: TemplateProblem[]): void {
  const { format = defaultFormat } = output ?? {};
  const quality = output?.quality ?? outputFormats[format].defaultQuality;
  const ms = encodeMs(format, width, height, quality);
  if (ms <= encodeMsMax) return;
  const message = `takes up to ${Math.ceil(ms)} ms to encode as ${format} at quality ${quality}, the limit is ${encodeMsMax}: use a smaller canvas, a lower quality or another format`;
  problems.push({ path: output === undefined ? 'width' : 'output', message });
}

function* checkLayoutCost(
  template: Template,
  layers: PathedLayers,
  problems: TemplateProblem[],
  costs: LayerCosts,
): CheckSteps {
  const { fontsMax, layoutMsMax, layerLayoutMsMax } = templateLimits;
  const cost = yield* layoutCost(template, layers, costs);
  const { ms, costliest, costliestDrawing, variables, fonts } = cost;
  if (fonts > fontsMax) {
    const message = `have ${fonts} fonts (families with weight, slant and axes), the limit is ${fontsMax}`;
    problems.push({ path: 'layers', message });
  }
  if (costliestDrawing.ms > layerLayoutMsMax) {
    const message = `takes up to ${Math.ceil(costliestDrawing.ms)} ms to lay out with its longest values, the limit of one layer is ${layerLayoutMsMax}: bind fewer or shorter values, or part it into several layers`;
    problems.push({ path: costliestDrawing.path, message });
    return;
  }
  if (ms <= layoutMsMax) return;
  const most = variables.slice(0, 3).map(show).join(', ');
  const remedies = [
    'use fewer or shorter texts and codes',
    ...(variables.length === 0 ? [] : [`give the variables a maxLength, ${most} first`]),
  ].join(', or ');
  const message = `take up to ${Math.ceil(ms)} ms to lay out with their longest values, the limit is ${layoutMsMax} (${costliest.path} alone up to ${Math.ceil(costliest.ms)}): ${remedies}`;
  problems.push({ path: 'layers', message });
}

function checkBindingCount(
  { background, alt }: Template,
  layers: PathedLayers,
  problems: TemplateProblem[],
): void {
  const { bindingsMax, drawnBindingsMax } = templateLimits;
  let count = countBindings({ background, alt });
  let drawn = count;
  for (const [, layer, times] of layers) {
    const its = countBindings(layer);
    count += its;
    drawn += its * times;
  }
  if (count > bindingsMax) {
    const message = `bind variables ${count} times, the limit is ${bindingsMax}`;
    problems.push({ path: 'layers', message });
  } else if (drawn > drawnBindingsMax) {
    const message = `bind variables ${drawn} times with the items of lists, the limit is ${drawnBindingsMax}`;
    problems.push({ path: 'layers', message });
  }
}

/** Checks the JSON size of repeated layers, which a render processes once for each item of a list. */
function checkRepeatedSize(layers: PathedLayers, problems: TemplateProblem[]): void {
  const { repeatedCharactersMax, repeatedConditionsMax } = templateLimits;
  let characters = 0;
  let conditions = 0;
  for (const [, layer, times] of layers) {
    if (times === 1) continue;
    characters += JSON.stringify(withoutChildren(layer)).length * times;
    conditions += JSON.stringify(layer.visibleWhen ?? '').length * times;
  }
  if (characters > repeatedCharactersMax) {
    const message = `have ${characters} characters of JSON in the items of lists, the limit is ${repeatedCharactersMax}: repeat fewer items (repeat.max), or put images in assets`;
    problems.push({ path: 'layers', message });
  } else if (conditions > repeatedConditionsMax) {
    const message = `have ${conditions} characters of conditions in the items of lists, the limit is ${repeatedConditionsMax}: repeat fewer items (repeat.max), or ask for fewer values`;
    problems.push({ path: 'layers', message });
  }
}

/** Checks the work of each frame: the conditions of all layers, and the choice of images on the thread that answers. */
function checkFrames(template: Template, layers: PathedLayers, problems: TemplateProblem[]): void {
  const animation = animationOf(template);
  const frames = animation === undefined ? 1 : designedFrames(animation);
  if (frames === 1) return;
  const { frameConditionsMax, frameImagesMax } = templateLimits;
  const { conditions, images } = frameWork(template, layers);
  if (conditions * frames > frameConditionsMax) {
    const message = `have ${conditions * frames} characters of conditions in ${frames} frames, a text with a variable as ${boundCharacters}, the limit is ${frameConditionsMax}: ask for fewer values, or make fewer frames`;
    problems.push({ path: 'layers', message });
  }
  if (animation?.type === 'motion' || images * frames <= frameImagesMax) return;
  const message = `choose images by ${images * frames} characters of conditions, bindings and layers in ${frames} frames, the limit is ${frameImagesMax}: let frames change fewer images, or make fewer frames`;
  problems.push({ path: 'layers', message });
}

function checkFormatCost(
  template: Template,
  layers: PathedLayers,
  problems: TemplateProblem[],
): void {
  const { formatsMsMax } = templateLimits;
  const { ms, costliest, names } = formatCost(template, layers);
  if (ms <= formatsMsMax) return;
  const most = names.slice(0, 3).map(show).join(', ');
  const shorter = most === '' ? '' : `, or give the variables a maxLength, ${most} first`;
  const message = `have formats that take up to ${Math.ceil(ms)} ms with their longest values, the limit is ${formatsMsMax} ({{${costliest}}} most of them): use fewer formats${shorter}`;
  problems.push({ path: 'layers', message });
}

// The estimated cost of laying out texts and codes.

/** Cost of a set of spacings and features that no other span has. */
const settingsUs = 500;

/** The cost of the layout of a document, and what to change if it is too high. */
export interface LayoutCost {
  /** CPU time with the most expensive values that a link can give, in ms. */
  ms: number;
  /** The path and cost of the most expensive layer. */
  costliest: { path: string; ms: number };
  /** The most expensive code or SVG, whose cost no count of characters bounds. */
  costliestDrawing: { path: string; ms: number };
  /** Names of the text variables, those with the most expensive values first. */
  variables: string[];
  /** Number of fonts: families with weight, slant and axes. */
  fonts: number;
}

/** The cost of one layer, with the longest values of its bindings, and its fonts and settings. */
interface LayerFacts extends LayerCost {
  /** Rounded to whole microseconds, because sums of fractions may miss their limit by a rounding error. */
  ms: number;
  fonts: string[];
  settings: string[];
}

/** The costs of the layers of one document, by path and number of layouts: all else is the same in each size. */
export type LayerCosts = Map<string, LayerFacts | undefined>;

/**
 * The layout cost of a template with the longest values of the most expensive script. `layers` include those in groups.
 * Linear in the document.
 */
function* layoutCost(
  { variables }: Template,
  layers: PathedLayers,
  costs: LayerCosts,
): Generator<undefined, LayoutCost> {
  const defaults = new Map(variables.map((variable) => [variable.name, defaultCost(variable)]));
  const fonts = new Set<string>();
  const settings = new Set<string>();
  const valueUs = new Map<string, number>();
  let costliest = { path: 'layers', ms: 0 };
  let costliestDrawing = costliest;
  let us = 0;
  let mostUs = 0;
  let itemUs = 0;
  for (const [path, layer, times] of layers) {
    const key = layer.type === 'text' ? `${path} ${layoutsOf(layer)}` : path;
    if (!costs.has(key)) {
      costs.set(key, factsOf(layer, defaults, variables));
      yield;
    }
    const layerCost = costs.get(key);
    if (layerCost === undefined) continue;
    us += (layerCost.us + Math.min(layerCost.defaultsUs, layerCost.mostUs)) * times;
    mostUs += (layerCost.us + layerCost.mostUs) * times;
    for (const [name, one] of layerCost.valueUs) {
      // The items of a list share one limit of characters, whichever field has them.
      if (name.startsWith(itemPrefix)) itemUs = Math.max(itemUs, one);
      valueUs.set(name, (valueUs.get(name) ?? 0) + one);
    }
    const { ms } = layerCost;
    if (ms > costliest.ms) costliest = { path, ms };
    if (layer.type !== 'text' && ms > costliestDrawing.ms) costliestDrawing = { path, ms };
    for (const font of layerCost.fonts) fonts.add(font);
    for (const setting of layerCost.settings) settings.add(setting);
  }
  const values = longestValues(valueUs, variables);
  const itemsUs = itemUs * templateLimits.listTextCodePointsMax;
  us = Math.min(us + values.us + itemsUs, mostUs) + settings.size * settingsUs;
  return { ms: us / 1000, costliest, costliestDrawing, variables: values.names, fonts: fonts.size };
}

function factsOf(
  layer: Layer,
  defaults: ReadonlyMap<string, DefaultCost>,
  variables: readonly Variable[],
): LayerFacts | undefined {
  const cost = layoutCostOf(layer, defaults);
  if (cost === undefined) return undefined;
  const valuesUs = cost.defaultsUs + longestValues(cost.valueUs, variables).us;
  const ms = Math.round(cost.us + Math.min(cost.mostUs, valuesUs)) / 1000;
  return { ...cost, ms, ...looksOf(layer) };
}

function defaultCost(variable: Variable): DefaultCost {
  const { type } = variable;
  // Bindings name the fields of a list, never the list.
  const value = type === 'list' ? '' : variable.value;
  return { type, text: value, codePoints: countCodePoints(value), bytes: utf8Bytes(value) };
}

/** The fonts and the settings of the spans of a text, without duplicates. */
function looksOf(layer: Layer): Pick<LayerFacts, 'fonts' | 'settings'> {
  const fonts = new Set<string>();
  const settings = new Set<string>();
  for (const span of layer.type === 'text' ? spansOf(layer) : []) {
    const look = { ...layer, ...span } as TextLayer;
    const { fontFamily, fontWeight = 400, fontStyle = 'normal', fontVariations } = look;
    fonts.add(JSON.stringify([fontFamily, fontWeight, fontStyle, fontVariations]));
    const { fontFeatures, letterSpacing = 0, wordSpacing = 0 } = look;
    settings.add(JSON.stringify([fontFeatures, letterSpacing, wordSpacing]));
  }
  return { fonts: [...fonts], settings: [...settings] };
}
