/** Finds hyphenation positions of words by TeX patterns of languages, compiled to WebAssembly by `hyphenopoly`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { splitGraphemes } from '../emoji.ts';

/** Files of the package that are named after their language. */
const languages = new Set(
  (
    'af as be bg bn ca cs cy da de es et eu fi fo fr fur ga gl gu hi hr hsb hu hy ia id is it ka kmr kn la lt lv mk ml ' +
    'mr nb nl nn oc or pa pl pms pt rm ro ru sk sl sq sv ta te tk tr uk'
  ).split(' '),
);
/** Files of other tags, by language and region or script before the language alone. */
const otherFiles: ReadonlyMap<string, string> = new Map([
  ['en', 'en-us'],
  ...['au', 'gb', 'ie', 'in', 'nz', 'za'].map((region) => [`en-${region}`, 'en-gb'] as const),
  ['bs', 'sh-latn'],
  ['el', 'el-monoton'],
  ['mn', 'mn-cyrl'],
  ['sr', 'sr-cyrl'],
  ['sr-latn', 'sh-latn'],
]);
/** Languages whose words continue in the next line without a hyphen. */
const signless = /^(?:kn|ml|ta|te)$/;

/** Minimum letters of a hyphenated word, before its hyphen and after it. */
const lettersMin = 5;
const beforeMin = 2;
const afterMin = 3;
/** Maximum length of a word for the compiled patterns, in UTF-16 units. */
const unitsMax = 61;

/**
 * Letters that form a word. Excludes parts of addresses, of words with digits or soft hyphens, and letters before an
 * apostrophe and further letters.
 */
const wordPattern = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_@.\/\\&#\u00AD])\p{L}[\p{L}\p{M}]{${lettersMin - 1},}` +
    String.raw`(?![\p{L}\p{M}\p{N}_@\/\\&\u00AD]|[.:'’]\p{L})`,
  'gu',
);
/** Words that are not hyphenated, as in browsers: most of them are names. */
const capitalized = /^\p{Lu}.*\p{Ll}/u;
/** Languages whose capitalized words are hyphenated: long nouns, which German writes with capitals. */
const capitalizing = /^(?:af|de|fi|nl)$/;

/** TypeScript declares `WebAssembly` in its browser library only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** Exports of a file of compiled patterns. */
interface Patterns {
  /** The first 64 units contain a word that ends with 0; after the call, the word with hyphens. */
  mem: { buffer: ArrayBuffer };
  /** Minimum letters before and after a hyphen, by the authors of the patterns. */
  lmi: { value: number };
  rmi: { value: number };
  /** Returns the length of the word with hyphens; 0 for a word with letters of another alphabet. */
  hyphenate: (before: number, after: number, hyphen: number) => number;
}

/** Loaded patterns by file: at most 60, each with 64 to 256 KiB of memory. */
const loaded = new Map<string, Patterns>();
/** Cache of positions in words; a word takes 5 to 100 µs. */
const knownWords = new LRUCache<string, readonly number[]>(entryLimit(10_000));
const softHyphen = 0xad;

/** UTF-16 offsets at which a line may end inside a word, ascending, and whether it then shows a hyphen. */
export interface Hyphenation {
  positions: number[];
  isSigned: boolean;
}

/** Finds the positions in a text of a language (BCP 47); none in a language without patterns. */
export function hyphenate(text: string, lang: string): Hyphenation {
  const file = fileOf(lang);
  const positions: number[] = [];
  if (file === undefined) return { positions, isSigned: false };
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    if (!capitalizing.test(file) && capitalized.test(word)) continue;
    for (const position of partWord(word, file, lang)) positions.push(index + position);
  }
  return { positions, isSigned: !signless.test(file) };
}

function fileOf(lang: string): string | undefined {
  const [language = '', ...others] = lang.toLowerCase().split('-');
  for (const other of others) {
    const file = otherFiles.get(`${language}-${other}`);
    if (file !== undefined) return file;
  }
  return otherFiles.get(language) ?? (languages.has(language) ? language : undefined);
}

function partWord(word: string, file: string, lang: string): readonly number[] {
  const key = `${file} ${word}`;
  const known = knownWords.get(key);
  if (known !== undefined) return known;
  const positions = [...findPositions(word, file, lang)];
  knownWords.set(key, positions);
  return positions;
}

/** Patterns are for composed small letters, whose number of units may differ from the letters of the text. */
function* findPositions(word: string, file: string, lang: string): Generator<number> {
  const graphemes = splitGraphemes(word);
  const letters = graphemes.map((one) => one.normalize('NFC').toLocaleLowerCase(lang));
  const plain = letters.join('');
  if (plain.length > unitsMax || graphemes.length < lettersMin) return;
  const parts = new Set(partEnds(plain, file));
  let offset = 0;
  let plainOffset = 0;
  for (const [index, grapheme] of graphemes.entries()) {
    const isInside = index >= beforeMin && graphemes.length - index >= afterMin;
    if (isInside && parts.has(plainOffset)) yield offset;
    offset += grapheme.length;
    plainOffset += letters[index]?.length ?? 0;
  }
}

function* partEnds(word: string, file: string): Generator<number> {
  const { mem, lmi, rmi, hyphenate: run } = loadPatterns(file);
  const units = new Uint16Array(mem.buffer);
  for (let index = 0; index < word.length; index += 1) units[index] = word.charCodeAt(index);
  units[word.length] = 0;
  const length = run(lmi.value, rmi.value, softHyphen);
  let hyphens = 0;
  for (let index = 0; index < length; index += 1) {
    if (units[index] !== softHyphen) continue;
    yield index - hyphens;
    hyphens += 1;
  }
}

function loadPatterns(file: string): Patterns {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const url = import.meta.resolve(`hyphenopoly/patterns/${file}.wasm`);
  const module = new WebAssembly.Module(readFileSync(fileURLToPath(url)));
  const patterns = new WebAssembly.Instance(module).exports as Patterns;
  loaded.set(file, patterns);
  return patterns;
}
