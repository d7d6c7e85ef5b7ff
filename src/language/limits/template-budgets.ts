/** Checks that a document asks for no more work than one picture may take. */
import { defaultFormat, outputFormats } from '../formats.ts';
import { boundNames, walkStrings } from '../bind/bindings.ts';
import { encodeMs, encodeMsMax } from './encode-cost.ts';
import type { Layer } from '../schema/layers.ts';
import { layoutCost } from './layout-cost.ts';
import { templateLimits } from './template-limits.ts';
import { show } from '../check/template-problems.ts';
import type { TemplateProblem } from '../check/template-problems.ts';
import type { Template } from '../schema/template.ts';

/** A template's layers with their JSON paths, groups' children too. */
type PathedLayers = readonly [path: string, layer: Layer][];

/** Adds the budgets that a document breaks: pixels, layers, bindings, encoding, layout and fonts. */
export function checkBudgets(
  template: Template,
  layers: PathedLayers,
  problems: TemplateProblem[],
): void {
  const { pixelsMax, layersMax } = templateLimits;
  if (template.width * template.height > pixelsMax) {
    const message = `times height is over ${pixelsMax} pixels; make the canvas smaller`;
    problems.push({ path: 'width', message });
  }
  if (layers.length > layersMax) {
    const message = `has ${layers.length} layers with those in groups, the limit is ${layersMax}`;
    problems.push({ path: 'layers', message });
    return;
  }
  checkEncodeCost(template, problems);
  checkLayoutCost(template, layers, problems);
  checkBindingCount(template, problems);
}

/** The file that a link without options gives; what links ask for beside that is judged when they come. */
function checkEncodeCost({ width, height, output }: Template, problems: TemplateProblem[]): void {
  const { format = defaultFormat } = output ?? {};
  const quality = output?.quality ?? outputFormats[format].defaultQuality;
  const ms = encodeMs(format, width, height, quality);
  if (ms <= encodeMsMax) return;
  const message = `takes up to ${Math.ceil(ms)} ms to encode as ${format} at quality ${quality}, the limit is ${encodeMsMax}: use a smaller canvas, a lower quality or another format`;
  problems.push({ path: output === undefined ? 'width' : 'output', message });
}

function checkLayoutCost(
  template: Template,
  layers: PathedLayers,
  problems: TemplateProblem[],
): void {
  const { fontsMax, layoutMsMax, layerLayoutMsMax } = templateLimits;
  const { ms, dearest, dearestDrawing, variables, fonts } = layoutCost(template, layers);
  if (fonts > fontsMax) {
    const message = `have ${fonts} fonts (families with weight, slant and axes), the limit is ${fontsMax}`;
    problems.push({ path: 'layers', message });
  }
  if (dearestDrawing.ms > layerLayoutMsMax) {
    const message = `takes up to ${Math.ceil(dearestDrawing.ms)} ms to lay out with its longest values, the limit of one layer is ${layerLayoutMsMax}: bind fewer or shorter values, or part it into several layers`;
    problems.push({ path: dearestDrawing.path, message });
    return;
  }
  if (ms <= layoutMsMax) return;
  const most = variables.slice(0, 3).map(show).join(', ');
  const remedies = [
    'use fewer or shorter texts and codes',
    ...(variables.length === 0 ? [] : [`give the variables a maxLength, ${most} first`]),
  ].join(', or ');
  const message = `take up to ${Math.ceil(ms)} ms to lay out with their longest values, the limit is ${layoutMsMax} (${dearest.path} alone up to ${Math.ceil(dearest.ms)}): ${remedies}`;
  problems.push({ path: 'layers', message });
}

function checkBindingCount({ layers, background }: Template, problems: TemplateProblem[]): void {
  const { bindingsMax } = templateLimits;
  let count = 0;
  for (const [, text] of walkStrings({ layers, background })) count += boundNames(text).length;
  if (count <= bindingsMax) return;
  const message = `bind variables ${count} times, the limit is ${bindingsMax}`;
  problems.push({ path: 'layers', message });
}
