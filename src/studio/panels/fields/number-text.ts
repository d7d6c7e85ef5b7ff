/** Reads and writes numbers as people do: parts as percent, a comma for the point, small sums. */
import type { FieldKind } from './schema-fields.ts';

/** A field of a number. */
export type NumberKind = Extract<FieldKind, { type: 'number' }>;

/** A value as the field shows it: parts as percent, at most three decimals. */
export function showNumber({ isPart }: NumberKind, value: number): string {
  return String(Math.round(value * (isPart ? 100 : 1) * 1000) / 1000);
}

/**
 * What somebody has typed, as the document has it: `12,5`, `50 %` of a part, `12px`, and sums of two numbers such as
 * `600/2`. Bounds are the service's business. Undefined for what is no number.
 */
export function parseNumber({ isPart, whole }: NumberKind, text: string): number | undefined {
  const plain = text
    .trim()
    .replaceAll(',', '.')
    .replace(/\s*(px|°|%|×|s)$/, '');
  const match = /^(-?\d*\.?\d+)(?:\s*([-+*/])\s*(-?\d*\.?\d+))?$/.exec(plain);
  if (match === null) return undefined;
  const [, first, operator, second] = match;
  const sum =
    operator === undefined ? Number(first) : reckon(Number(first), operator, Number(second));
  if (!Number.isFinite(sum)) return undefined;
  const value = Math.round((isPart ? sum / 100 : sum) * 100_000) / 100_000;
  return whole ? Math.round(value) : value;
}

function reckon(first: number, operator: string, second: number): number {
  switch (operator) {
    case '+':
      return first + second;
    case '-':
      return first - second;
    case '*':
      return first * second;
    default:
      return first / second;
  }
}
