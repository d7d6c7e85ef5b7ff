/** Lists of customers in 40 languages, each in the encodings in which files of its language come. */
import { readFileSync } from 'node:fs';
import { createRandom } from '../../../../bench/stages/random-text.ts';
import { listEncodings } from '../../../../src/mailings/lists/text/text-encodings.ts';
import { encodeText, isEncodable } from '../encoded-text.ts';

interface Names {
  people: readonly string[];
  cities: readonly string[];
}

/** Names of each language. */
export const names = JSON.parse(
  readFileSync(new URL('names.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Names>>;

/** Languages of which another one has the letters. */
const lettersOf: Readonly<Record<string, string>> = { 'sr-Latn': 'hr', cnr: 'hr' };

/** A list and what it says. */
export interface MadeList {
  language: string;
  encoding: string;
  rows: number;
  text: string;
  bytes: Buffer;
}

export const languages = Object.keys(names);

/** Lists with these numbers of rows, `repeats` of each language, encoding and number. */
export function* makeLists(
  rowCounts: readonly number[],
  repeats: number,
  seed: number,
): Generator<MadeList> {
  const random = createRandom(seed);
  for (const language of languages) {
    for (const encoding of encodingsOf(language)) {
      const pools = poolsOf(language, encoding);
      if (pools === undefined) continue;
      for (const rows of rowCounts)
        for (let repeat = 0; repeat < repeats; repeat += 1)
          yield makeList(language, encoding, rows, pools, random);
    }
  }
}

/** Labels of the encodings in which files of a language come. */
export function encodingsOf(language: string): string[] {
  const letters = lettersOf[language] ?? language;
  return listEncodings
    .filter(({ languages: all }) => all.includes(letters))
    .map(({ label }) => label);
}

interface Pools {
  foreign: string[];
  people: string[];
  cities: string[];
}

/** The names that an encoding has; undefined if they are few. */
function poolsOf(language: string, encoding: string): Pools | undefined {
  const { people = [], cities = [] } = names[language] ?? {};
  const inEncoding = (name: string): boolean => isEncodable(name + name.toUpperCase(), encoding);
  const pools = {
    foreign: people.filter((name) => /[^\p{ASCII}]/u.test(name) && inEncoding(name)),
    people: people.filter(inEncoding),
    cities: cities.filter(inEncoding),
  };
  return pools.foreign.length < 20 ? undefined : pools;
}

/** A list as customers' data come: given name and surname, a city, an amount; one of ten in capitals. */
function makeList(
  language: string,
  encoding: string,
  rows: number,
  { foreign, people, cities }: Pools,
  random: () => number,
): MadeList {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const isLogographic = /^(?:ja|zh|ko)/.test(language);
  const isCapital = random() < 0.1;
  const separator = random() < 0.5 ? ';' : ',';
  const line = (_: unknown, index: number): string => {
    const name = isLogographic
      ? pick(foreign) + pick(foreign)
      : random() < 0.5
        ? `${pick(foreign)} ${pick(people)}`
        : `${pick(people)} ${pick(foreign)}`;
    const cells = [index + 1, name, cities.length === 0 ? '' : pick(cities), 100 + index];
    const text = cells.join(separator);
    return isCapital ? text.toUpperCase() : text;
  };
  const lines = [['id', 'name', 'city', 'amount'].join(separator)];
  lines.push(...Array.from({ length: rows }, line), '');
  const text = lines.join('\r\n');
  return { language, encoding, rows, text, bytes: encodeText(text, encoding) };
}
