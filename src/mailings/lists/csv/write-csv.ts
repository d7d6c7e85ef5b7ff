/** Writes rows of CSV that any program can read, and that no spreadsheet interprets as formulas. */
import type { CsvDialect, CsvFormat } from '../list.ts';

/**
 * The byte order mark before the first row, or an empty text. The file is UTF-8. Excel needs the mark to know that, so
 * it is omitted only if the list was UTF-8 without a mark.
 */
export function csvStart({ encoding, hasBom }: Pick<CsvFormat, 'encoding' | 'hasBom'>): string {
  return encoding === 'utf-8' && !hasBom ? '' : '\uFEFF';
}

/** Formats a row with its line break. `neutralizeFormula` turns formulas into texts. */
export function formatCsvRow(
  values: readonly string[],
  { separator, quote, newline }: CsvDialect,
): string {
  const cells = values.map((value) => quoteCell(neutralizeFormula(value), separator, quote));
  // An empty line would not be a row.
  const line = cells.length === 1 && cells[0] === '' ? quote + quote : cells.join(separator);
  return line + newline;
}

function quoteCell(cell: string, separator: string, quote: string): string {
  // The reader detects the apostrophe as quote only if each cell has it.
  const isPlain =
    quote === '"' &&
    !cell.includes(separator) &&
    !cell.includes(quote) &&
    !cell.includes('\n') &&
    !cell.includes('\r') &&
    // A first line such as `sep=;` is a setting of Excel.
    !/^sep=/i.test(cell);
  return isPlain ? cell : quote + cell.replaceAll(quote, quote + quote) + quote;
}

/** The starts of a formula (OWASP, CSV Injection), including the full-width ones of Japanese input. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
/**
 * Signed numbers and telephone numbers. Without letters or references, a spreadsheet can at most calculate a number.
 */
const signedNumber = /^[+-](?=[\s\d.,()/-]*\d)[ \u00A0\u202F\d.,()/-]+$/;

/** A separator or a line break, and the start of a formula for a program that uses this separator. */
const innerFormula = /([,;\t|\r\n]"*)([=+\-@＝＋－＠][^,;\t|\r\n]*)/g;

/** Adds an apostrophe before a formula: `=1+1` becomes `'=1+1`. `-5` and `+49 30 123` do not change. */
export function neutralizeFormula(cell: string): string {
  if (signedNumber.test(cell)) return cell;
  const start = formulaStart.test(cell) ? "'" : '';
  // Excel uses the separator of its locale, not that of the list: it may read `a;=1` as two cells.
  const inner = cell.replaceAll(innerFormula, (part, separator: string, text: string) =>
    signedNumber.test(text) ? part : `${separator}'${text}`,
  );
  return start + inner;
}
