/** What a list is: its format as detected, its columns, and its rows in batches. */
import { AppError } from '../foundation/errors.ts';

/** How a list was read, to show and to write it back alike. */
export type ListFormat = CsvFormat | JsonLinesFormat | XlsxFormat;

export interface CsvFormat extends CsvDialect {
  kind: 'csv';
  /** A label of the WHATWG Encoding Standard: `utf-8`, `windows-1252`, `shift_jis`. */
  encoding: string;
  hasBom: boolean;
  /** False where the first row is data; the columns are then called `Column A`, `Column B`. */
  hasHeader: boolean;
}

/** How cells are separated and quoted. */
export interface CsvDialect {
  separator: string;
  quote: '"' | "'";
  newline: '\r\n' | '\n' | '\r';
}

export interface JsonLinesFormat {
  kind: 'json-lines';
  encoding: string;
}

export interface XlsxFormat {
  kind: 'xlsx';
  /** The sheet that is read, and all visible ones. */
  sheet: string;
  sheets: string[];
  hasHeader: boolean;
}

export interface ListOptions {
  /** A media type: of its parameters `charset` and `header` count (RFC 4180), of the type whether it is JSON lines. */
  contentType?: string;
  /** A label of the WHATWG Encoding Standard; detected when absent. */
  encoding?: string;
  /** Detected when absent. */
  separator?: string;
  /** Whether the first row has the names of the columns; detected when absent. */
  hasHeader?: boolean;
  /** The name of a sheet of an XLSX; the first visible one when absent. */
  sheet?: string;
}

/** A row with as many values as the list has columns. An empty or absent cell is an empty text. */
export interface ListRow {
  /**
   * The number of the row below the header, from 1. A cell with line breaks does not start a row; an empty row counts
   * and is not delivered. So the number at the edge of a spreadsheet is `list.headerRow + row`.
   */
  row: number;
  /** The line of the file on which the row starts, from 1; of an XLSX the number at the edge of the sheet. */
  line: number;
  values: string[];
}

export const rowProblemCauses = [
  'too-few-cells',
  'too-many-cells',
  'too-long',
  'lost-characters',
  'formula-error',
  'formula-without-result',
  'not-json',
] as const;

/** A row that cannot be used; the others are not affected. */
export interface RowProblem {
  row: number;
  line: number;
  cause: (typeof rowProblemCauses)[number];
  /** The name of the column at fault, where it is one. */
  column?: string;
  message: string;
}

/** A fault of the header that the reader repaired. */
export interface HeaderProblem {
  /** The number of the column, from 1. */
  column: number;
  cause: 'empty-name' | 'duplicate-name' | 'no-header' | 'title';
  message: string;
}

export interface ListBatch {
  rows: ListRow[];
  problems: RowProblem[];
  /** Bytes of the file that are read so far, of `List.bytes`. */
  bytesRead: number;
}

export interface List {
  readonly format: ListFormat;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Distinct names, none empty. */
  readonly columns: readonly string[];
  /** The row of the spreadsheet that has the names, from 1; 0 without one. */
  readonly headerRow: number;
  readonly headerProblems: readonly HeaderProblem[];
  /**
   * Reads the rows from the start of the file; may be called again. Throws an `AppError` where the file cannot be read
   * any further, or where it passes a limit: what came before must then be discarded.
   */
  batches: () => AsyncGenerator<ListBatch, void, void>;
}

/** A file that cannot be read as a list: 400. */
export function unreadable(message: string): AppError {
  return new AppError('BAD_REQUEST', message, { reason: 'list' });
}

/** A file that passes a limit of lists: 413. */
export function tooLarge(message: string): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', message, { reason: 'list' });
}

/** `1,000,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
