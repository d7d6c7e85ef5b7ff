/**
 * What each column of a list says of its numbers and dates. Those with one reading decide for those with two, such as
 * `1.234` and `03/04/2027`.
 */
import { unambiguousDate, writtenOrder } from '#language/values/date-value.ts';
import type { DateOrder } from '#language/values/date-value.ts';
import {
  hasTwoReadings,
  provenDecimal,
  readNumber,
  unambiguousNumber,
} from '#language/values/read-number.ts';
import type { DecimalSign } from '#language/values/read-number.ts';

/** What the cells of a column prove, `mixed` if they prove both; null if they prove none. */
export type Proven<Reading> = Reading | 'mixed' | null;
/** The sign before decimals of a column. */
export type ColumnDecimal = Proven<DecimalSign>;
/** Whether the dates of a column begin with the day or the month. */
export type ColumnOrder = Proven<DateOrder>;

/** Whether a cell may be a number with a sign in it, or a date: a fast path, because most cells are words. */
const maybeNumber = /\d[.,٫٬'’\s]\d/;
const maybeDate = /\p{Nd}[/-]\p{Nd}/u;

/** Collects what the cells of each column prove. */
export class ColumnReadings {
  readonly #decimals: ColumnDecimal[];
  readonly #orders: ColumnOrder[];

  constructor(columnCount: number) {
    this.#decimals = Array.from({ length: columnCount }, () => null);
    this.#orders = Array.from({ length: columnCount }, () => null);
  }

  add(cells: readonly string[]): void {
    for (const [index, cell] of cells.entries()) {
      if (maybeNumber.test(cell)) note(this.#decimals, index, provenDecimal(cell));
      if (!maybeDate.test(cell)) continue;
      const order = writtenOrder(cell);
      if (order !== 'either') note(this.#orders, index, order);
    }
  }

  /** The signs. Numbers of programs, in `pointColumns`, have a point before their decimals. */
  decimals(pointColumns: Iterable<number>): ColumnDecimal[] {
    for (const index of pointColumns) note(this.#decimals, index, '.');
    return this.#decimals;
  }

  orders(): ColumnOrder[] {
    return this.#orders;
  }
}

/** What several columns prove together, such as those of one field of a list. */
export function provenTogether<Reading>(columns: readonly Proven<Reading>[]): Proven<Reading> {
  const proven = new Set(columns.filter((column) => column !== null));
  const [first = null] = proven;
  return proven.size > 1 ? 'mixed' : first;
}

function note<Reading>(
  columns: Proven<Reading>[],
  index: number,
  proven: Reading | undefined,
): void {
  const known = columns[index];
  if (proven === undefined || known === undefined || known === proven) return;
  columns[index] = known === null ? proven : 'mixed';
}

/** Digits with one sign between them, in any script. */
const writtenDigits = /\p{Nd}+[.,．，،]\p{Nd}{3}/u;

/** A number with two readings in the form that its column decides, with its currency; any other cell as it is. */
export function decidedNumber(cell: string, decimal: ColumnDecimal): string {
  if (decimal === null || decimal === 'mixed' || !hasTwoReadings(cell)) return cell;
  return cell.replace(writtenDigits, (digits) =>
    unambiguousNumber(readNumber(digits, decimal) ?? digits),
  );
}

/** A date with two readings in the form that its column decides; any other cell as it is. */
export function decidedDate(cell: string, order: ColumnOrder): string {
  const isDecided = order !== null && order !== 'mixed' && writtenOrder(cell) === 'either';
  return isDecided ? unambiguousDate(cell, order) : cell;
}
