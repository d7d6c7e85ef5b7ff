/** Finds the property that makes a document too long: the one that has grown most since its last valid state. */
import { walkLayers, withoutChildren } from '../layer-tree.ts';
import { utf8Bytes } from '../limits/layer-costs.ts';
import { templateLimits } from '../limits/template-limits.ts';
import type { Template, Variable } from '../schema/template.ts';
import type { TemplateProblem } from './template-problems.ts';

type Parts = Record<string, unknown>;

const { documentBytesMax } = templateLimits;

/** The problem of a document with too much text, such as a pasted image or list: at the property that has grown most. */
export function sizeProblems(document: Template, last: Template): TemplateProblem[] {
  const text = JSON.stringify(document);
  // A character takes at most three bytes for each of its UTF-16 units.
  const bytes = text.length * 3 > documentBytesMax ? utf8Bytes(text) : 0;
  if (bytes <= documentBytesMax) return [];
  const grown = ownersOf(document, last).flatMap(({ start, owner, before }) =>
    Object.entries(owner).map(([name, value]) => ({
      path: `${start}${name}`,
      growth: lengthOf(value) - lengthOf(before?.[name]),
    })),
  );
  const most = grown.toSorted((one, other) => other.growth - one.growth)[0];
  const path = most === undefined || most.growth <= 0 ? '(document)' : most.path;
  const message = `makes the document ${bytes} bytes long, at most ${documentBytesMax} are allowed; upload images as assets`;
  return [{ path, message }];
}

/** The objects whose properties are text of a document, the start of their paths, and their earlier states. */
function ownersOf(
  document: Template,
  last: Template,
): { start: string; owner: Parts; before: Parts | undefined }[] {
  const known = new Map(Array.from(walkLayers(last.layers), ([, layer]) => [layer.id, layer]));
  const { layers: _layers, variables: _variables, ...settings } = document;
  return [
    { start: '', owner: settings, before: last },
    ...document.variables.map((variable, index) => ({
      start: `variables[${index}].`,
      owner: variable as unknown as Parts,
      before: earlierOf(variable, last) as Parts | undefined,
    })),
    ...Array.from(walkLayers(document.layers), ([at, layer]) => ({
      start: `${at}.`,
      owner: withoutChildren(layer) as unknown as Parts,
      before: known.get(layer.id) as Parts | undefined,
    })),
  ];
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** The same variable in an earlier document: of its name and type. */
export function earlierOf({ name, type }: Variable, last: Template): Variable | undefined {
  return last.variables.find((each) => each.name === name && each.type === type);
}
