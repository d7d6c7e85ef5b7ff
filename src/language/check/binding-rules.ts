/** Checks bindings: unknown variables and invalid formats. */
import { itemPrefix } from '../values/list-value.ts';
import { boundTextsIn } from '../bind/bindings.ts';
import { itemCounters } from '../bind/list-items.ts';
import type { Variable } from '../schema/template.ts';
import { compileBinding } from '../values/formatted-binding.ts';
import { liveNeeds } from './clock-rules.ts';
import { suggestName } from './name-suggestions.ts';
import { problemsMax } from './template-problems.ts';
import type { TemplateProblem } from './template-problems.ts';

/** Adds the problems of all bindings in an object, without a layer's children. `path` is the JSON path of `owner`; empty for the document. */
export function checkBindings(
  path: string,
  owner: object,
  variables: ReadonlyMap<string, Variable>,
  problems: TemplateProblem[],
): void {
  for (const { path: property, sources } of boundTextsIn(owner)) {
    for (const source of sources) {
      if (problems.length >= problemsMax) return;
      const message = bindingProblem(source, variables);
      if (message === undefined) continue;
      problems.push({ path: path === '' ? property.slice(1) : path + property, message });
    }
  }
}

/** The problem of a binding, as words that follow its path; undefined if there is none. */
export function bindingProblem(
  source: string,
  variables: ReadonlyMap<string, Variable>,
): string | undefined {
  const { name, problem } = variables.has(source)
    ? { name: source, problem: undefined }
    : compileBinding(source);
  const variable = variables.get(name);
  if (variable?.type === 'list') {
    const [field] = variable.fields;
    return `binds {{${name}}}, which is a list; bind its fields, such as {{${itemPrefix}${field?.name ?? ''}}}, in a stack that repeats it`;
  }
  if (variable !== undefined) return problem?.();
  const needs = liveNeeds(name);
  if (needs !== undefined) return `binds {{${name}}}, ${needs}`;
  const meant = suggestName(name, [...variables.keys()]);
  const question = meant === undefined ? '' : `; did you mean {{${meant}}}?`;
  if (!name.startsWith(itemPrefix)) {
    return `binds {{${name}}}, but the template has no variable of that name${question}`;
  }
  return variables.has(itemCounters[0])
    ? `binds {{${name}}}, but the items of the list have no field of that name${question}`
    : `binds {{${name}}}, which only the layers of a stack that repeats a list have`;
}
