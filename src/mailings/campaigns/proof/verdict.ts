/** The verdict of a proof in sentences: how many rows need a person, what to do first, and what no row gives. */
import type { ProblemCode, ProofCounts } from '../campaign.ts';
import type { ColumnCount } from './column-counts.ts';

/** What a code is called in a sentence, and what a person does about it. */
const remedies: Readonly<Partial<Record<ProblemCode, readonly [what: string, remedy: string]>>> = {
  BAD_ROW: ['the rows that cannot be read', 'correct their lines in the file'],
  DUPLICATE: ['the duplicates', 'leave one row for each recipient'],
  UNMERGED: ['the merge tags', 'export the list with its values'],
  EMPTY: ['the empty cells', 'fill them, or give the variable a default'],
  VALUE_TOO_LONG: ['the values that are too long', 'shorten them'],
  BAD_VALUE: ['the values of a wrong kind', 'write them as the variable expects'],
  LOST_LETTERS: ['the lost letters', 'save the list again as CSV UTF-8 or XLSX'],
  GARBLED_LETTERS: ['the garbled letters', 'export the list again as UTF-8'],
  HIDDEN_CHARACTER: ['the hidden characters', 'delete them'],
  ESCAPE_LEFT: ['the escapes of other programs', 'export the list as plain text'],
  FORMULA_LEFT: ['the formulas', 'export their results'],
  SCIENTIFIC_NUMBER: ['the numbers such as 1.2E+11', 'format the column as text and export it'],
  SUSPECT_WORD: ['the words that mean nothing', 'empty these cells, or correct them'],
  NOT_A_NAME: ['the values that are no names', 'correct them'],
  NAME_CASE: ['the names in capitals or small letters', 'write them as names'],
  NAME_ORDER: ['the names as "Last, First"', 'write the first name first'],
  WHOLE_NAME: ['the whole names among first names', 'leave the first names'],
  MIXED_WRITING: ['the mixed writings', 'write all cells in one way'],
  LOST_ZERO: ['the lost zeros', 'format the column as text and export it'],
  BAD_ADDRESS: ['the wrong addresses', 'correct them'],
  SHIFTED_ROW: ['the shifted rows', 'move their cells to the right columns'],
  TEXT_SHRUNK: ['the small text', 'shorten it, or give it more space in the template'],
  TEXT_TRUNCATED: ['the text that is cut', 'shorten it, or give it more space in the template'],
  TEXT_OVERFLOWS: ['the text outside its box', 'shorten it, or give it more space'],
  GLYPH_MISSING: ['the missing letters', 'choose a font that has them'],
  LOW_CONTRAST: ['the low contrast', 'choose other colors'],
  IMAGE_FAILED: ['the images that fail', 'correct their addresses'],
  IMAGE_SLOW: ['the slow images', 'upload them, or use a faster address'],
  TOO_LARGE: ['the large files', 'use smaller images, or another format'],
  VALUE_OUT_OF_RANGE: ['the numbers out of range', 'correct them'],
  FORMAT_FAILED: ['the values that no format reads', 'correct them'],
  CODE_FAILED: ['the codes that cannot be drawn', 'correct their values'],
  CODE_UNREADABLE: ['the codes that readers misread', 'correct their values'],
};

const otherRemedy = 'look at their rows';

/** What the verdict says beside the counts. */
export interface VerdictFacts {
  /** Variables without a column, or without a value in any row, in words. */
  withoutValue?: readonly string[];
  byColumn?: readonly ColumnCount[];
  /** Whether no column of the list gives a value, so that all rows are the same. */
  isUnused?: boolean;
  /** A sentence about columns that are dirty as a whole; may be empty. */
  dirtyColumns?: string;
}

/**
 * The verdict: `99,812 fine, 140 fall back to a default, 48 need you.` Then what to do first: the problem of most rows
 * that need a person. Then the variables that no row gives.
 */
export function verdict(
  { fine, defaults, problems }: ProofCounts,
  { withoutValue = [], byColumn = [], isUnused = false, dirtyColumns = '' }: VerdictFacts = {},
): string {
  const parts = [`${formatRows(fine)} fine`];
  if (defaults > 0) {
    parts.push(`${formatRows(defaults)} ${defaults === 1 ? 'falls' : 'fall'} back to a default`);
  }
  const needing = problems === 0 ? 'none' : formatRows(problems);
  parts.push(`${needing} ${problems === 1 ? 'needs' : 'need'} you`);
  const sentences = [`${parts.join(', ')}.`, firstStep(byColumn), dirtyColumns];
  if (isUnused) {
    sentences.push(
      'No column of the list is used, so all rows are the same: choose columns for the variables, or correct the separator and the first row.',
    );
  } else if (withoutValue.length > 0) {
    sentences.push(`No column gives ${withoutValue.join(', ')}: every row has the default.`);
  }
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function firstStep(byColumn: readonly ColumnCount[]): string {
  const most = Math.max(0, ...byColumn.map((count) => count.needs_you));
  const first = byColumn.find((count) => count.needs_you === most);
  if (first === undefined || most === 0) return '';
  const { code, column, variable } = first;
  const [what, remedy] = remedies[code] ?? [`the problem ${code}`, otherRemedy];
  const name = column ?? variable;
  const where = name === null ? '' : ` in "${name}"`;
  const rows = `${formatRows(most)} ${most === 1 ? 'row' : 'rows'}`;
  return `First see to ${what}${where} (${rows}): ${remedy}.`;
}

function formatRows(rows: number): string {
  return rows.toLocaleString('en-US');
}
