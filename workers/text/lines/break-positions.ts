/** Finds line break positions: UAX #14, dictionaries (Thai, Lao, Khmer, Burmese), whole words (Korean). */
import LineBreaker from 'linebreak';
import { graphemeStarts } from '../emoji.ts';
import { asInBrowsers } from './browser-breaks.ts';

/** Letters of scripts without spaces between words. UAX #14 needs a dictionary for them, not for punctuation. */
const dictionaryScripts =
  /[[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{M}\p{N}]]+/gv;
const words = new Intl.Segmenter('th', { granularity: 'word' });
/** Text in which the algorithm's break positions need corrections. */
const beyondLatin = /[^\p{ASCII}\u0080-\u02FF\u0370-\u052F\u1E00-\u206F\u20A0-\u20BF]/u;
const hangul = /\p{Script=Hangul}/u;
const wordPair = /^[\p{L}\p{N}]{2}$/u;

/**
 * Returns the ends of unbreakable parts as UTF-16 offsets, ascending; the last is the text's end. Strict breaking has
 * fewer positions than normal breaking (CSS Text 3, 5.3).
 */
export function breakPositions(
  text: string,
  lang: string,
  lineBreak: 'strict' | 'normal' = 'strict',
): number[] {
  if (!beyondLatin.test(text)) return asInBrowsers(text, algorithmBreaks(text));
  const korean = /^ko\b/i.test(lang);
  const found = [
    ...algorithmBreaks(asRead(text, lang, lineBreak)),
    ...dictionaryBreaks(text),
    ...(korean ? [] : bracketBreaks(text)),
  ];
  const all = asInBrowsers(
    text,
    [...new Set(found)].toSorted((a, b) => a - b),
  );
  // The algorithm's tables are older than some emoji sequences; a line never ends inside a grapheme.
  const starts = graphemeStarts(text);
  return all.filter((position) => starts.has(position) && !(korean && isInWord(text, position)));
}

function algorithmBreaks(text: string): number[] {
  const positions: number[] = [];
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    positions.push(next.position);
  }
  return positions;
}

function* dictionaryBreaks(text: string): Generator<number> {
  for (const match of text.matchAll(dictionaryScripts)) {
    for (const word of words.segment(match[0])) {
      if (word.index > 0) yield match.index + word.index;
    }
  }
}

/** Whether a position is inside a Korean word, which ends at a space: beside a Hangul letter, between letters and digits. */
function isInWord(text: string, position: number): boolean {
  const pair = text.slice(position - 1, position + 1);
  return hangul.test(pair) && wordPair.test(pair);
}

// Adapts Japanese and Chinese text to the algorithm, which has pairs of classes but no widths.

/** East Asian characters as wide as an ideograph, for a character class. */
const wide =
  '\\u2E80-\\uA4CF\\uF900-\\uFAFF\\uFE30-\\uFE6F\\uFF01-\\uFF60\\uFFE0-\\uFFE6\\u{20000}-\\u{3FFFF}';
/** Quotation marks between wide characters open and close like brackets (Unicode 16, LB19a). */
const openingQuote = new RegExp(`(?<=[${wide}])[“‘](?=[${wide}])`, 'gu');
const closingQuote = new RegExp(`(?<=[${wide}])[”’](?=[${wide}])`, 'gu');
/** Positions before wide brackets that follow letters, digits and percent signs (Unicode 13, LB30). */
const beforeBracket = /(?<=[\p{L}\p{N}%％])(?=[「『（［｛〈《【〔〖〘〝｟])/gu;
/** Class CJ: small kana and prolonged sound marks, which `linebreak` handles by strict breaking. */
const smallKana = /[ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶー\u31F0-\u31FF\uFF67-\uFF70]/g;
const wavyHyphen = /[〜゠]/g;

/** Replaces characters by characters of the same length that have the wanted break positions. */
function asRead(text: string, lang: string, lineBreak: 'strict' | 'normal'): string {
  const quoted = text.replace(openingQuote, '「').replace(closingQuote, '」');
  if (lineBreak === 'strict') return quoted;
  const looser = quoted.replace(smallKana, '漢');
  return /^(?:ja|zh)\b/i.test(lang) ? looser.replace(wavyHyphen, '漢') : looser;
}

function* bracketBreaks(text: string): Generator<number> {
  for (const { index } of text.matchAll(beforeBracket)) yield index;
}
