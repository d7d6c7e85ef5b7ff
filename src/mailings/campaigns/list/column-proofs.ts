/** What the values of each column of a list prove about those of its values that have two readings. */
import {
  hasTwoReadings,
  provenDecimal,
  readNumber,
  unambiguousNumber,
} from '#language/values/read-number.ts';
import type { DecimalSign } from '#language/values/read-number.ts';
import { unambiguousDate, writtenOrder } from '#language/values/date-value.ts';
import type { DateOrder } from '#language/values/date-value.ts';

/** What a column proves, `mixed` if its values prove both; null if they prove none. */
type Proof<Form> = Form | 'mixed' | null;

/** The sign before decimals of a column of numbers. */
export type ColumnDecimal = Proof<DecimalSign>;

/** Whether the day or the month comes first in a column of dates. */
export type ColumnOrder = Proof<DateOrder>;

/** Collects what the cells of each column prove. */
export class ColumnProofs<Form> {
  readonly #columns: Proof<Form>[];
  readonly #maybe: RegExp;
  readonly #proven: (cell: string) => Form | undefined;

  /** Asks `proven` about cells that match `maybe`, a fast path: most cells are words. */
  constructor(columnCount: number, maybe: RegExp, proven: (cell: string) => Form | undefined) {
    this.#columns = Array.from({ length: columnCount }, () => null);
    this.#maybe = maybe;
    this.#proven = proven;
  }

  add(cells: readonly string[]): void {
    for (const [index, cell] of cells.entries()) {
      if (this.#maybe.test(cell)) this.note(index, this.#proven(cell));
    }
  }

  note(index: number, proven: Form | undefined): void {
    const known = this.#columns[index];
    if (proven === undefined || known === undefined || known === proven) return;
    this.#columns[index] = known === null ? proven : 'mixed';
  }

  get columns(): readonly Proof<Form>[] {
    return this.#columns;
  }
}

/** How the numbers of each column write decimals. */
export function columnDecimals(columnCount: number): ColumnProofs<DecimalSign> {
  return new ColumnProofs(columnCount, /\d[.,٫٬'’\s]\d/, provenDecimal);
}

/** In which order the dates of each column have day and month. */
export function columnOrders(columnCount: number): ColumnProofs<DateOrder> {
  return new ColumnProofs(columnCount, /\p{Nd}[/-]\p{Nd}{1,2}[/-]/u, (cell) => {
    const order = writtenOrder(cell);
    return order === 'either' ? undefined : order;
  });
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
  if (order === null || order === 'mixed' || writtenOrder(cell) !== 'either') return cell;
  return unambiguousDate(cell, order);
}
