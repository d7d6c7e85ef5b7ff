/** Finds where words may be parted with a hyphen: TeX patterns by language, compiled to WebAssembly by `hyphenopoly`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { splitGraphemes } from '../emoji.ts';

/** Files of the package that have the name of their language. */
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
/** Their words go on in the next line without a sign. */
const signless = /^(?:kn|ml|ta|te)$/;

/** Letters of a word that is parted at all, and how many of them stay before a hyphen and follow it. */
const lettersMin = 5;
const beforeMin = 2;
const afterMin = 3;
/** What the compiled patterns take, in UTF-16 units. */
const unitsMax = 61;

/**
 * Letters that are a word: not a part of an address, of a word with digits or soft hyphens, or what an apostrophe joins to
 * the letters that follow.
 */
const wordPattern = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_@.\/\\&#\u00AD])\p{L}[\p{L}\p{M}]{${lettersMin - 1},}` +
    String.raw`(?![\p{L}\p{M}\p{N}_@\/\\&\u00AD]|[.:'’]\p{L})`,
  'gu',
);
/** Not parted in English, as in browsers: most of them are names. */
const capitalized = /^\p{Lu}.*\p{Ll}/u;

/** TypeScript declares `WebAssembly` in its browser library only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** What each file of compiled patterns exports. */
interface Patterns {
  /** Its first 64 units hold a word that ends with 0, afterwards the word with hyphens. */
  mem: { buffer: ArrayBuffer };
  /** The fewest letters before and after a hyphen, as the authors of the patterns say. */
  lmi: { value: number };
  rmi: { value: number };
  /** Returns the length of the word with hyphens; 0 for a word with letters of another alphabet. */
  hyphenate: (before: number, after: number, hyphen: number) => number;
}

/** By file: 60 at most, of 64 to 256 KiB of memory each. */
const loaded = new Map<string, Patterns>();
/** Positions in words that were met before; a word takes 5 to 100 µs. */
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
    if (file.startsWith('en') && capitalized.test(word)) continue;
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

/** The patterns know composed small letters, of which one may be more or fewer units than what the author wrote. */
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
