/** Reads numbers as people, spreadsheets and programs write them: the one reader of links, JSON, lists and tables. */
import { currenciesOf, currencyTable } from './currencies.ts';
import { directionMarks, plainDigits } from './plain-digits.ts';
import { numberPattern } from './scalar-text.ts';

/** The sign before decimals: a comma in `1.234,5`. */
export type DecimalSign = '.' | ',';

/** Upper bound of a written number, in UTF-16 units: 30 digits with groups, a sign and a currency. */
const lengthMax = 80;

/** Digits of a number that a double keeps. Those behind them are noise of its binary form: 24.950000000000003. */
const reliableDigits = 15;

/** One to three digits, a point or a comma, and three digits: thousands or decimals. */
const twoReadings = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Whether a number has two readings, which a column or a language must decide. */
export function hasTwoReadings(text: string): boolean {
  return text.length <= lengthMax && twoReadings.test(bareNumber(text));
}

/**
 * Returns a number in the form that programs write: digits, a point, and a minus sign if it is negative. `decimal` decides
 * between the readings of `1.234` and `1,234`. Without it a point stands before decimals, and a comma with two
 * readings is undefined. So is a text that is no number. A double has 15 reliable digits, so longer decimals are
 * rounded. A minus sign behind an amount with a currency has two readings. Linear time.
 */
export function readNumber(text: string, decimal?: DecimalSign): string | undefined {
  if (text.length > lengthMax) return undefined;
  if (isReliable(text) && !twoReadings.test(text)) return text;
  const bare = bareNumber(text);
  if (exponent.test(bare)) return roundedNumber(bare);
  const plain = twoReadings.test(bare) ? decided(bare, decimal) : withPoint(bare);
  if (plain === undefined || isReliable(plain)) return plain;
  return roundedNumber(plain);
}

/** Whether a text is a number in the form of programs, and all of its digits count. */
function isReliable(text: string): boolean {
  if (!numberPattern.test(text)) return false;
  return (
    text.length <= reliableDigits ||
    text.replace(/^[+-]?[0.]*/, '').replace('.', '').length <= reliableDigits
  );
}

/** The decimal sign that a number proves; undefined for a number that proves none, and for any other text. */
export function provenDecimal(text: string): DecimalSign | undefined {
  if (text.length > lengthMax) return undefined;
  const bare = bareNumber(text);
  if (twoReadings.test(bare)) return undefined;
  const { mark = '', tail = '' } = grouped.exec(bare)?.groups ?? {};
  if (tail !== '') return tail.startsWith(',') ? ',' : '.';
  if (mark === '.') return ',';
  if (mark === ',' || indian.test(bare)) return '.';
  const [sign] = /(?<=\d)[.,](?=\d+$)/.exec(bare) ?? [];
  return withPoint(bare) === undefined ? undefined : (sign as DecimalSign | undefined);
}

/** Writes a number of a program so that no language reads it otherwise: 1.234 becomes `1.234e0`. */
export function unambiguousNumber(text: string): string {
  return text.includes('.') && twoReadings.test(text) ? `${text}e0` : text;
}

const exponent = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})e[+-]?\d{1,3}$/i;

