/** Checks a document in all of its sizes. Each size must be valid as a document without sizes. */
import { walkLayers } from '../layer-tree.ts';
import { templateLimits } from '../limits/template-limits.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { documentInSize, overridesOf } from '../sizes.ts';
import { suggestName } from './name-suggestions.ts';
import { checkMeaning } from './template-meaning.ts';
import { problemsMax, show } from './template-problems.ts';
import type { TemplateProblem } from './template-problems.ts';

/** Adds the problems of a document that fits its schema. Messages about a size name it. */
export function checkSizes(template: Template, problems: TemplateProblem[]): void {
  const { sizes = [] } = template;
  const layers = new Map(Array.from(walkLayers(template.layers), ([path, layer]) => [path, layer]));
  const checked = new WeakSet<Layer>();
  checkMeaning(documentInSize(template) ?? template, problems, checked);
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
    const document = documentInSize(template, name);
    const found: TemplateProblem[] = [];
    if (document !== undefined) checkMeaning(document, found, checked);
    for (const { path, message } of found) {
      problems.push({
        path: pathInSize(path, layers, name, index),
        message: `${message} (in the size ${show(name)})`,
      });
    }
  }
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
