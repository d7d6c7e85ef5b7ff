/** Finds the most expensive values that a link can give to the variables of a template. */
import type { Variable } from '../schema/template.ts';
import { templateLimits } from './template-limits.ts';

/** Maximum characters of a value that is no text: a number, a colour, a boolean, a date. */
const plainLengths: Partial<Record<Variable['type'], number>> = {
  number: 32,
  color: 9,
  boolean: 5,
  date: 100,
};

/**
 * The cost of the most expensive values that one link can give, in µs. `valueUs` is the cost of a code point of each
 * variable. `names` are the text variables, most expensive first.
 */
export function longestValues(
  valueUs: ReadonlyMap<string, number>,
  variables: readonly Variable[],
): { us: number; names: string[] } {
  const bound = variables.flatMap((variable) => {
    const us = valueUs.get(variable.name);
    return us === undefined ? [] : [{ variable, us }];
  });
  let codePointsLeft: number = templateLimits.valuesCodePointsMax;
  let sum = 0;
  const shares: { name: string; us: number }[] = [];
  for (const { variable, us } of bound.toSorted((a, b) => b.us - a.us)) {
    const codePoints = codePointsMax(variable);
    if (variable.type !== 'text') {
      sum += codePoints * us;
      continue;
    }
    const taken = Math.min(codePoints, codePointsLeft);
    codePointsLeft -= taken;
    sum += taken * us;
    shares.push({ name: variable.name, us: taken * us });
  }
  return { us: sum, names: shares.toSorted((a, b) => b.us - a.us).map(({ name }) => name) };
}

function codePointsMax(variable: Variable): number {
  const { type } = variable;
  if (type === 'text') return variable.maxLength ?? templateLimits.valueCodePointsMax;
  // Addresses have no separate limit: a layer truncates them.
  return plainLengths[type] ?? templateLimits.layerCodePointsMax;
}
