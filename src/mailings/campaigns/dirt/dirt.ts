/** Finds dirt in the cells of a row: values that draw, and that nobody means. Each has the remedy in words. */
import { findUnmergedTag } from '#language/bind/merge-tags.ts';
import type { ScalarVariable, Template } from '#language/schema/template.ts';
import { correctValue } from '../../../render/link/correct-value.ts';
import { listPart } from '../../../render/list-values.ts';
import { isEmptyText } from '../../../render/parse-value.ts';
import type { ReadingRules } from '../../../render/parse-value.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import { meaningOf, normalizeName } from '../../lists/column-names.ts';
import type { dirtCodes, ListFacts } from '../campaign.ts';
import type { MappedColumn } from '../list/row-values.ts';
import { emailProblem, imageProblem } from './addresses.ts';
import { hasGarbledLetters } from './garbled-letters.ts';
import { hasHiddenCharacters } from './hidden-characters.ts';
import { hasEscapes, isFormula, isScientificNumber } from './leftovers.ts';
import { hasLostLetters, mayHaveLostLetters } from './lost-letters.ts';
import { meaninglessWord } from './meaningless-words.ts';
import { nameDirt } from './names.ts';

export type DirtCode = (typeof dirtCodes)[number];

/** Dirt of a cell. */
export interface Dirt {
  code: DirtCode;
  /** The end of a sentence that begins with the variable or the column: what is wrong, and the remedy. */
  what: string;
  /** A word that means nothing, in lower case. */
  word?: string;
  /** Whether it counts only in a column that has certain dirt of this code. */
  isMaybe?: true;
}

/** What a column has, by its name or that of its variable. */
export type Role = 'first' | 'last' | 'full' | 'place' | 'zip' | 'email' | 'image' | 'text';

/** A column whose cells are looked at. */
export interface LookedColumn {
  /** Index of the cell in a row. */
  index: number;
  column: string;
  /** The name of the variable or of the field of a list; undefined for a column that is not mapped. */
  name: string | undefined;
  role: Role;
  /** The variable that a cell is read for. */
  variable: ScalarVariable | undefined;
}

const roles: readonly (readonly [meaning: string, role: Role])[] = [
  ['firstname', 'first'],
  ['lastname', 'last'],
  ['name', 'full'],
  ['city', 'place'],
  ['country', 'place'],
  ['zip', 'zip'],
  ['email', 'email'],
];
const roleByMeaning: ReadonlyMap<number | undefined, Role> = new Map(
  roles.map(([meaning, role]) => [meaningOf(meaning), role]),
);

/** The role that the name of a column or a variable says; undefined if it says none. */
export function roleOf(name: string): Role | undefined {
  const meaning = meaningOf(normalizeName(name));
  return meaning === undefined ? undefined : roleByMeaning.get(meaning);
}

/** The columns to look at: mapped ones with texts or images, and the one with the recipients' addresses. */
export function lookedColumns(
  { columns, recipientColumn }: Pick<ListFacts, 'columns' | 'recipientColumn'>,
  mapped: readonly MappedColumn[],
  { variables }: Pick<PublishedTemplate, 'variables'>,
): LookedColumn[] {
  const looked = mapped.flatMap(({ index, name, variable }): LookedColumn[] => {
    const column = columns[index] ?? '';
    const scalar = variables.has(name) ? variable : listPart(name, variables)?.field;
    if (scalar === undefined || scalar.type === 'list') return [];
    if (scalar.type !== 'text' && scalar.type !== 'image') return [];
    const ofNames = roleOf(column) ?? roleOf(name.slice(name.lastIndexOf('.') + 1)) ?? 'text';
    const role = scalar.type === 'image' ? 'image' : column === recipientColumn ? 'email' : ofNames;
    return [{ index, column, name, role, variable: { ...scalar, name } }];
  });
  const index = columns.indexOf(recipientColumn ?? '');
  if (index === -1 || looked.some((each) => each.index === index)) return looked;
  const recipient = { index, column: columns[index] ?? '', name: undefined, variable: undefined };
  return [...looked, { ...recipient, role: 'email' }];
}

