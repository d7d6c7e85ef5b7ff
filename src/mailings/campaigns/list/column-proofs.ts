/** How each column of a list writes decimals. Its numbers with one reading decide for those with two, such as `1.234`. */
import {
  hasTwoReadings,
  provenDecimal,
  readNumber,
  unambiguousNumber,
} from '#language/values/read-number.ts';
import type { DecimalSign } from '#language/values/read-number.ts';

/** The sign before decimals of a column, `mixed` if its numbers prove both; null if they prove none. */
export type ColumnDecimal = DecimalSign | 'mixed' | null;

/** Whether a cell may be a number with a sign in it: a fast path, because most cells are words. */
const maybeNumber = /\d[.,٫٬'’\s]\d/;

/** Collects what the cells of each column prove. */
export class ColumnDecimals {
  readonly #columns: ColumnDecimal[];

  constructor(columnCount: number) {
    this.#columns = Array.from({ length: columnCount }, () => null);
  }

  add(cells: readonly string[]): void {
    for (const [index, cell] of cells.entries()) {
      if (maybeNumber.test(cell)) this.#note(index, provenDecimal(cell));
    }
  }

  /** The signs. Numbers of programs, in `pointColumns`, have a point before their decimals. */
  signs(pointColumns: Iterable<number>): ColumnDecimal[] {
    for (const index of pointColumns) this.#note(index, '.');
    return this.#columns;
  }

  #note(index: number, proven: DecimalSign | undefined): void {
    const known = this.#columns[index];
    if (proven === undefined || known === undefined || known === proven) return;
    this.#columns[index] = known === null ? proven : 'mixed';
  }
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
