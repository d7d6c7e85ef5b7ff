/** Writes names of people in upper and lower case. Contact lists often have capitals or small letters only. */
import { LRUCache } from 'lru-cache';
import { firstGrapheme, knownLanguage } from './intl.ts';

/** Particles of surnames that stay in lower case between other words. */
const particles: ReadonlySet<string> = new Set(
  'af al av bin ibn da das de del della den der di do dos du e el het la las le los op san ten ter und van vom von y zu zum zur'.split(
    ' ',
  ),
);
/** Particles that stay in lower case as the first word, because few first names look like them. */
const firstParticles: ReadonlySet<string> = new Set(
  'de den der ten ter van vom von zu zur'.split(' '),
);
const romanNumeral = /^(?=[IVX]{2,5}$)X{0,3}(?:IX|IV|V?I{0,3})$/;
const wordPattern = /[^\s]+/gu;
/** A part of a word: letters between hyphens, apostrophes and points. */
const partPattern = /[\p{L}\p{M}]+/gu;
const apostrophes: ReadonlySet<string> = new Set("'’ʼ");
/** A first letter with its marks and without a joiner. For others a segmenter takes 2 µs. */
const plainLetter = /^[\p{Lu}\p{Ll}]\p{Mn}*(?=[\p{Lu}\p{Ll}\x20-\x7e]|$)/u;
/** Cache of capitals by letter and language. Languages with special rules take 3 µs a letter. */
const capitals = new LRUCache<string, string>({
  maxSize: 10_000,
  sizeCalculation: (capital, key) => capital.length + key.length,
});

/**
 * Corrects names that are all in capitals or all in small letters: `JEAN-PIERRE` becomes `Jean-Pierre`, `O'NEILL`
 * becomes `O'Neill`, `VAN DER BERG` becomes `van der Berg`. A word with both, such as `MacDonald`, stays as it is.
 * Scripts without case do not change.
 */
export function nameCase(text: string, lang: string): string {
  const language = knownLanguage(lang);
  const words = text.match(wordPattern) ?? [];
  const kinds = words.map(caseOf);
  const isMixed = kinds.includes('mixed');
  // One call for the whole text: with the special rules of Turkish and others, each call takes 3 µs.
  const lowers = lowerCase(text, language).match(wordPattern) ?? [];
  let index = -1;
  return text.replaceAll(wordPattern, (word) => {
    index += 1;
    const kind = kinds[index];
    if (kind === 'mixed' || kind === 'none') return word;
    const lower = lowers[index] ?? word;
    const isLast = index === words.length - 1;
    if (!isLast && (index === 0 ? firstParticles : particles).has(lower)) return lower;
    if (kind === 'upper' && index > 0 && romanNumeral.test(word)) return word;
    // Initials beside a name in correct case: JP Morgan.
    if (kind === 'upper' && isMixed && lettersIn(word) <= 2) return word;
    return capitalizeParts(lower, language);
  });
}

/**
 * Small letters by the rules of the language. Outside of Turkish, Azerbaijani and Lithuanian Unicode keeps the point of İ as
 * a mark of its own; it stays on the first letter of a word, whose capital has it again.
 */
function lowerCase(text: string, language: string): string {
  const lower = text.toLocaleLowerCase(language);
  return text.includes('İ') ? lower.replaceAll(/(?<=\p{L}\p{M}*)i\u0307/gu, 'i') : lower;
}

type Case = 'upper' | 'lower' | 'mixed' | 'none';

function caseOf(word: string): Case {
  const hasUpper = /\p{Lu}/u.test(word);
  const hasLower = /\p{Ll}/u.test(word);
  if (hasUpper && hasLower) return 'mixed';
  if (hasUpper) return 'upper';
  return hasLower ? 'lower' : 'none';
}

function lettersIn(word: string): number {
  return word.match(/\p{L}/gu)?.length ?? 0;
}

/** Italian words in front of an apostrophe; shorter ones need no list. */
const elisions: ReadonlySet<string> = new Set('dell dall nell sull'.split(' '));

