/**
 * Currencies and their decimals, of ISO 4217 and the Unicode CLDR 48. A table, because Node and browsers differ by their
 * version: the service, the studio and the command line write one amount.
 */

import { currencyWords } from './date-words.ts';

/** The codes (ISO 4217). */
export const currencyCodes: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL ' +
    'BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD ' +
    'EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ' +
    'ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR ' +
    'LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO ' +
    'NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG ' +
    'SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD ' +
    'TZS UAH UGX USD USN UYI UYU UYW UZS VES VND VUV WST XAF XCD XCG XDR XOF XPF XSU YER ZAR ZMW ' +
    'ZWG ZWL'
  ).split(' '),
);

/** Those that people write without decimals, with three, and with four. All others have two. */
const withoutDecimals = new Set(
  (
    'AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG ' +
    'RWF SLL SOS SYP UGX UYI VND VUV XAF XOF XPF YER'
  ).split(' '),
);
const withThree = new Set(['BHD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);
/** Units of account that follow prices: of Chile and of Uruguay. */
const withFour = new Set(['CLF', 'UYW']);

/** Decimals of most currencies, and the fewest of an amount that has more than its currency. */
const usualDecimals = 2;

/**
 * Decimals of an amount in the form of programs: those of the currency, or more, so that none is dropped. 1300 HUF has
 * none, and 1299.5 HUF is 1299.50. More than two beyond the currency's are the rest of a division: 33.333333 is rounded
 * to 33.33, and an amount below one, such as the price of a unit, to two digits that are not zero.
 */
export function amountDecimals(currency: string, number: string): number {
  const decimals = currencyDecimals(currency);
  const needed = /\.(\d*?)0*$/.exec(number)?.[1]?.length ?? 0;
  if (needed <= decimals) return decimals;
  if (needed <= Math.max(decimals, usualDecimals) + 2) return Math.max(needed, usualDecimals);
  const [, zeros] = /^[+-]?0*\.(0*)/.exec(number) ?? [];
  return zeros === undefined ? decimals : Math.max(decimals, zeros.length + 2);
}

// Signs and words of currencies as people write them beside an amount.

type Words = ReadonlyMap<string, readonly string[]>;

function wordMap(lines: string): Words {
  return new Map(
    lines.split(';').flatMap((line) => {
      if (line === '') return [];
      const [names = '', codes = ''] = line.split(':');
      return names.split(' ').map((name) => [name.replace('_', ' '), codes.split(' ')] as const);
    }),
  );
}

/** The words in a form for reading, with patterns of those before an amount and behind it. */
interface CurrencyWords {
  either: Words;
  before: Words;
  beforePattern: string;
  afterPattern: string;
}

let readWords: CurrencyWords | undefined;
let readFrom = '';

/** The words of the table; in the studio, until they have come, codes and signs alone. */
export function currencyTable(): CurrencyWords {
  const words = currencyWords();
  if (readWords === undefined || readFrom !== words) {
    const [either, before] = words.split('\n').map(wordMap);
    const maps = { either: either ?? new Map(), before: before ?? new Map() };
    const beforePattern = pattern(maps.before, maps.either);
    readWords = { ...maps, beforePattern, afterPattern: pattern(maps.either) };
    readFrom = words;
  }
  return readWords;
}

/** A sign with letters of the country: CA$, $US, CN¥. */
const lettersAndSign = String.raw`[A-Z]{1,3}[$£¥]|[$£¥] ?[A-Z]{2}(?![A-Z])`;

function pattern(...maps: readonly Words[]): string {
  const names = maps.flatMap((map) => [...map.keys()]).toSorted((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replaceAll(/[$./]/g, String.raw`\$&`)).join('|');
  const words = escaped === '' ? [] : [String.raw`(?:${escaped})(?:(?<=[\p{L}\p{M}/])\.)?`];
  return [lettersAndSign, ...words, ...currencyCodes, String.raw`\p{Sc}`].join('|');
}

/** The currencies that a word or sign may mean; undefined for a sign that the table does not have. */
export function currenciesOf(written: string): readonly string[] | undefined {
  const { either, before } = currencyTable();
  const word = written.replace(/\.$/, '');
  const known = either.get(word) ?? before.get(word);
  if (known !== undefined) return known;
  if (currencyCodes.has(word)) return [word];
  const [, sign] = /^[A-Z ]*([$£¥])[A-Z ]*$/.exec(word) ?? [];
  const all = sign === undefined ? undefined : either.get(sign);
  if (all === undefined) return undefined;
  const country = word.replaceAll(/[ $£¥]/g, '');
  const ofCountry = all.filter((code) => code.startsWith(country));
  return ofCountry.length > 0 ? ofCountry : all;
}

function currencyDecimals(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  if (withThree.has(currency)) return 3;
  return withFour.has(currency) ? 4 : usualDecimals;
}