/** Words, numbers and dates as most cells have them: a fast path, because they can only be words that mean nothing. */
const plainText =
  /^(?:[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]*(?:[ '’-][A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]+)*|\+?\d[\d.,:/ -]*)$/;
const plainAddress =
  /^[a-z\d_+-]+(?:\.[a-z\d_+-]+)*@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,24}$/i;
const plainLengthMax = 254;
const digit = /\d/;

function isPlain(cell: string, role: Role): boolean {
  if (role === 'email') return cell.length <= plainLengthMax && plainAddress.test(cell);
  if (role === 'image' || !plainText.test(cell)) return false;
  return role === 'text' || role === 'zip' || !digit.test(cell);
}

/** The dirt of a cell; undefined for a clean one, an empty one, and a merge tag, which is a problem of its own. */
export function cellDirt(
  looked: LookedColumn,
  cell: string,
  document: ReadingRules & Pick<Template, 'variables'>,
): Dirt | undefined {
  const { role, name = '', variable } = looked;
  if (isPlain(cell, role)) return wordDirt(cell, role, document);
  const text = (variable === undefined ? cell : correctValue(variable, cell, document)).trim();
  const found =
    textDirt(cell, text, role) ?? wordDirt(text, role, document) ?? roleDirt(text, role);
  if (found === undefined || isEmptyText(cell, document.emptyWords)) return undefined;
  return findUnmergedTag(cell, name) === undefined ? found : undefined;
}

const hidden: Dirt = {
  code: 'HIDDEN_CHARACTER',
  what: 'has characters that nobody sees, such as a space without width or a control character: delete them, with CLEAN and TRIM in a spreadsheet',
};
const lost: Dirt = {
  code: 'LOST_LETTERS',
  what: 'has ? in place of letters, which were lost when the list was saved: save it as "CSV UTF-8" or .xlsx from a file that still has the letters',
};
const garbled: Dirt = {
  code: 'GARBLED_LETTERS',
  what: 'has letters that another program read in a wrong encoding, such as Ã© for é: export the list again as UTF-8 from where the letters are right',
};
const escaped: Dirt = {
  code: 'ESCAPE_LEFT',
  what: String.raw`has escapes of another program, such as &#39;, %C3%B3 or \n: export the list as plain text`,
};
const formula: Dirt = {
  code: 'FORMULA_LEFT',
  what: 'is a formula of a spreadsheet in place of its result: copy the column, paste it as values, and save the list again',
};
const scientific: Dirt = {
  code: 'SCIENTIFIC_NUMBER',
  what: 'is a long number that a spreadsheet has shortened, such as 1.23E+11: format the column as text, and export the numbers again, because digits are lost',
};
const mayBeLost: Dirt = { ...lost, isMaybe: true };

function textDirt(cell: string, text: string, role: Role): Dirt | undefined {
  // Letters of UTF-8 that were read in another encoding have control characters, too.
  if (role !== 'image' && hasGarbledLetters(text)) return garbled;
  if (hasHiddenCharacters(cell)) return hidden;
  if (role === 'image') return undefined;
  const isName = role !== 'text' && role !== 'email' && role !== 'zip';
  if (hasLostLetters(text, isName)) return lost;
  if (isFormula(text)) return formula;
  if (hasEscapes(text)) return escaped;
  if (isScientificNumber(text)) return scientific;
  return isName && mayHaveLostLetters(text) ? mayBeLost : undefined;
}

function roleDirt(text: string, role: Role): Dirt | undefined {
  switch (role) {
    case 'email':
      return addressDirt(emailProblem(text));
    case 'image':
      return addressDirt(imageProblem(text));
    case 'first':
    case 'last':
    case 'full':
      return nameDirt(text, role);
    default:
      return undefined;
  }
}

function addressDirt(what: string | undefined): Dirt | undefined {
  return what === undefined ? undefined : { code: 'BAD_ADDRESS', what };
}

function wordDirt(text: string, role: Role, { emptyWords }: ReadingRules): Dirt | undefined {
  if (role === 'email' || role === 'image') return undefined;
  const word = meaninglessWord(text, role === 'last' || role === 'full' || role === 'place');
  if (word === undefined || isEmptyText(text, emptyWords)) return undefined;
  const what =
    'is a word that means nothing, such as N/A: empty the cell, or list the word in "emptyWords" of the template, so that its default is drawn';
  return { code: 'SUSPECT_WORD', what, word };
}
