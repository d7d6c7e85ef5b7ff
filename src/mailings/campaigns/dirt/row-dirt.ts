/** Finds the dirt of rows, as the facts of their list decide: problems of few rows, and sentences about columns. */
import type { ReadingRules } from '../../../render/parse-value.ts';
import type { ListFacts, Problem } from '../campaign.ts';
import { cellDirt } from './cell-dirt.ts';
import type { Dirt, DirtCode } from './dirt.ts';
import { roleOf } from './looked-columns.ts';
import type { LookedColumn } from './looked-columns.ts';
import { hasFamilyName } from './names.ts';
import type { ColumnFacts, ListDirt } from './survey.ts';
import { isDigits, mayLackZeros, otherWritings, strongKindOf, writingOf } from './writings.ts';

/** One sentence about a column, as callers see it. */
export interface ColumnDirt {
  code: DirtCode;
  column: string;
  /** The variable of the column; null for one that is not mapped. */
  variable: string | null;
  rows: number;
  /** The first rows, up to three. */
  first_rows: number[];
  message: string;
  /** Whether it holds for so many rows that it is no problem of each. */
  whole_column: boolean;
}

/** A way of writing in more rows, and in a greater share of the cells that are not empty, is one of the column. */
const columnRowsMin = 20;
const columnShareMin = 0.2;

/** Words that a sentence names at most. */
const wordsMax = 5;

/** Dirt that is a way of writing, and no wrong value: the reader gets what the list says. */
const writingCodes: ReadonlySet<DirtCode> = new Set([
  'NAME_CASE',
  'NAME_ORDER',
  'WHOLE_NAME',
  'MIXED_WRITING',
  'SUSPECT_WORD',
]);

function isWhole({ filled, found }: ColumnFacts, code: DirtCode): boolean {
  if (!writingCodes.has(code)) return false;
  const rows = found[code]?.rows ?? 0;
  return rows >= columnRowsMin && rows > filled * columnShareMin;
}

/** The sentences about columns: dirt of many rows, and words that mean nothing however few they are. */
export function columnDirt(looked: readonly LookedColumn[], { columns }: ListDirt): ColumnDirt[] {
  return looked.flatMap(({ column, name }, at) => {
    const facts = columns[at];
    if (facts === undefined) return [];
    return Object.entries(facts.found).flatMap(([key, { rows, first, what }]): ColumnDirt[] => {
      const code = key as DirtCode;
      const isOfColumn = isWhole(facts, code);
      if (!isOfColumn && code !== 'SUSPECT_WORD') return [];
      const message =
        code === 'SUSPECT_WORD'
          ? `the column "${column}" has words that mean nothing (${wordsOf(facts)}): empty these cells, or list the words in "emptyWords" of the template`
          : `the column "${column}" in ${counted(rows)} of ${counted(facts.filled)} rows ${what}`;
      return [
        {
          code,
          column,
          variable: name ?? null,
          rows,
          first_rows: first,
          message,
          whole_column: isOfColumn,
        },
      ];
    });
  });
}

function wordsOf({ words }: ColumnFacts): string {
  const sorted = Object.entries(words).toSorted(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, wordsMax).map(([word, rows]) => `"${word}" ${counted(rows)} ×`);
  return `${shown.join(', ')}${sorted.length > wordsMax ? ' …' : ''}`;
}

function counted(rows: number): string {
  return rows.toLocaleString('en-US');
}

/** Finds the problems of rows. */
export class RowDirt {
  readonly #looked: readonly LookedColumn[];
  readonly #columns: readonly string[];
  readonly #document: ReadingRules;
  readonly #dirt: ListDirt;
  /** Codes of dirt that is said once, by looked column. */
  readonly #saidOnce: readonly ReadonlySet<string>[];
  readonly #lastNameIndex: number;
  readonly #kinds: readonly (readonly [index: number, kind: string])[];

