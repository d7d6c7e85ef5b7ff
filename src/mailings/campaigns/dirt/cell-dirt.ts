/** Finds the dirt of a cell, with the remedy in words. */
import { findUnmergedTag } from '#language/bind/merge-tags.ts';
import { correctValue } from '../../../render/link/correct-value.ts';
import { isEmptyText } from '../../../render/parse-value.ts';
import type { ReadingRules } from '../../../render/parse-value.ts';
import { emailProblem, imageProblem } from './addresses.ts';
import type { Dirt } from './dirt.ts';
import { hasGarbledLetters } from './garbled-letters.ts';
import { hasHiddenCharacters } from './hidden-characters.ts';
import { hasEscapes, hasTextApostrophe, isFormula, isScientificNumber } from './leftovers.ts';
import type { LookedColumn, Role } from './looked-columns.ts';
import { hasLostLetters, mayHaveLostLetters } from './lost-letters.ts';
import { meaninglessWord } from './meaningless-words.ts';
import { nameDirt } from './names.ts';
import { noPersonDirt } from './no-person.ts';
import type { NameKind } from './no-person.ts';

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
  document: ReadingRules,
): Dirt | undefined {
  const { role, name = '', variable } = looked;
  if (isPlain(cell, role)) {
    const found = wordDirt(cell, role) ?? (isNameKind(role) ? noPersonDirt(cell, role) : undefined);
    return found === undefined || isEmptyText(cell, document.emptyWords) ? undefined : found;
  }
  const text = (variable === undefined ? cell : correctValue(variable, cell, document)).trim();
  const found = textDirt(cell, text, role) ?? wordDirt(text, role) ?? roleDirt(text, role);
  if (found === undefined || isEmptyText(cell, document.emptyWords)) return undefined;
  return findUnmergedTag(cell, name) === undefined ? found : undefined;
}

const hidden: Dirt = {
  code: 'HIDDEN_CHARACTER',
  what: 'has characters that nobody sees, such as a space without width or a control character: delete them, with CLEAN and TRIM in a spreadsheet',
};
const lost: Dirt = {
  code: 'LOST_LETTERS',
  what: 'has ? or another sign in place of letters, which were lost when the list was saved: save it as "CSV UTF-8" or .xlsx from a file that still has the letters',
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
const apostrophe: Dirt = {
  code: 'FORMULA_LEFT',
  what: 'has the apostrophe with which a spreadsheet marks a text: delete it',
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
  if (hasTextApostrophe(text)) return apostrophe;
  if (hasEscapes(text)) return escaped;
  if (isScientificNumber(text)) return scientific;
  if (!isName || !mayHaveLostLetters(text)) return undefined;
  // One word with a question mark is a question in a text, and no first name.
  return role === 'first' ? lost : mayBeLost;
}

function roleDirt(text: string, role: Role): Dirt | undefined {
  if (role === 'email') return addressDirt(emailProblem(text));
  if (role === 'image') return addressDirt(imageProblem(text));
  return isNameKind(role) ? nameDirt(text, role) : undefined;
}

function isNameKind(role: Role): role is NameKind {
  return role === 'first' || role === 'last' || role === 'full';
}

function addressDirt(what: string | undefined): Dirt | undefined {
  return what === undefined ? undefined : { code: 'BAD_ADDRESS', what };
}

function wordDirt(text: string, role: Role): Dirt | undefined {
  if (role === 'email' || role === 'image') return undefined;
  const word = meaninglessWord(text, role === 'last' || role === 'full' || role === 'place');
  if (word === undefined) return undefined;
  const what =
    'is a word that means nothing, such as N/A: empty the cell, or list the word in "emptyWords" of the template, so that its default is drawn';
  return { code: 'SUSPECT_WORD', what, word };
}
