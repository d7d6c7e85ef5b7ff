/**
 * Checks stacks that repeat their layers: the list and the `more` layer. Also finds the variables that repeated layers
 * may bind.
 */
import { itemVariables, repeatedList } from '../bind/list-items.ts';
import type { StackLayer } from '../schema/layers.ts';
import type { Variable } from '../schema/template.ts';
import { suggestName } from './name-suggestions.ts';
import { show } from './template-problems.ts';
import type { TemplateProblem } from './template-problems.ts';

type Variables = ReadonlyMap<string, Variable>;

/** Adds the problems of a stack's `repeat`. `outer` is an ancestor that repeats this stack. */
export function checkRepeat(
  path: string,
  stack: StackLayer,
  outer: StackLayer | undefined,
  variables: Variables,
  problems: TemplateProblem[],
): void {
  const { repeat, layers } = stack;
  if (repeat === undefined) return;
  if (outer !== undefined) {
    const message = `repeats inside ${show(outer.id)}, which repeats, too; an item has no lists`;
    problems.push({ path: `${path}.repeat`, message });
  }
  if (variables.get(repeat.list)?.type !== 'list') {
    const lists = [...variables.values()].filter(({ type }) => type === 'list');
    const meant = suggestName(
      repeat.list,
      lists.map(({ name }) => name),
    );
    const question = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
    const message = `is ${show(repeat.list)}, expected a list variable of the template${question}`;
    problems.push({ path: `${path}.repeat.list`, message });
  }
  if (repeat.more !== undefined && !layers.some(({ id }) => id === repeat.more)) {
    const message = `is ${show(repeat.more)}, expected the id of a layer of this stack`;
    problems.push({ path: `${path}.repeat.more`, message });
  }
}

/** The variables that a layer may bind. Layers of a stack that repeats may also bind those of an item. */
export function variablesIn(repeating: StackLayer | undefined, variables: Variables): Variables {
  if (repeating === undefined) return variables;
  const list = repeatedList(repeating.repeat, [...variables.values()]);
  if (list === undefined) return variables;
  const items = itemVariables(list).map((variable) => [variable.name, variable] as const);
  return new Map<string, Variable>([...variables, ...items]);
}

/** Finds what layers may bind once for each stack that repeats, and makes `Scope` of it. */
export function scopesOf<Scope>(
  variables: Variables,
  make: (variables: Variables) => Scope,
): (repeating: StackLayer | undefined) => Scope {
  const scopes = new Map<StackLayer | undefined, Scope>();
  return (repeating) => {
    let scope = scopes.get(repeating);
    if (scope === undefined)
      scopes.set(repeating, (scope = make(variablesIn(repeating, variables))));
    return scope;
  };
}
