/** Finds what is wrong with the name of a person: another column's value, capitals, `Last, First`. */
import type { Dirt } from './dirt.ts';
import { isCompany, noPersonDirt } from './no-person.ts';
import type { NameKind } from './no-person.ts';

const webAddress =
  /^(?:https?:\/\/|www\.)\S|^[\w-]+\.(?:com|net|org|de|fr|uk|io|info|eu)(?:\/\S*)?$/i;
const emailLike = /[^\s@]@[^\s@]+\.[^\s@]/;
const digit = /\p{Nd}/u;
const letter = /\p{L}/u;
/** Names of users: `anna84`, `user_1234`. */
const userName = /^[a-z]+[._]?\d{2,}$|\d{5}/i;

/** Scripts whose letters are small and capital. Small Georgian letters are what names have. */
const cased = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]`;
const hasCase = new RegExp(cased, 'u');
const smallLetter = /\p{Ll}/u;
const capital = /[\p{Lu}\p{Lt}]/u;
/** A word of capitals that is no initials, such as `J.-P.`, `MJ` and `RIS`. */
const capitalWord = /\p{Lu}{4}|\p{Lu}{3}[\s-]+\p{Lu}{2}|\p{Lu}{2}[\s-]+\p{Lu}{3}/u;
/** Letters of writings without capitals, beside which an abbreviation stands, and digits: `table 5` is no person. */
const otherSign = /[\p{Lo}\p{Nd}]/u;
const romanNumber = /^[IVX]+$/;
/** Words before a family name, which many languages write small. */
const particle =
  /^(?:al|el|af|av|bin|da|de|del|della|den|der|di|do|dos|du|la|le|ten|ter|till|van|von|vom|zu|zum|zur|y|i|e|und|’t|'t|d’|d')(?:[\s’'-]|$)/u;

const lastFirst = /^\p{Lu}[\p{L}\p{M}’'. -]+,\s*\p{Lu}[\p{L}\p{M}’'. -]*$/u;
/** What follows a comma behind a whole name, or the name of a company. */
const suffix =
  /,\s*(?:jr|sr|[ivx]+|m\.?d|ph\.?\s?d|d\.?d\.?s|d\.?v\.?m|rn|cpa|mba|esq|bsc|msc|m\.?a|b\.?a|dipl|prof|dr|geb|née|nee|inc|llc|ltd|corp|co|gmbh|ag|kg|s\.?a|s\.?r\.?l)\b/i;

/** A longer text is no name, and VALUE_TOO_LONG or the layout tells. */
const lengthMax = 200;

const notName = {
  email: 'is the address of an email in place of a name: correct the column in the list',
  web: 'is a web address in place of a name: correct the column in the list, or empty the cell',
  digits: 'has digits in place of a name: correct the column in the list, or empty the cell',
  user: 'is the name of an account in place of a name: write the name, or empty the cell',
} as const;

/** What is wrong with a name, without space at its ends. Linear time. */
export function nameDirt(text: string, kind: NameKind): Dirt | undefined {
  if (text.length > lengthMax) return undefined;
  const noPerson = noPersonDirt(text, kind);
  if (noPerson !== undefined) return noPerson;
  if (emailLike.test(text)) return { code: 'NOT_A_NAME', what: notName.email };
  if (webAddress.test(text)) return { code: 'NOT_A_NAME', what: notName.web };
  if (digit.test(text) && !letter.test(text)) return { code: 'NOT_A_NAME', what: notName.digits };
  // A column of whole names may have those of companies, which are written in their own way.
  if (kind === 'full' && isCompany(text)) return undefined;
  if (kind !== 'full' && userName.test(text)) return { code: 'NOT_A_NAME', what: notName.user };
  if (kind !== 'last' && text.includes(',') && lastFirst.test(text) && !suffix.test(text)) {
    const what =
      'has the family name first, before a comma: write it as it is said, or split the column in two';
    return { code: 'NAME_ORDER', what };
  }
  return caseDirt(text, kind);
}

function caseDirt(text: string, kind: NameKind): Dirt | undefined {
  if (!hasCase.test(text) || otherSign.test(text)) return undefined;
  const isSmall = smallLetter.test(text);
  if (!isSmall && capitalWord.test(text) && !romanNumber.test(text)) {
    const what = 'is in capital letters: write it as the person does, with PROPER in a spreadsheet';
    return { code: 'NAME_CASE', what };
  }
  if (
    isSmall &&
    !capital.test(text) &&
    text.length > 2 &&
    !(kind === 'last' && particle.test(text))
  ) {
    const what = 'is in small letters: write it as the person does, with PROPER in a spreadsheet';
    return { code: 'NAME_CASE', what };
  }
  return undefined;
}

/** Whether a first name has the family name of its row, too: `Anna Maria Meyer` beside `Meyer`. */
export function hasFamilyName(first: string, last: string): boolean {
  const [name, family] = [first.trim().toLowerCase(), last.trim().toLowerCase()];
  return family.length > 1 && name.endsWith(` ${family}`);
}
