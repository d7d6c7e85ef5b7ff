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

/** The letters of a word in lower case. İ stays, because its lower case has two characters. */
export function wordLetters(word: string): string[] {
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

/** What follows a context, by counts of the file; `logs` are known results. */
interface Context {
  total: number;
  counts: ReadonlyMap<string, number>;
  /** The context without its first letter; undefined for the empty one. */
  shorter: Context | undefined;
  logs: Map<string, number>;
}

/** Share of letters that follow the alphabet alone. */
const alphabetShare = 0.03;

/** Upper bound of the contexts of a language that are kept. Garbled texts have any number. */
const contextsMax = 20_000;

/** Probabilities by Witten and Bell's interpolation: contexts of two letters, of one, none, and the alphabet. */
export class LanguageModel {
  readonly #alphabet: (letter: string) => number;
  readonly #counts: LanguageLetters['counts'];
  readonly #contexts = new Map<string, Context>();

  constructor(language: string, { letters, borrowed, counts }: LanguageLetters) {
    this.#alphabet = alphabetOf(language, letters, borrowed);
    this.#counts = counts;
  }

  /** The natural logarithm of the probability of a word. */
  logProbability(letters: readonly string[]): number {
    let [before, last] = [wordStart, wordStart];
    let sum = 0;
    for (const letter of [...letters, wordEnd]) {
      const context = this.#context(before + last);
      let log = context.logs.get(letter);
      if (log === undefined)
        context.logs.set(letter, (log = Math.log(this.#mixed(context, letter))));
      sum += log;
      before = last;
      last = letter;
    }
    return sum;
  }

  /** A letter of the language stands rarely in the words that were counted, but it may stand anywhere in a name. */
  #mixed(context: Context, letter: string): number {
    const known = this.#probability(context, letter);
    return (1 - alphabetShare) * known + alphabetShare * this.#alphabet(letter);
  }

  #probability(context: Context | undefined, letter: string): number {
    if (context === undefined) return this.#alphabet(letter);
    const { total, counts, shorter } = context;
    const kinds = counts.size;
    const lower = this.#probability(shorter, letter);
    return kinds === 0 ? lower : ((counts.get(letter) ?? 0) + kinds * lower) / (total + kinds);
  }

  #context(letters: string): Context {
    let context = this.#contexts.get(letters);
    if (context === undefined) {
      if (this.#contexts.size >= contextsMax) this.#contexts.clear();
      const [first = ''] = letters;
      const shorter = letters === '' ? undefined : this.#context(letters.slice(first.length));
      const written = Object.hasOwn(this.#counts, letters) ? this.#counts[letters] : '';
      const counts = readCounts(written ?? '');
      let total = 0;
      for (const count of counts.values()) total += count;
      this.#contexts.set(letters, (context = { total, counts, shorter, logs: new Map() }));
    }
    return context;
  }
}

/** Letters, each followed by twice the binary logarithm of its count as a digit of base 36. */
export function writeCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .map(([letter, count]) => letter + Math.round(2 * Math.log2(count)).toString(36))
    .join('');
}

function readCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at += 2)
    counts.set(characters[at] ?? '', 2 ** (Number.parseInt(characters[at + 1] ?? '', 36) / 2));
  return counts;
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
