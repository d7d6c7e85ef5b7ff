/**
 * Counts the dirt of each column over the whole list, before its rows are proved. What holds for a column is one sentence
 * about it; what holds for few rows is a problem of these rows. Memory is bounded by the columns.
 */
import { hasCheckDigit } from '#language/check-digit.ts';
import type { ReadingRules } from '../../../render/parse-value.ts';
import { meaningOf, normalizeName } from '../../lists/column-names.ts';
import { cellDirt } from './cell-dirt.ts';
import type { DirtCode } from './dirt.ts';
import type { LookedColumn, Role } from './looked-columns.ts';
import {
  checkedLengths,
  dateWritings,
  exampleOf,
  isDigits,
  mayLackZeros,
  numberWritings,
  otherWritings,
  strongKindOf,
  writingOf,
} from './writings.ts';
import type { StrongKind, Writing } from './writings.ts';

/** Dirt of one kind in a column: rows of which it has any, and the first of them. */
export interface FoundRows {
  rows: number;
  first: number[];
}

/** Dirt of one code in a column, with the end of its sentence. */
export interface FoundDirt extends FoundRows {
  what: string;
}

/** What a column is like, as a checkpoint stores it. Absent properties say nothing. */
export interface ColumnFacts {
  /** Cells that are not empty. */
  filled: number;
  found: Partial<Record<DirtCode, FoundDirt>>;
  /** Words that mean nothing, with their rows. */
  words: Record<string, number>;
  /** Whether `?` at the end of a word is a lost letter, because others of the column are. */
  endsAreLost: boolean;
  /** The writing of most dates or numbers, if others have another one. */
  writing?: Writing;
  /** Digits of most codes, if shorter ones have lost zeros. */
  digits?: number;
}

/** Facts of a list: those of the looked columns, and the strong kinds of all columns by index. */
export interface ListDirt {
  columns: ColumnFacts[];
  kinds: Record<number, StrongKind>;
}

/** First rows that a sentence about a column names. */
const firstRowsMax = 3;
/** Cells that a column needs before its kind, its writing or the length of its codes is known. */
const cellsMin = 10;
/** Share of the cells that decides the kind, and the share of its digits that decides the length of codes. */
const kindShareMin = 0.9;
const digitsShareMin = 0.8;
const checkShareMin = 0.95;
/** Digits of a code at least. */
const codeDigitsMin = 4;

/** Cells of digits of one length. */
interface DigitCells extends FoundRows {
  /** Those that begin with a zero, and those whose last digit is the check digit of a product code. */
  zeros: number;
  checked: number;
}

class ColumnCounts {
  filled = 0;
  readonly found = new Map<DirtCode, FoundDirt>();
  readonly maybe: FoundDirt = { rows: 0, first: [], what: '' };
  readonly words = new Map<string, number>();
  readonly writings = new Map<Writing, FoundRows>();
  /** Cells of digits by length. */
  readonly digits = new Map<number, DigitCells>();
}

/** A word as most cells have it. It is of no strong kind, no writing and no code. */
const hasSign = /[\d@:]/;

/** Collects the facts of a list, row by row. */
export class ListSurvey {
  readonly #document: ReadingRules;
  readonly #counts: readonly { looked: LookedColumn; counts: ColumnCounts }[];
  readonly #filled: Uint32Array;
  readonly #kinds: Record<StrongKind, Uint32Array>;
  readonly #countryIndex: number;
  #country: string | undefined;
  #hasCountries = false;

  constructor(looked: readonly LookedColumn[], columns: readonly string[], document: ReadingRules) {
    this.#document = document;
    this.#counts = looked.map((each) => ({ looked: each, counts: new ColumnCounts() }));
    const counts = (): Uint32Array => new Uint32Array(columns.length);
    this.#filled = counts();
    this.#kinds = { email: counts(), web: counts(), date: counts() };
    const country = meaningOf('country');
    this.#countryIndex = columns.findIndex((name) => meaningOf(normalizeName(name)) === country);
  }

