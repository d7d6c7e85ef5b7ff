/** Reads numbers as people, spreadsheets and programs write them: the one reader of links, JSON, lists and tables. */
import { plainDigits } from './plain-digits.ts';
import { numberPattern } from './scalar-text.ts';

/** The sign before decimals: a comma in `1.234,5`. */
export type DecimalSign = '.' | ',';

/** Upper bound of a written number, in UTF-16 units: 30 digits with groups, a sign and a currency. */
const lengthMax = 80;

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
 * rounded. Linear time.
 */
export function readNumber(text: string, decimal?: DecimalSign): string | undefined {
  if (text.length > lengthMax) return undefined;
  if (numberPattern.test(text) && !twoReadings.test(text)) return text;
  const bare = bareNumber(text);
  if (exponent.test(bare)) return roundedNumber(bare);
  const plain = twoReadings.test(bare) ? decided(bare, decimal) : withPoint(bare);
  if (plain === undefined || numberPattern.test(plain)) return plain;
  return roundedNumber(plain);
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

/** Signs of currencies: codes of ISO 4217, words, and characters such as €. */
const currencyWords = [
  'US\\$',
  'R\\$',
  'A\\$',
  'C\\$',
  'CA\\$',
  'NZ\\$',
  'HK\\$',
  'NT\\$',
  'S/\\.?',
  'kr\\.?',
  'zł',
  'Kč',
  'Kcs',
  'Ft',
  'лв\\.?',
  'руб\\.?',
  'грн\\.?',
  'lei',
  'din\\.?',
  'Rp\\.?',
  'RM',
  'Rs\\.?',
  'TL',
  'Fr\\.?',
  'bs\\.?',
  '元',
  '円',
  '원',
  'ریال',
  'تومان',
  ...Intl.supportedValuesOf('currency'),
  '\\p{Sc}',
].join('|');
const currencyBefore = new RegExp(String.raw`^([+-]?) ?(?:${currencyWords}) ?(?=[+-]?[\d.,])`, 'u');
const currencyAfter = new RegExp(String.raw`(?<=[\d.,-]) ?(?:${currencyWords})$`, 'u');

/** The signs and digits of a number in ASCII, without its currency. */
function bareNumber(text: string): string {
  const plain = plainDigits(text)
    .replaceAll(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Zs}\t]/gu, ' ')
    .replaceAll(/[’‘ʼ＇`´′]/g, "'")
    .replaceAll(/[\u2212－﹣]/g, '-')
    .replaceAll('＋', '+')
    .replaceAll('．', '.')
    .replaceAll('，', ',')
    .trim()
    // Word processors turn a minus sign into a dash.
    .replace(/^[\u2012\u2013](?=\s?[\d.,])/, '-');
  const inBrackets = /^\(([^()+-]+)\)$/.exec(plain)?.[1];
  const number = (inBrackets ?? plain)
    .replace(currencyBefore, '$1')
    .replace(currencyAfter, '')
    // A price without cents: 49,- or 49.–
    .replace(/(?<=\d)[.,][-–—]{1,2}$/, '')
    .replace(/^([+-]) (?=\d)/, '$1');
  // Accounting programs write the minus sign behind the number, or brackets.
  const trailing = /^(\d[\d .,'٫٬]*)-$/.exec(number)?.[1];
  if (trailing !== undefined) return `-${trailing.trimEnd()}`;
  return inBrackets === undefined ? number : `-${number}`;
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
