/** Reads values of JSON as cells. */
import { formatCount, tooLarge } from '../list.ts';
import { listLimits } from '../list-limits.ts';

/** Parses JSON. Numbers that could lose digits stay texts. Throws a `SyntaxError`, or a `RangeError` for deep nesting. */
export function parseJson(text: string): unknown {
  // The reviver is much slower. It is needed only if a number may lose digits: 19.90, 1e3, 12345678901234567890.
  return /\d[.eE]|\d{16}/.test(text)
    ? JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1])
    : JSON.parse(text);
}

/** A reviver of `JSON.parse` that keeps numbers as text (ES2025). */
function keepDigits(_: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? source : value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lists and objects stay JSON; null and an absent value are an empty text. Throws a `RangeError` for deep nesting. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object'
    ? JSON.stringify(value)
    : `${value as string | number | boolean}`;
}

/** Throws for the first cell that is too long. */
export function checkCells(
  cells: readonly string[],
  columns: readonly string[],
  line: number,
): void {
  const long = cells.findIndex((cell) => cell.length > listLimits.cellCharactersMax);
  if (long === -1) return;
  throw tooLarge(
    `"${columns[long] ?? `cell ${long + 1}`}" on line ${formatCount(line)} has more than ${formatCount(listLimits.cellCharactersMax)} characters, the limit of a cell.`,
  );
}
