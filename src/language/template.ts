/** Checks a template document and reports its problems by JSON path. */
import { bindableLayerSchemas } from './schema/bindable.ts';
import { isParent } from './layer-tree.ts';
import type { Layer } from './schema/layers.ts';
import { withComposedNames } from './bind/composed-names.ts';
import { suggestName } from './check/name-suggestions.ts';
import { checkSizes } from './check/size-rules.ts';
import { findProblems, problemsMax, show } from './check/template-problems.ts';
import type { CheckSteps, TemplateProblem } from './check/template-problems.ts';
import { templateLimits } from './limits/template-limits.ts';
import { TemplateShell } from './schema/template.ts';
import type { Template } from './schema/template.ts';
import { createValidator } from './schema/validator.ts';

export type TemplateParse =
  | { ok: true; template: Template }
  | { ok: false; problems: TemplateProblem[] };

const shellValidator = createValidator(TemplateShell);
const layerValidators = new Map(
  Object.entries(bindableLayerSchemas).map(([type, schema]) => [
    type,
    { schema, validator: createValidator(schema) },
  ]),
);

/**
 * Validates a parsed JSON value against the template language. Reports at most 20 problems and never throws. The value
 * is not changed, and a valid one is returned as the same object, unless its names get another normal form. `known` has
 * layers that fit their schema and never change, as in the documents of an editor: they are not checked against it
 * again. Adds those that fit.
 */
export function checkTemplate(value: unknown, known?: WeakSet<Layer>): TemplateParse {
  const steps = templateSteps(value, known);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As `checkTemplate`, in steps of a few milliseconds at most, for a thread that has other work. */
export function* templateSteps(
  value: unknown,
  known?: WeakSet<Layer>,
): Generator<undefined, TemplateParse> {
  const problems = findProblems('', TemplateShell, value, shellValidator);
  if (problems.length > 0) return { ok: false, problems };
  yield;
  const template = value as Template;
  yield* checkLayers(template.layers, 'layers', 0, problems, known);
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, problemsMax) };
  const named = withComposedNames(template);
  yield* checkSizes(named, problems);
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, problemsMax) };
  return { ok: true, template: named };
}

function* checkLayers(
  layers: readonly Layer[],
  path: string,
  depth: number,
  problems: TemplateProblem[],
  known: WeakSet<Layer> | undefined,
): CheckSteps {
  for (const [index, layer] of layers.entries()) {
    if (problems.length >= problemsMax) return;
    if (index > 0) yield;
    const here = `${path}[${index}]`;
    const entry = layerValidators.get(layer.type);
    if (entry === undefined) {
      const types = [...layerValidators.keys()];
      const meant = suggestName(layer.type, types);
      const question = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
      const message = `is ${show(layer.type)}, expected one of ${types.join(', ')}${question}`;
      problems.push({ path: `${here}.type`, message });
      continue;
    }
    const isKnown = known?.has(layer) === true;
    const found = isKnown ? [] : findProblems(here, entry.schema, layer, entry.validator);
    problems.push(...found);
    if (found.length === 0) known?.add(layer);
    if (!isParent(layer) || found.length > 0) continue;
    if (depth >= templateLimits.nestingMax) {
      const message = `groups and stacks are nested deeper than ${templateLimits.nestingMax}`;
      problems.push({ path: here, message });
      continue;
    }
    yield* checkLayers(layer.layers, `${here}.layers`, depth + 1, problems, known);
  }
}
