/**
 * How likely a word is in a language: a model of letters, each after the two before it, over the files of `data/letters`.
 * Languages with thousands of letters have the frequency of each letter alone.
 */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

/** The letters of a language as the file has them. */
export interface LanguageLetters {
  /** Letters that the language needs, in lower case. */
  letters: string;
  /** Letters of foreign words. */
  borrowed: string;
  /** What follows two letters, one letter and none, as `writeCounts` writes it. */
  counts: Readonly<Record<string, string>>;
}

/** Stand before and behind the letters of a word. */
export const wordStart = '^';
export const wordEnd = '$';

/** Half-width Katakana, as old Japanese programs write names. */
const halfWidth = /[ｦ-ﾟ]/;

/** The letters of a word in lower case. İ stays, because its lower case has two characters. */
export function wordLetters(written: string): string[] {
  const word = halfWidth.test(written) ? written.normalize('NFKC') : written;
  return Array.from(word, (letter) => (letter === 'İ' ? letter : letter.toLowerCase()));
}

const models = new Map<string, LanguageModel>();

/** The model of a language. Read at the first use, because most lists are Unicode. */
export function languageModel(language: string): LanguageModel {
  let model = models.get(language);
  if (model === undefined) {
    const path = packagePath(`data/letters/${language}.json`);
    const letters = JSON.parse(readFileSync(path, 'utf8')) as LanguageLetters;
    models.set(language, (model = new LanguageModel(language, letters)));
  }
  return model;
}

/** The probability of a letter in the alphabet, and among all letters of words. */
interface LetterFacts {
  base: number;
  alone: number;
}

/** Upper bound of the letters of a language that are kept. */
const lettersMax = 5000;

/** Probabilities by Witten and Bell's interpolation: contexts of two letters, of one, none, and the alphabet. */
export class LanguageModel {
  readonly #alphabet: (letter: string) => number;
  readonly #counts: LanguageLetters['counts'];
  readonly #letters = new Map<string, LetterFacts>();

  constructor(language: string, { letters, borrowed, counts }: LanguageLetters) {
    this.#alphabet = alphabetOf(language, letters, borrowed);
    this.#counts = counts;
  }

  /** The natural logarithm of the probability of a word. */
  logProbability(letters: readonly string[]): number {
    let [before, last] = [wordStart, wordStart];
    let sum = 0;
    for (const letter of letters) {
      sum += this.#logOf(before, last, letter);
      before = last;
      last = letter;
    }
    return sum + this.#logOf(before, last, wordEnd);
  }

  #logOf(before: string, last: string, letter: string): number {
    const { base, alone } = this.#letter(letter);
    let known = this.#interpolate(last, letter, alone);
    known = this.#interpolate(before + last, letter, known);
    // A letter of the language stands rarely in the words that were counted, but it may stand anywhere in a name.
    return Math.log((1 - alphabetShare) * known + alphabetShare * base);
  }

  #letter(letter: string): LetterFacts {
    let facts = this.#letters.get(letter);
    if (facts === undefined) {
      if (this.#letters.size >= lettersMax) this.#letters.clear();
      const base = this.#alphabet(letter);
      facts = { base, alone: this.#interpolate('', letter, base) };
      this.#letters.set(letter, facts);
    }
    return facts;
  }

  #interpolate(context: string, letter: string, lower: number): number {
    const written = this.#counts[context];
    if (written === undefined) return lower;
    const total = 2 ** ((written.charCodeAt(0) - zero) / totalSteps);
    const kinds = (written.length - 1) / 2;
    const at = written.indexOf(letter, 1);
    const count =
      at === -1 ? 0 : 2 ** ((written.charCodeAt(at + letter.length) - zero) / countSteps);
    return (count + kinds * lower) / (total + kinds);
  }
}

/** Share of letters that follow the alphabet alone. */
const alphabetShare = 0.03;

/** A binary logarithm is written as a character from A on, in these steps: no letter of a word is a capital. */
const zero = 'A'.charCodeAt(0);
const countSteps = 2;
const totalSteps = 64;

/**
 * The logarithm of the sum of the counts, then each letter with that of its count. The text is searched as it is: to parse
 * it would take longer than a detection.
 */
export function writeCounts(counts: ReadonlyMap<string, number>): string {
  let total = 0;
  let text = '';
  for (const [letter, count] of counts) {
    total += count;
    text += letter + String.fromCharCode(zero + Math.round(countSteps * Math.log2(count)));
  }
  return String.fromCharCode(zero + Math.round(totalSteps * Math.log2(total))) + text;
}

/** Probability of a letter that the language does not have. */
const foreignProbability = 1e-6;

/** The probability of each letter of a language before any word is seen. */
function alphabetOf(
  language: string,
  letters: string,
  borrowed: string,
): (letter: string) => number {
  const ranges = logographicRanges[language];
  if (ranges !== undefined) {
    return (letter) =>
      letter === wordEnd
        ? 0.1
        : (ranges.find(({ pattern }) => pattern.test(letter))?.probability ?? foreignProbability);
  }
  const [main, others] = [new Set(letters), new Set(borrowed)];
  return (letter) => {
    if (letter === wordEnd) return 0.1;
    if (main.has(letter)) return 0.9 / Math.max(main.size, 20);
    return others.has(letter) ? 0.02 / Math.max(others.size, 10) : foreignProbability;
  };
}

/** Letters of languages with thousands of them: about as many as names use, all equally likely. */
const logographicRanges: Readonly<
  Record<string, readonly { pattern: RegExp; probability: number }[]>
> = {
  ja: [
    { pattern: /\p{Script=Han}/u, probability: 0.6 / 3500 },
    { pattern: /[ぁ-ヿ]/, probability: 0.3 / 170 },
    { pattern: /[ｦ-ﾟ]/, probability: 0.05 / 60 },
  ],
  ko: [
    { pattern: /[가-힣]/, probability: 0.9 / 2350 },
    { pattern: /\p{Script=Han}/u, probability: 0.05 / 5000 },
  ],
  zh: [{ pattern: /\p{Script=Han}/u, probability: 0.95 / 5000 }],
  'zh-Hant': [{ pattern: /\p{Script=Han}/u, probability: 0.95 / 5000 }],
};
