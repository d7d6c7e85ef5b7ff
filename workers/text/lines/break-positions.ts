/** Finds where lines may end inside a paragraph (Unicode UAX #14, dictionaries for Thai, Lao, Khmer and Burmese, whole words for Korean). */
import LineBreaker from 'linebreak';
import { graphemeStarts } from '../emoji.ts';

/** Letters of scripts that write no spaces between words. UAX #14 leaves them to a dictionary, but not their punctuation. */
const dictionaryScripts =
  /[[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{M}\p{N}]]+/gv;
const words = new Intl.Segmenter('th', { granularity: 'word' });
/** Text in which the algorithm's break places need a second look. */
const beyondLatin = /[^\p{ASCII}\u0080-\u02FF\u0370-\u052F\u1E00-\u206F\u20A0-\u20BF]/u;
const hangul = /\p{Script=Hangul}/u;

/** Ends of the unbreakable stretches as UTF-16 offsets, ascending; the last is the text's end. */
export function breakPositions(text: string, lang: string): number[] {
  const positions: number[] = [];
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    positions.push(next.position);
  }
  if (!beyondLatin.test(text)) return positions;
  const all = [...new Set([...positions, ...dictionaryBreaks(text)])].toSorted((a, b) => a - b);
  // The algorithm's tables are older than some emoji sequences; a line never ends inside a grapheme.
  const starts = graphemeStarts(text);
  const korean = /^ko\b/i.test(lang);
  return all.filter((position) => starts.has(position) && !(korean && isInWord(text, position)));
}

function* dictionaryBreaks(text: string): Generator<number> {
  for (const match of text.matchAll(dictionaryScripts)) {
    for (const word of words.segment(match[0])) {
      if (word.index > 0) yield match.index + word.index;
    }
  }
}

/** Between two Hangul letters: Korean with its spaces is read by words, which stay whole where they fit. */
function isInWord(text: string, position: number): boolean {
  return hangul.test(text.charAt(position - 1)) && hangul.test(text.charAt(position));
}
