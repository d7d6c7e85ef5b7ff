/** Detects the separator, the quote and the line break of a CSV from its first rows. */
import { AppError } from '../../../foundation/errors.ts';
import type { CsvDialect } from '../list.ts';
import { CsvParser } from './csv-parser.ts';

/** In the order of preference among separators that match equally well. */
const separators = [',', ';', '\t', '|'];
/** Maximum number of rows that the detection reads. */
const sampleRowsMax = 200;

export interface DetectedDialect extends CsvDialect {
  /** UTF-16 units of a first line such as `sep=;`, which Excel reads as a setting and hides. */
  settingCharacters: number;
  /** As `ParsedDialect`. */
  hasLiteralQuotes: boolean;
  /** Whether a backslash stands before a quote inside a cell, as MariaDB and MySQL write it, instead of a second quote. */
  hasEscapes: boolean;
}

type Cells = Pick<DetectedDialect, 'separator' | 'quote' | 'hasEscapes'>;

/**
 * Detects the dialect. `head` is the start of the file. `isWhole` means that it is the whole file, and `isTabbed` that the
 * sender calls it tab-separated values.
 */
export function detectDialect(
  head: string,
  isWhole: boolean,
  given: { separator?: string; isTabbed: boolean },
): DetectedDialect {
  const setting = /^sep=([^\r\n])(?:\r\n|\n|\r|$)/i.exec(head);
  const text = head.slice(setting?.[0].length ?? 0);
  const quote = given.isTabbed ? '"' : detectQuote(text);
  const fixed = given.separator ?? setting?.[1] ?? (given.isTabbed ? '\t' : undefined);
  const read = (hasEscapes: boolean): Cells => {
    const separator = fixed ?? detectSeparator(text, isWhole, { quote, hasEscapes });
    return { separator, quote, hasEscapes };
  };
  // Doubled quotes are the rule: a backslash before a quote is text where the rows are whole without it.
  const isWholeIn = (cells: Cells): boolean => !readSample(text, isWhole, cells).isBroken;
  let cells = read(false);
  if (!given.isTabbed && text.includes(`\\${quote}`) && !isWholeIn(cells)) {
    const escaped = read(true);
    if (isWholeIn(escaped)) cells = escaped;
  }
  const newline = (/\r\n|\n|\r/.exec(text)?.[0] ?? '\r\n') as CsvDialect['newline'];
  return {
    ...cells,
    newline,
    settingCharacters: setting?.[0].length ?? 0,
    hasLiteralQuotes: given.isTabbed && cells.separator === '\t',
  };
}

/**
 * The apostrophe if it encloses all cells of the first line, else the double quote. One apostrophe may be part of a
 * name.
 */
function detectQuote(text: string): CsvDialect['quote'] {
  const [line = ''] = text.split(/[\r\n]/, 1);
  return separators.some((separator) =>
    line.split(separator).every((cell) => /^'[^']*'$/.test(cell)),
  )
    ? "'"
    : '"';
}

/**
 * The separator with which most rows have as many cells as the first row, which must have several. Among equal
 * candidates, prefers one without cells that start with a space: in `Müller, Anna;Oslo` the comma is text. Then prefers
 * the one with more cells.
 */
function detectSeparator(
  text: string,
  isWhole: boolean,
  dialect: Omit<Cells, 'separator'>,
): string {
  let best = { separator: ',', alike: 0, spaced: 0, cells: 1 };
  for (const separator of separators) {
    const { rows } = readSample(text, isWhole, { ...dialect, separator });
    const cells = rows[0]?.length ?? 1;
    if (cells < 2) continue;
    const alike = rows.filter((row) => row.length === cells).length / rows.length;
    const spaced = rows.flatMap((row) => row.slice(1)).filter((cell) => /^ ./.test(cell)).length;
    const better =
      alike - best.alike || Number(best.spaced > 0) - Number(spaced > 0) || cells - best.cells;
    if (better > 0) best = { separator, alike, spaced, cells };
  }
  return best.separator;
}

/** Reads the first rows that are not empty, up to the first error, which breaks the sample. */
function readSample(
  text: string,
  isWhole: boolean,
  dialect: Cells,
): { rows: string[][]; isBroken: boolean } {
  const rows: string[][] = [];
  const parser = new CsvParser(dialect, { encoding: 'utf-8' }, (cells) => {
    if (rows.length < sampleRowsMax && cells.some((cell) => cell !== '')) rows.push(cells);
  });
  let isBroken = false;
  try {
    parser.push(text);
    if (isWhole || rows.length === 0) parser.end();
  } catch (error) {
    // Errors of the file are reported when its rows are read.
    if (!(error instanceof AppError)) throw error;
    isBroken = true;
  }
  return { rows, isBroken };
}