/** Capitalizes each part of a word in lower case, except the end of `Amanda's`. */
function capitalizeParts(word: string, language: string): string {
  return word.replaceAll(partPattern, (part, at: number) => {
    const isAfterApostrophe = apostrophes.has(word[at - 1] ?? '');
    const isElision = at <= 3 || elisions.has(word.slice(0, at - 1));
    if (isAfterApostrophe && (!isElision || part.length < 3)) return part;
    const rest = /^mc(?=\p{L}{3})/u.test(part) ? `Mc${capitalize(part.slice(2), language)}` : part;
    return capitalize(rest, language);
  });
}

/** Capitalizes the first character of a text. `ij` is one letter in Dutch. */
export function capitalize(text: string, language: string): string {
  if (/^nl\b/i.test(language) && text.startsWith('ij')) return `IJ${text.slice(2)}`;
  const plain = plainLetter.exec(text)?.[0];
  if (plain !== undefined) return capitalOf(plain, language) + text.slice(plain.length);
  if (/^\P{Cased}/u.test(text)) return text;
  const first = firstGrapheme(text);
  return uppercase(first, language) + text.slice(first.length);
}

/**
 * The capital that begins a word. German ß stays, because no word begins with its capital, and so do letters of Georgian,
 * whose capitals stand in texts of capitals alone. A character of several letters, such as ǆ and ﬁ, has one capital.
 */
function uppercase(character: string, language: string): string {
  if (character === 'ß' || /^[\u10d0-\u10ff]/.test(character)) return character;
  const digraph = digraphs[character.toLowerCase()];
  if (digraph !== undefined) return digraph;
  const [first = '', ...rest] = Array.from(character.toLocaleUpperCase(language).normalize('NFC'));
  return first + (/^\p{L}$/u.test(character) ? rest.join('').toLowerCase() : rest.join(''));
}

/** Letters of two, with the form in which the first one is a capital. */
const digraphs: Readonly<Record<string, string>> = { ǆ: 'ǅ', ǉ: 'ǈ', ǌ: 'ǋ', ǳ: 'ǲ' };

function capitalOf(letter: string, language: string): string {
  const key = `${letter}${language}`;
  let capital = capitals.get(key);
  if (capital === undefined) {
    capital = uppercase(letter, language);
    capitals.set(key, capital);
  }
  return capital;
}

/** Writes every word in small letters with a capital first letter. */
export function titleCase(text: string, lang: string): string {
  const language = knownLanguage(lang);
  return lowerCase(text, language).replaceAll(wordPattern, (word) => {
    const at = word.search(/[\p{L}\p{N}]/u);
    return at === -1 ? word : word.slice(0, at) + capitalize(word.slice(at), language);
  });
}

/** Titles in front of a name, some of them only with a point, and words behind it: they give no initials. */
const title =
  /^(?:(?:dra?|prof|mr|mrs|ms|mx|miss|herr|frau|mme|mlle|sra?|srta)\.?|(?:mag|ing|dipl|fr|hr)\.)$/i;
const suffix = /^(?:jr|sr|ph\.?d|md|esq)\.?$/i;

/** Scripts whose letters join their neighbours. */
const scriptsThatJoin = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]$/u;

/**
 * The initials of the first and the last word, as capitals; one initial for one word. Titles such as Dr. do not count.
 * Letters that would join stand apart.
 */
export function initialsOf(text: string, lang: string): string {
  const language = knownLanguage(lang);
  const all = text.match(wordPattern)?.filter((word) => /[\p{L}\p{N}]/u.test(word)) ?? [];
  const from = all.findIndex((word) => !title.test(word));
  const to = all.findLastIndex((word) => !suffix.test(word));
  const words = from === -1 || to < from ? all : all.slice(from, to + 1);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const [first = '', last] = ends.map((word = '') => {
    const letter = firstGrapheme(word.slice(word.search(/[\p{L}\p{N}]/u)));
    return uppercase(letter, language);
  });
  if (last === undefined) return first;
  return scriptsThatJoin.test(first) ? `${first}\u200c${last}` : first + last;
}
