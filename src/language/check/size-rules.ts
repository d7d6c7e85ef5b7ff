/** Checks a document in all of its sizes. Each size must be valid as a document without sizes. */
import { boundTextsIn } from '../bind/bindings.ts';
import { shareClockUse } from '../clock/clock-use.ts';
import { walkLayers } from '../layer-tree.ts';
import type { WalkedLayer } from '../layer-tree.ts';
import { pathedLayers } from '../limits/frame-work.ts';
import { checkBudgets } from '../limits/template-budgets.ts';
import type { LayerCosts } from '../limits/template-budgets.ts';
import { templateLimits } from '../limits/template-limits.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { documentInSize, overridesOf } from '../sizes.ts';
import { checkAnimation } from './animation-rules.ts';
import { checkBindings } from './binding-rules.ts';
import { withLiveVariables } from './clock-rules.ts';
import { checkDefaults } from './default-rules.ts';
import { suggestName } from './name-suggestions.ts';
import { scopesOf } from './repeat-rules.ts';
import { checkBox } from './stack-rules.ts';
import { checkMeaning } from './template-meaning.ts';
import { problemsMax, show } from './template-problems.ts';
import type { CheckSteps, TemplateProblem } from './template-problems.ts';

/** Adds the problems of a document that fits its schema, in steps. Messages about a size name it. */
export function* checkSizes(template: Template, problems: TemplateProblem[]): CheckSteps {
  const { sizes = [] } = template;
  const layers = new Map(Array.from(walkLayers(template.layers), ([path, layer]) => [path, layer]));
  const design = documentInSize(template) ?? template;
  const costs: LayerCosts = new Map();
  yield* checkMeaning(design, problems, costs);
  const names = sizes.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) === index) continue;
    const message = `is ${show(name)} again, expected a unique one`;
    problems.push({ path: `sizes[${index}].name`, message });
  }
  for (const [path, layer] of layers) {
    for (const name of Object.keys(layer.bySize ?? {})) {
      if (problems.length >= problemsMax) return;
      if (!names.includes(name)) {
        problems.push({ path: `${path}.bySize.${name}`, message: unknownSize(name, names) });
      }
    }
  }
  for (const [index, { name }] of sizes.entries()) {
    // Problems of the design would be reported again for each size.
    if (problems.length > 0) return;
    yield;
    const document = documentInSize(template, name);
    const found: TemplateProblem[] = [];
    if (document !== undefined) yield* checkSize(design, document, layers, name, found, costs);
    for (const { path, message } of found) {
      problems.push({
        path: pathInSize(path, layers, name, index),
        message: `${message} (in the size ${show(name)})`,
      });
    }
  }
}

/**
 * Adds the problems of what a size changes: the canvas, and the properties of layers that `bySize` gives. All else is as
 * in the design, which is valid. `layers` are those of the whole document by path.
 */
function* checkSize(
  design: Template,
  document: Template,
  layers: ReadonlyMap<string, Layer>,
  name: string,
  problems: TemplateProblem[],
  costs: LayerCosts,
): CheckSteps {
  const overrides = (path: string): object => {
    const layer = layers.get(path);
    return layer === undefined ? {} : overridesOf(layer, name);
  };
  const changed = Array.from(walkLayers(document.layers)).filter(
    ([path]) => Object.keys(overrides(path)).length > 0,
  );
  const binding = changed.filter(([path]) => boundTextsIn(overrides(path)).length > 0);
  const bindsNoMore = binding.length === 0;
  if (bindsNoMore) shareClockUse(design, document);
  yield* checkBudgets(document, pathedLayers(document), problems, costs, bindsNoMore);
  const scopeOf = scopesOf(withLiveVariables(document), (scope) => scope);
  for (const [path, layer, parent, repeating] of changed) {
    if (problems.length >= problemsMax) return;
    checkBox(path, layer, parent, problems);
    checkBindings(path, overrides(path), scopeOf(repeating), problems);
    yield;
  }
  checkAnimation(document, problems, true);
  if (problems.length > 0 || bindsNoMore) return;
  const parts = binding.map(([path, { id, type }, ...around]): WalkedLayer => {
    // An SVG layer has the properties of a rectangle in its sizes, and its markup is not checked again.
    const part = { id, type: type === 'svg' ? 'rect' : type, ...overrides(path) };
    return [path, part as unknown as Layer, ...around];
  });
  yield* checkDefaults(document, parts, problems);
}

function unknownSize(name: string, names: readonly string[]): string {
  const meant = suggestName(name, names);
  if (meant !== undefined) return `is no size of the template; did you mean ${show(meant)}?`;
  return names.length === 0
    ? `is no size of the template, which has none: add it to "sizes", with at most ${templateLimits.sizesMax} in all`
    : `is no size of the template; it has ${names.join(', ')}`;
}

/** Translates a path in the document of a size into a path in the whole document. */
function pathInSize(
  path: string,
  layers: ReadonlyMap<string, Layer>,
  size: string,
  index: number,
): string {
  if (path === 'width' || path === 'height') return `sizes[${index}].${path}`;
  const [, layerPath = '', property = '', rest = ''] =
    /^(layers\[\d+\](?:\.layers\[\d+\])*)\.(\w+)(.*)$/.exec(path) ?? [];
  const layer = layers.get(layerPath);
  const isOverridden = layer !== undefined && Object.hasOwn(overridesOf(layer, size), property);
  return isOverridden ? `${layerPath}.bySize.${size}.${property}${rest}` : path;
}