  constructor(
    looked: readonly LookedColumn[],
    { columns }: Pick<ListFacts, 'columns'>,
    document: ReadingRules,
    dirt: ListDirt,
  ) {
    this.#looked = looked;
    this.#columns = columns;
    this.#document = document;
    this.#dirt = dirt;
    this.#saidOnce = dirt.columns.map(
      (facts) =>
        new Set(Object.keys(facts.found).filter((code) => isWhole(facts, code as DirtCode))),
    );
    this.#lastNameIndex = columns.findIndex((name) => roleOf(name) === 'last');
    const kinds = new Map(Object.entries(dirt.kinds).map(([index, kind]) => [Number(index), kind]));
    for (const { index, role } of looked) {
      if (role === 'email' && !kinds.has(index)) kinds.set(index, 'email');
    }
    this.#kinds = [...kinds];
  }

  /** The problems of a row. One whose cells are shifted has no other dirt. */
  find(cells: readonly string[]): Problem[] {
    const shifted = this.#findShift(cells);
    if (shifted !== undefined) return [shifted];
    const problems: Problem[] = [];
    for (const [at, looked] of this.#looked.entries()) {
      const cell = cells[looked.index] ?? '';
      if (cell === '') continue;
      const dirt = this.#findDirt(at, looked, cell, cells);
      if (dirt === undefined || this.#saidOnce[at]?.has(dirt.code) === true) continue;
      const variable = looked.name ?? looked.column;
      problems.push({ code: dirt.code, variable, message: `"${variable}" ${dirt.what}` });
    }
    return problems;
  }

  #findDirt(
    at: number,
    looked: LookedColumn,
    cell: string,
    cells: readonly string[],
  ): Dirt | undefined {
    const facts = this.#dirt.columns[at];
    const dirt = cellDirt(looked, cell, this.#document);
    if (dirt?.isMaybe === true && facts?.endsAreLost !== true) return undefined;
    if (dirt !== undefined) return dirt;
    if (
      looked.role === 'first' &&
      this.#lastNameIndex > -1 &&
      this.#lastNameIndex !== looked.index
    ) {
      const isWholeName = hasFamilyName(cell, cells[this.#lastNameIndex] ?? '');
      if (isWholeName) return { code: 'WHOLE_NAME', what: wholeName };
    }
    return facts === undefined ? undefined : writingDirt(facts, cell);
  }

  /** A row is shifted if a cell beside a column of addresses or dates has its kind, and the cell of that column has not. */
  #findShift(cells: readonly string[]): Problem | undefined {
    for (const [index, kind] of this.#kinds) {
      const cell = cells[index] ?? '';
      if (strongKindOf(cell) === kind || (kind === 'email' && cell.includes('@'))) continue;
      // People leave a date out, and fill in the one beside it, more often than a row is shifted.
      if (kind === 'date' && cell === '') continue;
      for (const beside of [index - 1, index + 1]) {
        if (this.#dirt.kinds[beside] === kind || strongKindOf(cells[beside] ?? '') !== kind)
          continue;
        const [expected, other] = [this.#columns[index] ?? '', this.#columns[beside] ?? ''];
        // A column for a second address, which few rows have.
        if (kind === 'email' && cell === '' && isOfEmail(other)) continue;
        const message = `the value of "${expected}" stands in "${other}": the cells of the row are shifted by one; look for a cell that is missing or split, and move them back`;
        return { code: 'SHIFTED_ROW', message };
      }
    }
    return undefined;
  }
}

function isOfEmail(column: string): boolean {
  return roleOf(column) === 'email' || /e-?mail/i.test(column);
}

const wholeName =
  'has the family name, too, which has another column: leave the first name alone in this column';

function writingDirt({ found, writing, digits }: ColumnFacts, cell: string): Dirt | undefined {
  if (digits !== undefined && isDigits(cell) && mayLackZeros(cell.length, digits)) {
    return { code: 'LOST_ZERO', what: found.LOST_ZERO?.what ?? '' };
  }
  if (writing === undefined) return undefined;
  const other = writingOf(cell);
  const isOther = other !== undefined && otherWritings[writing].includes(other);
  return isOther ? { code: 'MIXED_WRITING', what: found.MIXED_WRITING?.what ?? '' } : undefined;
}
