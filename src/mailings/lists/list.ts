/** Types of a list: its detected format, its columns, and its rows in batches. */
import { AppError } from '../../foundation/errors.ts';

/** The format in which a list was read, to show it and to write rows in the same format. */
export type ListFormat = CsvFormat | JsonLinesFormat | JsonFormat | VcardFormat | WorkbookFormat;

export interface CsvFormat extends CsvDialect {
  kind: 'csv';
  /** A label such as `utf-8`, `windows-1252`, `cp850`. */
  encoding: string;
  hasBom: boolean;
  /** False if the first row is data. The columns then have the names `Column A`, `Column B` and so on. */
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

/** One JSON document: an array of objects, or of arrays. */
export interface JsonFormat {
  kind: 'json';
  encoding: string;
  /** Of an array of arrays: whether the first has the names of the columns. */
  hasHeader?: boolean;
}

export interface VcardFormat {
  kind: 'vcard';
  /** Of values without a character set of their own. */
  encoding: string;
}

export interface WorkbookFormat {
  kind: 'xlsx' | 'ods';
  /** The sheet that is read. `sheets` are all visible ones. */
  sheet: string;
  sheets: string[];
  hasHeader: boolean;
  /** No sheet was named, and several have rows: a person has to choose. */
  isSheetDoubted?: true;
}

export interface ListOptions {
  /**
   * A media type. Its parameters `charset` and `header` (RFC 4180) are used, and whether it means JSON, JSON lines or
   * tab-separated values.
   */
  contentType?: string;
  /** A label such as `windows-1252` or `cp850`. Default: detected. */
  encoding?: string;
  /** Default: detected. */
  separator?: string;
  /** Whether the first row has the names of the columns. Default: detected. */
  hasHeader?: boolean;
  /** The name of a sheet of an XLSX or ODS. Default: the first visible sheet with rows. */
  sheet?: string;
}

/** A row with as many values as the list has columns. An empty or absent cell is an empty text. */
export interface ListRow {
  /**
   * The number of the row below the header, from 1. A cell with line breaks does not start a row. An empty row counts,
   * but batches do not contain it. The number at the edge of a spreadsheet is therefore `list.headerRow + row`.
   */
  row: number;
  /** The line of the file on which the row starts, from 1. In a workbook, the row number at the edge of the sheet. */
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
  'not-vcard',
] as const;

/** A row that cannot be used. It does not affect other rows. */
export interface RowProblem {
  row: number;
  line: number;
  cause: (typeof rowProblemCauses)[number];
  /** The name of the column with the problem; undefined if the problem concerns the whole row. */
  column?: string;
  message: string;
}

/** A problem of the header that the reader corrected. */
export interface HeaderProblem {
  /** The number of the column, from 1. */
  column: number;
  cause: 'empty-name' | 'duplicate-name' | 'no-header' | 'title';
  message: string;
}

export interface ListBatch {
  rows: ListRow[];
  problems: RowProblem[];
  /** Bytes of the file read so far, at most `List.bytes`. */
  bytesRead: number;
}

/** Encodings that are about as likely as each other, the chosen one first, with the first cells that differ. */
export interface EncodingDoubt {
  readings: { encoding: string; cells: string[] }[];
}

export interface List {
  readonly format: ListFormat;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Distinct names; none is empty. */
  readonly columns: readonly string[];
  /** The row of the spreadsheet that has the names, from 1; 0 without a header. */
  readonly headerRow: number;
  readonly headerProblems: readonly HeaderProblem[];
  /** Other encodings in which the file may be; absent if the encoding is sure. */
  readonly encodingDoubt?: EncodingDoubt;
  /** Indexes of columns with numbers of a program, not of people. Of a workbook, those of the rows that were read. */
  readonly numberColumns?: ReadonlySet<number>;
  /**
   * Reads the rows from the start of the file, at each call again. Throws an `AppError` if the file becomes unreadable
   * or exceeds a limit; the caller must then discard the earlier batches.
   */
  batches: () => AsyncGenerator<ListBatch, void, void>;
}

/** The error of a file that cannot be read as a list: 400. */
export function unreadable(message: string): AppError {
  return new AppError('BAD_REQUEST', message, { reason: 'list' });
}

/** The error of a file that exceeds a limit of lists: 413. */
export function tooLarge(message: string): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', message, { reason: 'list' });
}

/** Formats a number as `1,000,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