/** Groups of three digits behind one kind of sign, then perhaps decimals behind another. */
const grouped =
  /^[+-]?[1-9]\d{0,2}(?<mark>[ '.,٬])\d{3}(?:\k<mark>\d{3})*(?<tail>(?!\k<mark>)[.,٫]\d*)?$/;
/** The groups of India: 12,34,567.50. */
const indian = /^[+-]?[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d*)?$/;
const decimalComma = /^[+-]?\d*[,٫]\d+$/;
const decimalPoint = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** A number with two readings: the sign that is not the decimal one stands between groups. */
function decided(bare: string, decimal: DecimalSign | undefined): string | undefined {
  const sign = bare.includes(',') ? ',' : '.';
  if (decimal !== undefined && decimal !== sign) return bare.replace(sign, '');
  return decimal === sign || sign === '.' ? bare.replace(sign, '.') : undefined;
}

/** A number with one reading, without groups and with a decimal point. */
function withPoint(bare: string): string | undefined {
  if (decimalPoint.test(bare)) return bare;
  if (decimalComma.test(bare)) return bare.replace(/[,٫]/, '.');
  if (indian.test(bare)) return bare.replaceAll(',', '');
  const mark = grouped.exec(bare)?.groups?.['mark'];
  return mark === undefined ? undefined : bare.replaceAll(mark, '').replace(/[,٫]/, '.');
}

/** Expressions for currencies, by the table that they were made from. */
let expressions: { table: object; before: RegExp; after: RegExp } | undefined;

function currencyExpressions(): { before: RegExp; after: RegExp } {
  const table = currencyTable();
  if (expressions?.table !== table) {
    const { beforePattern, afterPattern } = table;
    const before = new RegExp(String.raw`^([+-]?) ?(${beforePattern}) ?(?=[+-]?[\d.,])`, 'u');
    const after = new RegExp(String.raw`(?<=[\d.,:/=–—-]) ?(${afterPattern})$`, 'u');
    expressions = { table, before, after };
  }
  return expressions;
}

/** A sign between the whole number and two decimals: 12€50. */
const writtenBetween = /(?<=^[+-]?\d[\d ]*)(\p{Sc})(?=\d\d$)/u;

/** A number without its currency, and the currencies that the signs beside it may mean. */
interface WrittenNumber {
  /** Signs and digits of ASCII. */
  bare: string;
  currencies: readonly string[] | undefined;
}

const unreadable: WrittenNumber = { bare: '', currencies: undefined };

/** The currencies that the sign or code beside a number may mean; undefined for a number without one. */
export function writtenCurrencies(text: string): readonly string[] | undefined {
  return text.length > lengthMax || numberPattern.test(text)
    ? undefined
    : splitNumber(text).currencies;
}

function bareNumber(text: string): string {
  return splitNumber(text).bare;
}

/** The signs and digits of a number in ASCII, and its currencies. */
function splitNumber(text: string): WrittenNumber {
  const plain = plainSigns(text);
  const inBrackets = /^\(([^()+-]+)\)$/.exec(plain)?.[1];
  let rest = inBrackets ?? plain;
  const { before, after } = currencyExpressions();
  const words: string[] = [];
  const take = (word: string, kept: string): string => {
    words.push(word);
    return kept;
  };
  rest = rest
    .replace(before, (_, sign: string, word: string) => take(word, sign))
    .replace(after, (_, word: string) => take(word, ''))
    .replace(writtenBetween, (word) => take(word, '.'));
  const currencies = commonCurrencies(words);
  if (currencies?.length === 0) return unreadable;
  // A price without cents: 49,- or 49.– or, in Sweden, 49:- and, in India and East Africa, 49/- and 49/=
  const number = rest
    .replace(/(?<=\d)(?:[.,:][-–—]{1,2}|\/[-=])$/, '')
    .replace(/^([+-]) (?=\d)/, '$1');
  // Accounting programs write the minus sign behind the number, or brackets. In prices it stands for the cents.
  const trailing = /^(\d[\d .,'٫٬]*)-$/.exec(number)?.[1];
  if (trailing !== undefined) {
    return words.length > 0 ? unreadable : { bare: `-${trailing.trimEnd()}`, currencies };
  }
  return { bare: inBrackets === undefined ? number : `-${number}`, currencies };
}

/** The letter of the kyat behind digits of Myanmar. Behind those of ASCII it may mean thousands. */
const kyat = /(?<=[\u1040-\u1049]\s?)K$/;

function plainSigns(text: string): string {
  const isLatin = !/[\u0660-\u0669\u06f0-\u06f9]/.test(text);
  const plain = plainDigits(text.replace(kyat, 'MMK'))
    .replaceAll(directionMarks, '')
    .replaceAll(/[\p{Zs}\t]/gu, ' ')
    .replaceAll(/[’‘ʼ＇`´′]/g, "'")
    .replaceAll(/[\u2212－﹣]/g, '-')
    .replaceAll('＋', '+')
    .replaceAll('．', '.')
    .replaceAll('，', ',')
    .trim()
    // A dash before the digits; behind them it stands for the cents.
    .replace(/^([^\d\u2010-\u2013]*)[\u2010-\u2013](?=[^\d]*\d)/, '$1-');
  if (isLatin) return plain;
  // Typists of Arabic use their comma for the sign of thousands, those of Persian a slash for that of decimals.
  const withComma = plain.replaceAll('،', ',');
  const [, whole = '', decimals = ''] = /(\d+)\/(\d{2,3})(?!\d)/.exec(withComma) ?? [];
  // A whole number that is larger than what stands behind the slash makes no fraction.
  return Number(whole) > Number(decimals) ? withComma.replace('/', '.') : withComma;
}

/** The currencies that all words may mean; undefined if none says one. */
function commonCurrencies(words: readonly string[]): readonly string[] | undefined {
  const [first, ...others] = words.map(currenciesOf).filter((codes) => codes !== undefined);
  return first?.filter((code) => others.every((codes) => codes.includes(code)));
}

/** Rounds to 15 digits, of which 15 at most stand behind the point. Undefined if more stand before it. */
function roundedNumber(text: string): string | undefined {
  const [whole = ''] = text.split(/[.e]/i);
  if (!/e/i.test(text) && whole.replace(/^[+-]/, '').length > 15) return text;
  const number = Number(text);
  const magnitude = Number(/e([+-]\d+)$/.exec(number.toExponential(14))?.[1] ?? Number.NaN);
  if (!(magnitude < 15)) return text;
  const written = number.toFixed(Math.min(15, 14 - magnitude));
  const short = written.includes('.') ? written.replace(/\.?0+$/, '') : written;
  return short === '-0' ? '0' : short;
}
