/** The rows that programs were given to write: names of a language in letters of an encoding. */
import { createRandom } from '../../../../bench/stages/random-text.ts';
import { isEncodable } from '../encoded-text.ts';
import { encodingsOf, names } from '../encodings/corpus.ts';

/** A list that a program wrote. `file` is its path in this folder. */
export interface WrittenList {
  file: string;
  program: string;
  encoding: string;
  language: string;
  rows: number;
  seed: number;
}

/** A row as a program is given it: `since` is a date, and `amount` has one decimal. */
export type Row = [
  id: number,
  name: string,
  city: string,
  amount: number,
  since: string,
  note: string,
];

export const columns = ['id', 'name', 'city', 'amount', 'since', 'note'];

/** Languages that have at least 20 names in letters of an encoding. */
export function languagesOf(encoding: string): string[] {
  return Object.keys(names).filter(
    (language) =>
      (isUnicode(encoding) || encodingsOf(language).includes(baseOf(encoding))) &&
      poolsOf(language, encoding).foreign.length >= 20,
  );
}

/** The same rows for the same description, at each call. */
export function makeRows({
  language,
  encoding,
  rows,
  seed,
}: Pick<WrittenList, 'language' | 'encoding' | 'rows' | 'seed'>): Row[] {
  const random = createRandom(seed);
  const { foreign, people, cities } = poolsOf(language, encoding);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const isLogographic = /^(?:ja|zh|ko)/.test(language);
  return Array.from({ length: rows }, (_, index): Row => {
    const [one, other] = [pick(foreign), pick(isLogographic ? foreign : people)];
    const name = isLogographic
      ? one + other
      : random() < 0.5
        ? `${one} ${other}`
        : `${other} ${one}`;
    const city = pick(cities);
    const day = 1 + Math.floor(random() * 28);
    return [
      index + 1,
      name,
      city,
      Math.floor(random() * 10_000) + 0.5,
      `2026-0${1 + (index % 9)}-${String(day).padStart(2, '0')}`,
      makeNote((index + seed) % 8, one, city, encoding),
    ];
  });
}

/** The values that the product reads from a row. */
export function valuesOfRow(row: Row): string[] {
  return row.map(String);
}

/** What people write into a column for notes: quotes, separators, line breaks and signs, or nothing. */
function makeNote(kind: number, name: string, city: string, encoding: string): string {
  const notes = [
    '',
    `says "${name}"`,
    `${city}, 2nd floor; ring twice`,
    `first line\nsecond: ${name}`,
    '5 €',
    `${name}’s – see below`,
    'plain',
    '"quoted"',
  ];
  const note = notes[kind] ?? '';
  if (isUnicode(encoding)) return note;
  const replacements: [sign: string, ascii: string][] = [
    ['€', 'EUR'],
    ['’', "'"],
    ['–', '-'],
  ];
  return replacements.reduce(
    (text, [sign, ascii]) => (hasSign(sign, encoding) ? text : text.replace(sign, ascii)),
    note,
  );
}

/** Programs differ on the euro sign in encodings that were made before it, and on the signs of ISO 8859-7. */
function hasSign(sign: string, encoding: string): boolean {
  if (sign === '€' && !/^(?:windows-125|iso-8859-15)/.test(encoding)) return false;
  if (encoding === 'iso-8859-7') return false;
  return isEncodable(sign, baseOf(encoding));
}

interface Pools {
  foreign: string[];
  people: string[];
  cities: string[];
}

function poolsOf(language: string, encoding: string): Pools {
  const { people = [], cities = [] } = names[language] ?? {};
  const isWritable = (name: string): boolean =>
    isUnicode(encoding) || isEncodable(name, baseOf(encoding));
  return {
    foreign: people.filter((name) => /[^\p{ASCII}]/u.test(name) && isWritable(name)),
    people: people.filter(isWritable),
    cities: cities.filter(isWritable),
  };
}

function isUnicode(encoding: string): boolean {
  return encoding.startsWith('utf-');
}

/** ISO-2022-JP has the letters of EUC-JP. */
function baseOf(encoding: string): string {
  return encoding === 'iso-2022-jp' ? 'euc-jp' : encoding;
}
