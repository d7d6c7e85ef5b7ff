/** Formats of numbers with `Intl`: digits, amounts of money, percent and plurals. */
import { amountDecimals, currencyCodes } from './currencies.ts';
import type { DecimalSign } from './read-number.ts';
import { numberFormat, pluralRules } from './intl.ts';
import { readNumber, writtenCurrencies } from './read-number.ts';
import { parseNumberText } from './scalar-text.ts';

/**
 * Writes a text in a language; undefined for a text that the format cannot read. `decimal` decides between two readings
 * of a number.
 */
export type WriteText = (text: string, lang: string, decimal?: DecimalSign) => string | undefined;

/** Maximum decimals of a written number; `Intl` allows 100. */
const decimalsMax = 15;

/** Parses a count of decimals. Undefined for an empty argument: the value decides. NaN for an invalid one. */
function decimalsOf(argument: string): number | undefined {
  if (argument === '') return undefined;
  const decimals = /^\d{1,2}$/.test(argument) ? Number(argument) : Number.NaN;
  return decimals <= decimalsMax ? decimals : Number.NaN;
}

/** Number of digits after the point of a number. */
function writtenDecimals(plain: string): number {
  return /\.(\d*)$/.exec(plain)?.[1]?.length ?? 0;
}

/** A number as `readNumber` returns it; empty for a text that is none. */
export function plainNumber(text: string, decimal: DecimalSign | undefined): string {
  return readNumber(text.trim(), decimal) ?? '';
}

function formatNumber(
  plain: string,
  lang: string,
  decimals: number | undefined,
  options: Intl.NumberFormatOptions = {},
): string | undefined {
  if (Number.isNaN(parseNumberText(plain))) return undefined;
  const digits =
    decimals === undefined
      ? {}
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const formatter = numberFormat(lang, { ...digits, signDisplay: 'negative', ...options });
  // `Intl` formats a text digit by digit; a double would change the last digits.
  return formatter.format(plain as Intl.StringNumericLiteral);
}

/** Prepares `number`, which keeps the decimals of the value, or `number:2` with two decimals. */
export function prepareNumber(argument: string): WriteText | undefined {
  const decimals = decimalsOf(argument);
  if (Number.isNaN(decimals)) return undefined;
  return (text, lang, decimal) => {
    const plain = plainNumber(text, decimal);
    return formatNumber(plain, lang, decimals ?? writtenDecimals(plain));
  };
}

/**
 * Prepares `currency:EUR`, with the decimals of the currency or of the value if it has more, or `currency:EUR,0`. It takes
 * no value with the sign of another currency.
 */
export function prepareCurrency(
  argument: string,
): { currency: string; write: WriteText } | undefined {
  const [code = '', digits = '', ...rest] = argument.split(',').map((part) => part.trim());
  const currency = code.toUpperCase();
  const decimals = decimalsOf(digits);
  if (rest.length > 0 || !currencyCodes.has(currency) || Number.isNaN(decimals)) return undefined;
  const write: WriteText = (text, lang, decimal) => {
    if (writtenCurrencies(text.trim())?.includes(currency) === false) return undefined;
    const plain = plainNumber(text, decimal);
    const shown = decimals ?? amountDecimals(currency, plain);
    return formatNumber(plain, lang, shown, { style: 'currency', currency });
  };
  return { currency, write };
}

/** Prepares `percent`, which takes a share of 1, or `percent:5`, a share of 5: 4 of 5 are 80 %. At most one decimal. */
export function preparePercent(argument: string): WriteText | undefined {
  const whole = argument === '' ? 1 : parseNumberText(argument);
  if (!(whole > 0)) return undefined;
  return (text, lang, decimal) => {
    const number = parseNumberText(plainNumber(text, decimal));
    if (Number.isNaN(number)) return undefined;
    const options = {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'negative',
    } as const;
    return numberFormat(lang, options).format(number / whole);
  };
}

/** Plural categories of the Unicode CLDR. */
const pluralCategories: ReadonlySet<string> = new Set([
  'zero',
  'one',
  'two',
  'few',
  'many',
  'other',
]);

/** Prepares `plural:one,# item,other,# items`: a text for each category of the language. `#` is the number. */
export function preparePlural(argument: string): WriteText | undefined {
  const parts = argument.split(',');
  const texts = new Map<string, string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const category = parts[index]?.trim() ?? '';
    if (!pluralCategories.has(category) || texts.has(category)) return undefined;
    texts.set(category, parts[index + 1]?.trim() ?? '');
  }
  if (parts.length % 2 !== 0 || !texts.has('other')) return undefined;
  return (text, lang, decimal) => {
    const plain = plainNumber(text, decimal);
    const number = parseNumberText(plain);
    if (Number.isNaN(number)) return undefined;
    const decimals = writtenDecimals(plain);
    const category = pluralRules(lang, decimals).select(number);
    const shown = formatNumber(plain, lang, decimals) ?? '';
    return (texts.get(category) ?? texts.get('other') ?? '').replaceAll('#', () => shown);
  };
}

/** A text with the digits of a language in place of 0 to 9: those of `number`, also with zeros in front. */
export function inDigitsOf(lang: string, text: string): string {
  const digits = Array.from(
    numberFormat(lang, { useGrouping: false }).format(9_876_543_210),
  ).toReversed();
  return digits[0] === '0'
    ? text
    : text.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit);
}
