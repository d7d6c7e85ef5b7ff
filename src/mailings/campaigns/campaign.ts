/** Common types of campaigns: options of a run, problems of rows, and the counts of a verdict. */
import { warningCodes } from '#wire/render-job.ts';
import type { EncodingDoubt, ListFormat, HeaderProblem } from '../lists/list.ts';
import type { ColumnDecimal, ColumnOrder } from './list/column-readings.ts';

/** The format and the header of an imported list, as stored and shown. */
export interface ListFacts {
  format: ListFormat;
  columns: readonly string[];
  /** The row of the list that has the names, from 1; 0 without one. */
  headerRow: number;
  headerProblems: readonly HeaderProblem[];
  /** Other encodings in which the file may be; absent if the encoding is sure. */
  encodingDoubt?: EncodingDoubt;
  /** How each column writes decimals; absent in lists of earlier releases. */
  decimals?: readonly ColumnDecimal[];
  /** How each column orders day and month; absent in lists of earlier releases. */
  dateOrders?: readonly ColumnOrder[];
  /** The column that identifies a recipient, to find duplicates; absent: the whole row identifies it. */
  recipientColumn?: string;
}

/** The variable of each column. Columns without a variable are absent. */
export type ColumnMapping = Readonly<Record<string, string>>;

/** Options of a run. The template decides options that are absent. */
export interface RunOptions {
  format?: string;
  quality?: number;
  scale?: number;
  lang?: string;
  frames?: number;
  animated?: boolean;
  size?: string;
  /** Of links: Unix time in seconds. */
  expires?: number;
  /** Of links: each gets a token in place of its values. */
  short?: boolean;
  /** Of files: a name for each row, with `{{row}}` and `{{column}}`. */
  names?: string;
  /** Of files: `zip` of images, `pdf` of all rows, or `pdfs`, a ZIP of one PDF a row. */
  output?: 'zip' | 'pdf' | 'pdfs';
}

/** Codes of dirt: values that draw, and that nobody means. */
export const dirtCodes = [
  'LOST_LETTERS',
  'GARBLED_LETTERS',
  'HIDDEN_CHARACTER',
  'ESCAPE_LEFT',
  'FORMULA_LEFT',
  'SCIENTIFIC_NUMBER',
  'SUSPECT_WORD',
  'NOT_A_NAME',
  'NAME_CASE',
  'NAME_ORDER',
  'WHOLE_NAME',
  'MIXED_WRITING',
  'LOST_ZERO',
  'BAD_ADDRESS',
  'SHIFTED_ROW',
] as const;

/** Codes of the problems that a proof finds, including the warnings of renders. */
export const problemCodes = [
  'BAD_ROW',
  'DUPLICATE',
  'UNMERGED',
  'EMPTY',
  'VALUE_TOO_LONG',
  'BAD_VALUE',
  ...dirtCodes,
  'TEXT_SHRUNK',
  'IMAGE_SLOW',
  'TOO_LARGE',
  'RENDER_FAILED',
  ...warningCodes,
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** One problem of one row. */
export interface Problem {
  code: ProblemCode;
  /** The variable, or the column of a row that cannot be read. */
  variable?: string;
  message: string;
  /** True if no person needs to act: the render uses the default of the variable, as the template says. */
  isDefault?: true;
}

/** The result of a proof: rows by verdict, and rows by problem code. */
export interface ProofCounts {
  fine: number;
  /** Rows whose only problems are values replaced by defaults. */
  defaults: number;
  /** Rows that a person must look at. */
  problems: number;
  codes: Partial<Record<ProblemCode, number>>;
}

/** Counts of no rows. */
export function emptyCounts(): ProofCounts {
  return { fine: 0, defaults: 0, problems: 0, codes: {} };
}

/** Whether a person must look at a row with these problems. */
export function needsPerson(problems: readonly Problem[]): boolean {
  return problems.some(({ isDefault }) => isDefault !== true);
}

/** Adds one row to the counts. */
export function countRow(counts: ProofCounts, problems: readonly Problem[]): void {
  if (problems.length === 0) counts.fine += 1;
  else if (needsPerson(problems)) counts.problems += 1;
  else counts.defaults += 1;
  for (const code of new Set(problems.map((problem) => problem.code))) {
    counts.codes[code] = (counts.codes[code] ?? 0) + 1;
  }
}
