/** Finds what programs leave in a text: escapes, formulas and numbers of a spreadsheet. */

/** Escapes of programs that `correctValue` leaves, because they may be meant elsewhere. */
const escapes = [
  // JavaScript, JSON, Python: \u00e9, \xe9
  String.raw`\\u[\da-f]{4}|\\x[\da-f]{2}`,
  // A quote in SQL and PHP: O\'Brien
  String.raw`\\['"]`,
  // Entities of HTML, also without the semicolon
  String.raw`&(?:#\d{2,7}|#x[\da-f]{2,6}|[a-z][a-z\d]{1,31});`,
  String.raw`&(?:nbsp|amp|quot|lt|gt|[aeiou](?:acute|grave|uml|circ)|ntilde|ccedil|szlig)(?![a-z;=])`,
  // UTF-8 in percent signs, and in the equals signs of emails: %C3%B3, =C3=B3
  String.raw`[%=][c-f][\da-f][%=][89ab][\da-f]`,
  // Headers of emails: =?UTF-8?Q?…?=
  String.raw`=\?[\w-]{2,40}\?[qb]\?`,
  // Tags of HTML
  String.raw`<(?:br|p|b|i|em|strong|span|div|font|a)(?:\s[^<>]{0,200})?\/?>|<\/(?:p|b|i|em|strong|span|div|font|a)>`,
];
const escape = new RegExp(escapes.join('|'), 'i');
/** A byte of an email's letter in a word: Jos=E9. */
const escapedLetter = /\p{L}=[89A-F][\dA-F](?![\dA-Z=])/u;
/** A line break or a tab as a program writes it, not a folder of Windows. */
const writtenBreak = /(?:^|[^\\])\\(?:r\\n|[nrt])(?!:)/;
const windowsPath = /[A-Za-z]:\\|\\\\/;

/** Whether escapes of another program are left. Linear time. */
export function hasEscapes(text: string): boolean {
  if (!/[&%=\\<]/.test(text)) return false;
  return (
    escape.test(text) ||
    escapedLetter.test(text) ||
    (writtenBreak.test(text) && !windowsPath.test(text))
  );
}

const cell = String.raw`(?:'[^']{1,80}'!|[\p{L}\p{N}_]{1,80}!)?\$?[A-Z]{1,3}\$?\d{1,7}`;
const formulas = [
  // Functions in the language of a spreadsheet: =CONCATENATE(, =WENN(, =ЕСЛИ(
  String.raw`=\s*[+-]?\p{L}[\p{L}\p{N}._]{0,40}\(`,
  // References and texts: =A1, =B2&C2, ="00123"
  String.raw`=\s*[+-]?${cell}(?![\p{L}\p{N}=])`,
  String.raw`=\s*"[^"]*"\s*(?:$|&)`,
  // The signs of older spreadsheets: +A1, @SUM(
  String.raw`\+${cell}\s*(?:$|[-+*/:,&])`,
  String.raw`@[A-Z]{2,20}\(`,
  // Errors of formulas in other languages, and a column that is too narrow
  String.raw`#(?:NV|N\/D|N\/V|Н\/Д|I\/T|ÉRTÉK!|BEZUG!|WERT!|ZAHL!|NOM\?|VALEUR!|NOMBRE!|¡(?:REF|VALOR|NUM|NULO|DIV\/0)!|¿NOMBRE\?|VALORE!|RIF!|NOME\?|ССЫЛКА!|ЗНАЧ!|ИМЯ\?|ЧИСЛО!|DZIEL\/0!|ARG!|ADR!|LICZBA!|ÜBERLAUF!|KALK!|FELD!|NOMBRE\?|SAYI!|SAYI\/0!|DEĞER!|AD\?|BAŞV!|#{2,})$`,
  // Errors of LibreOffice in any language: Err:502, Fehler:508
  String.raw`(?:Err|Fehler|Erreur|Errore|Erro|Fout|Fel|Błąd|Chyba|Ошибка):5\d\d$`,
];
const formula = new RegExp(String.raw`^\s*(?:${formulas.join('|')})`, 'u');

/** Whether a text is a formula of a spreadsheet, or its error, in place of its result. Linear time. */
export function isFormula(text: string): boolean {
  return /^\s*[=+@#]|:5\d\d\s*$/.test(text) && formula.test(text);
}

/** Whether the apostrophe stands that tells a spreadsheet to take a number or a formula as text. */
export function hasTextApostrophe(text: string): boolean {
  return /^\s*'(?:[=@]|\+?\(?\d[\d ()./-]{2,}$)/.test(text);
}

/** Whether a text is a long number as a spreadsheet shortens it: `1.23E+11`, `4,01E+12`. */
export function isScientificNumber(text: string): boolean {
  return /^\s*[+-]?\d(?:[.,]\d{1,15})?[eE]\+\d{1,3}\s*$/.test(text);
}
