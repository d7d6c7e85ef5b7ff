/** An index of words over texts, and searches in it: a search adds numbers, and reads no text. */

/** Words of a query that count, without the words that say little. */
const wordsMax = 8;

/** Data that JSON can hold. */
export interface WordIndex {
  textsCount: number;
  /** Every word of the texts in lower case, sorted by its UTF-16 code units. */
  words: readonly string[];
  /** For each word its texts, as number of the text × `weightsMax` + weight of the best part with the word. */
  entries: readonly (readonly number[])[];
}

const weightsMax = 4;

/** Indexes texts. Each has up to three parts, the most important first. */
export function indexTexts(texts: readonly (readonly string[])[]): WordIndex {
  const weights = new Map<string, Map<number, number>>();
  for (const [text, parts] of texts.entries()) {
    for (const [position, part] of parts.entries()) {
      for (const word of indexedWords(part)) {
        const ofWord = weights.get(word) ?? new Map<number, number>();
        weights.set(word, ofWord);
        ofWord.set(text, Math.max(ofWord.get(text) ?? 0, parts.length - position));
      }
    }
  }
  const words = [...weights.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const entries = words.map((word) =>
    [...(weights.get(word) ?? [])].map(([text, weight]) => text * weightsMax + weight),
  );
  return { textsCount: texts.length, words, entries };
}

const wordPattern = /[\p{L}\p{N}]+/gu;

/** Letters and digits in lower case; of a name such as `linkAuth` also `auth`, because its beginning is found anyway. */
function indexedWords(text: string): string[] {
  return (text.match(wordPattern) ?? []).flatMap((word) => {
    const [, ...parts] = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    return [word, ...parts].map((each) => each.toLowerCase());
  });
}

/** Stop words of a search. */
const fillers = new Set(
  'a an and can do for how i in is it make my of the to what with'.split(' '),
);

/** The words of a query that are searched for: those that say little only if there is no other. */
export function searchedWords(query: string): string[] {
  const all = [...new Set(query.toLowerCase().match(wordPattern) ?? [])];
  const telling = all.filter((word) => !fillers.has(word));
  return (telling.length === 0 ? all : telling).slice(0, wordsMax);
}

/** Scores each text that has every word of `wanted`, or a word that begins so: a whole word counts twice. Others get 0. */
export function scoreTexts(index: WordIndex, wanted: readonly string[]): Uint16Array {
  const sums = new Uint16Array(index.textsCount);
  for (const [position, word] of wanted.entries()) {
    const scores = scoresOf(index, word);
    for (const [text, score] of scores.entries()) {
      const isFound = score > 0 && (position === 0 || sums[text] !== 0);
      sums[text] = isFound ? (sums[text] ?? 0) + score : 0;
    }
  }
  return sums;
}

function scoresOf({ textsCount, words, entries }: WordIndex, wanted: string): Uint8Array {
  const scores = new Uint8Array(textsCount);
  for (let at = firstFrom(words, wanted); words[at]?.startsWith(wanted) === true; at += 1) {
    const factor = words[at] === wanted ? 2 : 1;
    for (const entry of entries[at] ?? []) {
      const text = Math.floor(entry / weightsMax);
      scores[text] = Math.max(scores[text] ?? 0, (entry % weightsMax) * factor);
    }
  }
  return scores;
}

/** The position of the first word that is not before `wanted`. */
function firstFrom(words: readonly string[], wanted: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
