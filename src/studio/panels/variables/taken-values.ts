/** Tells which typed values of a variable links take. */
import type { Variable } from '#language/schema/template.ts';

/** Whether links take a typed text, which has the form of its type. */
export function isTaken(variable: Variable, typed: string): boolean {
  if (variable.type === 'list') return isList(typed);
  const { maxLength = Infinity, min = -Infinity, max = Infinity } = variable;
  if (variable.type === 'number') return Number(typed) >= min && Number(typed) <= max;
  return Array.from(typed).length <= maxLength;
}

function isList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
