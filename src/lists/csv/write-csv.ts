/** Writes rows of CSV that any program reads back, and that no spreadsheet takes for formulas. */
import type { CsvDialect, CsvFormat } from '../list.ts';

/**
 * What stands before the first row. The file is UTF-8; where the list was not, or had a mark, Excel needs one to know.
 */
export function csvStart({ encoding, hasBom }: Pick<CsvFormat, 'encoding' | 'hasBom'>): string {
  return encoding === 'utf-8' && !hasBom ? '' : '\uFEFF';
}

/** A row with its line break. Cells that a spreadsheet would calculate are made texts by `neutralizeFormula`. */
export function formatCsvRow(
  values: readonly string[],
  { separator, quote, newline }: CsvDialect,
): string {
  const cells = values.map((value) => quoteCell(neutralizeFormula(value), separator, quote));
  // An empty line would be no row.
  const line = cells.length === 1 && cells[0] === '' ? quote + quote : cells.join(separator);
  return line + newline;
}

function quoteCell(cell: string, separator: string, quote: string): string {
  // A list between apostrophes is recognized as such only where each cell has them.
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

/** The starts of a formula (OWASP, CSV Injection), also those of full width, which Japanese input writes. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
/** Signed numbers and telephone numbers: without a letter or a reference they can at worst be calculated to a number. */
const signedNumber = /^[+-](?=[\s\d.,()/-]*\d)[ \u00A0\u202F\d.,()/-]+$/;

/** A separator or a line break, and what starts behind it for a program that reads the list with this separator. */
const innerFormula = /([,;\t|\r\n]"*)([=+\-@＝＋－＠][^,;\t|\r\n]*)/g;

/** Puts an apostrophe before a cell that a spreadsheet would take for a formula: `=1+1` is written `'=1+1`. `-5` and `+49 30 123` stay. */
export function neutralizeFormula(cell: string): string {
  if (signedNumber.test(cell)) return cell;
  const start = formulaStart.test(cell) ? "'" : '';
  // Excel separates by the setting of its country, whatever the list says: `a;=1` is then two cells.
  const inner = cell.replaceAll(innerFormula, (part, separator: string, text: string) =>
    signedNumber.test(text) ? part : `${separator}'${text}`,
  );
  return start + inner;
}
