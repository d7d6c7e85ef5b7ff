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
    const { equals, notEquals, oneOf = [], greaterThan, lessThan } = condition;
    const compared: [property: string, text: string | undefined][] = [
      ['equals', equals],
      ['notEquals', notEquals],
      ...oneOf.map((text, at): [string, string] => [`oneOf[${at}]`, text]),
    ];
    const bounds: [property: string, bound: number | string | undefined][] = [
      ['greaterThan', greaterThan],
      ['lessThan', lessThan],
    ];
    for (const [property, text] of compared) {
      problems.push(...comparedProblems(`${here}.${property}`, variable, text));
    }
    for (const [property, bound] of bounds) {
      problems.push(...boundProblems(`${here}.${property}`, variable, bound));
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
function boundProblems(
  path: string,
  { name, type }: Variable,
  bound: number | string | undefined,
): TemplateProblem[] {
  if (bound === undefined) return [];
  if (typeof bound === 'string' && bindingsIn(bound).length > 0) return [];
  const isRight =
    type === 'date'
      ? typeof bound === 'string' && (clockWords.has(bound) || parseDateText(bound) !== undefined)
      : type !== 'list' && (typeof bound === 'number' || !Number.isNaN(parseNumberText(bound)));
  if (isRight) return [];
  const expected = type === 'date' ? `now, today or ${expectedDate}` : 'a number';
  const message = `is ${show(bound)}, expected ${expected}: ${show(name)} is of the type ${type}`;
  return [{ path, message }];
}

/** Constants are checked against the variable. Bindings and empty texts are always allowed. */
function comparedProblems(
  path: string,
  variable: Variable,
  text: string | undefined,
): TemplateProblem[] {
  if (text === undefined || text === '' || bindingsIn(text).length > 0) return [];
  if (variable.type === 'list') {
    return [{ path, message: `compares ${show(variable.name)}, which is a list: expected "set"` }];
  }
  const words = wordsOf(variable);
  if (words !== undefined && !words.includes(text)) {
    const meant = suggestName(text, words);
    const question = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
    return [{ path, message: `is ${show(text)}, expected one of ${words.join(', ')}${question}` }];
  }
  return valueProblems({ ...variable, value: text }).map((problem) => ({
    path,
    message: `${problem}: ${show(variable.name)} has no other values`,
  }));
}
