/** Tells which typed values of a variable links take. */
import { composed } from '#language/normal-form.ts';
import type { Variable } from '#language/schema/template.ts';

/** Whether links take a typed text, which has the form of its type. */
export function isTaken(variable: Variable, typed: string): boolean {
  return variable.type === 'list' ? isList(typed) : limitProblem(variable, typed) === undefined;
}

/** Returns the limit of a variable that a typed text exceeds, as a sentence; undefined for a text within the limits. */
export function limitProblem(variable: Variable, typed: string): string | undefined {
  if (variable.type === 'list') return undefined;
  const { type, maxLength = Infinity, min = -Infinity, max = Infinity } = variable;
  const isWithin =
    type === 'number'
      ? Number(typed) >= min && Number(typed) <= max
      : Array.from(composed(typed)).length <= maxLength;
  return isWithin ? undefined : `The limit is ${limitWords(variable)}.`;
}

/** Describes the limits of a value; empty without any. */
export function limitWords(variable: Variable): string {
  if (variable.type === 'list') return '';
  const { maxLength, min, max } = variable;
  if (maxLength !== undefined) return `at most ${maxLength} characters`;
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? '' : `at most ${max}`;
}

function isList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
