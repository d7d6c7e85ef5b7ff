/** Checks conditions: each must name a variable of the template, and compare it with values that it can have. */
import { bindingsIn } from '../bind/bindings.ts';
import { clockWords, questionsIn } from '../bind/conditions.ts';
import type { Conditions } from '../bind/conditions.ts';
import type { Variable } from '../schema/template.ts';
import { expectedDate, parseDateText } from '../values/date-value.ts';
import { parseNumberText } from '../values/scalar-text.ts';
import { liveNeeds, wordsOf } from './clock-rules.ts';
import { suggestName } from './name-suggestions.ts';
import { problemsMax, show } from './template-problems.ts';
import type { TemplateProblem } from './template-problems.ts';
import { valueProblems } from './variable-problems.ts';

/** Adds the problems of conditions. `path` is the JSON path of `conditions`. */
export function checkConditions(
  path: string,
  conditions: Conditions,
  variables: ReadonlyMap<string, Variable>,
  problems: TemplateProblem[],
): void {
  for (const [here, condition] of questionsIn(conditions, path)) {
    if (problems.length >= problemsMax) return;
    const variable = variables.get(condition.variable);
    if (variable === undefined) {
      const names = [...variables.keys()];
      problems.push({ path: here, message: unknownVariable(condition.variable, names) });
      continue;
    }
    const { oneOf = [] } = condition;
    const add = (property: string, message: string | undefined): void => {
      if (message !== undefined) problems.push({ path: `${here}.${property}`, message });
    };
    for (const property of ['equals', 'notEquals'] as const) {
      add(property, comparedProblem(variable, condition[property]));
    }
    for (const [at, text] of oneOf.entries()) {
      const message = comparedProblem(variable, text);
      if (message !== undefined) add(`oneOf[${at}]`, message);
    }
    for (const property of ['greaterThan', 'lessThan'] as const) {
      add(property, boundProblem(variable, condition[property]));
    }
  }
}

function unknownVariable(name: string, names: readonly string[]): string {
  const needs = liveNeeds(name);
  if (needs !== undefined) return `names ${show(name)}, ${needs}`;
  const meant = suggestName(name, names);
  const question = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
  return `names ${show(name)}, but the template has no variable of that name${question}`;
}

/** A bound is a date, `now` or `today` for a date variable, and a number for any other. */
function boundProblem(
  { name, type }: Variable,
  bound: number | string | undefined,
): string | undefined {
  if (bound === undefined) return undefined;
  if (typeof bound === 'string' && bindingsIn(bound).length > 0) return undefined;
  const isRight =
    type === 'date'
      ? typeof bound === 'string' && (clockWords.has(bound) || parseDateText(bound) !== undefined)
      : type !== 'list' && (typeof bound === 'number' || !Number.isNaN(parseNumberText(bound)));
  if (isRight) return undefined;
  const expected = type === 'date' ? `now, today or ${expectedDate}` : 'a number';
  return `is ${show(bound)}, expected ${expected}: ${show(name)} is of the type ${type}`;
}

/** Constants are checked against the variable. Bindings and empty texts are always allowed. */
function comparedProblem(variable: Variable, text: string | undefined): string | undefined {
  if (text === undefined || text === '' || bindingsIn(text).length > 0) return undefined;
  if (variable.type === 'list') {
    return `compares ${show(variable.name)}, which is a list: expected "set"`;
  }
  const words = wordsOf(variable);
  if (words !== undefined && !words.includes(text)) {
    const meant = suggestName(text, words);
    const question = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
    return `is ${show(text)}, expected one of ${words.join(', ')}${question}`;
  }
  const [problem] = valueProblems({ ...variable, value: text });
  return problem === undefined
    ? undefined
    : `${problem}: ${show(variable.name)} has no other values`;
}