  add(row: number, cells: readonly string[]): void {
    for (const [index, cell] of cells.entries()) {
      if (cell === '') continue;
      addOne(this.#filled, index);
      const kind = hasSign.test(cell) ? strongKindOf(cell) : undefined;
      if (kind !== undefined) addOne(this.#kinds[kind], index);
    }
    this.#noteCountry(cells[this.#countryIndex]?.trim() ?? '');
    for (const { looked, counts } of this.#counts) {
      const cell = cells[looked.index] ?? '';
      if (cell !== '') this.#addCell(counts, looked, row, cell);
    }
  }

  #noteCountry(country: string): void {
    if (country === '' || this.#hasCountries) return;
    this.#country ??= country;
    this.#hasCountries = country !== this.#country;
  }

  #addCell(counts: ColumnCounts, looked: LookedColumn, row: number, cell: string): void {
    counts.filled += 1;
    const dirt = cellDirt(looked, cell, this.#document);
    if (dirt !== undefined) {
      let found = dirt.isMaybe === true ? counts.maybe : counts.found.get(dirt.code);
      if (found === undefined)
        counts.found.set(dirt.code, (found = { rows: 0, first: [], what: '' }));
      found.what = dirt.what;
      noteRow(found, row);
      if (dirt.word !== undefined)
        counts.words.set(dirt.word, (counts.words.get(dirt.word) ?? 0) + 1);
      return;
    }
    if (looked.variable?.type !== 'text' || !hasSign.test(cell)) return;
    if (isDigits(cell)) return addDigits(counts, row, cell);
    const writing = writingOf(cell);
    if (writing === undefined) return;
    let found = counts.writings.get(writing);
    if (found === undefined) counts.writings.set(writing, (found = { rows: 0, first: [] }));
    noteRow(found, row);
  }

  conclude(): ListDirt {
    const kinds: ListDirt['kinds'] = {};
    for (const [kind, counts] of Object.entries(this.#kinds) as [StrongKind, Uint32Array][]) {
      for (const [index, count] of counts.entries()) {
        const filled = this.#filled[index] ?? 0;
        if (count >= cellsMin && count >= filled * kindShareMin) kinds[index] = kind;
      }
    }
    const columns = this.#counts.map(({ looked, counts }) => this.#factsOf(counts, looked));
    return { columns, kinds };
  }

  #factsOf(counts: ColumnCounts, { role }: LookedColumn): ColumnFacts {
    const lost = counts.found.get('LOST_LETTERS');
    if (lost !== undefined) {
      lost.rows += counts.maybe.rows;
      lost.first = [...lost.first, ...counts.maybe.first]
        .toSorted((a, b) => a - b)
        .slice(0, firstRowsMax);
    }
    const digits = role === 'zip' && this.#hasCountries ? undefined : codeDigits(counts);
    const writing = mixedWriting(counts);
    if (digits !== undefined) {
      const shorter = shorterCells(counts.digits, digits);
      counts.found.set('LOST_ZERO', { ...joined(shorter), what: lostZero(digits, role) });
    }
    if (writing !== undefined) {
      const cells = otherWritings[writing].flatMap((each) => counts.writings.get(each) ?? []);
      counts.found.set('MIXED_WRITING', { ...joined(cells), what: mixed(writing) });
    }
    return {
      filled: counts.filled,
      found: Object.fromEntries(counts.found),
      words: Object.fromEntries(counts.words),
      endsAreLost: lost !== undefined,
      ...(writing === undefined ? {} : { writing }),
      ...(digits === undefined ? {} : { digits }),
    };
  }
}

function addOne(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

function noteRow(found: FoundRows, row: number): void {
  found.rows += 1;
  if (found.first.length < firstRowsMax) found.first.push(row);
}

/** The rows of several kinds of cells. A row has one cell of a column. */
function joined(cells: readonly FoundRows[]): FoundRows {
  const first = cells.flatMap((each) => each.first).toSorted((a, b) => a - b);
  return { rows: countOf(cells), first: first.slice(0, firstRowsMax) };
}

function countOf(cells: readonly FoundRows[]): number {
  return cells.reduce((sum, { rows }) => sum + rows, 0);
}

function addDigits(counts: ColumnCounts, row: number, cell: string): void {
  const { length } = cell;
  let cells = counts.digits.get(length);
  if (cells === undefined) {
    counts.digits.set(length, (cells = { rows: 0, first: [], zeros: 0, checked: 0 }));
  }
  noteRow(cells, row);
  if (cell.startsWith('0')) cells.zeros += 1;
  if (checkedLengths.includes(length) && hasCheckDigit(cell)) cells.checked += 1;
}

function shorterCells(digits: ColumnCounts['digits'], length: number): DigitCells[] {
  return [...digits].filter(([each]) => mayLackZeros(each, length)).map(([, cells]) => cells);
}

/**
 * The length of a column's codes, if shorter ones have lost zeros. Others that begin with a zero prove it, because no
 * amount does, or the check digits of product codes. A product code of 12 digits is one of 13 without its zero.
 */
function codeDigits({ filled, digits }: ColumnCounts): number | undefined {
  const all = countOf([...digits.values()]);
  const [[length, most] = [0, undefined]] = [...digits].toSorted(([, a], [, b]) => b.rows - a.rows);
  if (most === undefined || length < codeDigitsMin || all < cellsMin) return undefined;
  if (all < filled * digitsShareMin || most.rows < all * digitsShareMin) return undefined;
  const shorter = shorterCells(digits, length);
  if (shorter.length === 0) return undefined;
  const hasZeros = most.zeros > 0 && shorter.every(({ zeros }) => zeros === 0);
  const isChecked = length !== 13 && most.checked >= most.rows * checkShareMin;
  return hasZeros || isChecked ? length : undefined;
}

/** The writing of most dates or numbers of a column that has several; undefined for a text, and for one writing. */
function mixedWriting({ filled, writings }: ColumnCounts): Writing | undefined {
  const rowsOf = (writing: Writing): number => writings.get(writing)?.rows ?? 0;
  for (const kind of [dateWritings, numberWritings]) {
    const all = kind.reduce((sum, writing) => sum + rowsOf(writing), 0);
    if (all < filled / 2) continue;
    const found = kind.filter((each) => rowsOf(each) > 0);
    const isMixed = (each: Writing): boolean =>
      otherWritings[each].some((other) => rowsOf(other) > 0);
    const most = found.toSorted((a, b) => rowsOf(b) - rowsOf(a)).find(isMixed);
    if (most !== undefined) return most;
  }
  return undefined;
}

function lostZero(digits: number, role: Role): string {
  const country = role === 'zip' ? ', unless it is a code of another country' : '';
  return `has fewer than ${digits} digits, unlike the others: a spreadsheet has taken the zeros from the beginning${country}; format the column as text, and export it again`;
}

function mixed(writing: Writing): string {
  return `has a date or a number in another writing than most of its column: write all of them like ${exampleOf[writing]}`;
}
