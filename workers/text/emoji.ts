/** Finds graphemes that are emoji images, by the presentation rules of Unicode UTS #51. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';

/** Matches text that may contain an emoji; other text needs only this test. */
const candidatePattern = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3|\uFE0F/u;
/** Marks of letters, which no emoji font has; without keycaps and selectors. */
const letterMark = /(?![\uFE00-\uFE0F\u20E3])\p{M}/u;
const textPresentation = '\uFE0E';
const emojiPresentation = '\uFE0F';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Characters that may belong to one grapheme with a neighbour (Unicode UAX #29, table 2): marks, characters that join,
 * control or precede others, halves of flags, skin tones, parts of Hangul and Kirat syllables, line ends. A grapheme
 * ends between any two others.
 */
const joining =
  '\\p{M}\\p{Grapheme_Extend}\\p{Default_Ignorable_Code_Point}\\p{C}\\p{Zl}\\p{Zp}\\p{Regional_Indicator}\\p{Emoji_Modifier}' +
  '\\u0D4E\\u0E33\\u0EB3\\u1100-\\u11FF\\uA960-\\uA97F\\uD7B0-\\uD7FF\\u{111C2}\\u{111C3}\\u{113D1}\\u{1193F}\\u{11941}' +
  '\\u{11A3A}\\u{11A84}-\\u{11A89}\\u{11D46}\\u{11F02}\\u{16D63}-\\u{16D6A}';
const joiningPattern = new RegExp(`[${joining}]`, 'u');
/** Parts of a text with such characters and the letters next to them. */
const joinedStretches = new RegExp(
  `[^${joining}]?[${joining}](?:[${joining}]|[^${joining}](?=[${joining}]))*[^${joining}]?`,
  'gu',
);
/** Cache of the graphemes of such parts: syllables recur, and the segmenter takes 1 µs for each. */
const knownStretches = new LRUCache<string, readonly string[]>(entryLimit(10_000));
/** Upper bound of the UTF-16 units of a cached part. */
const keptUnitsMax = 24;

/** A part of a text of one kind: letters, color emoji, or emoji that U+FE0E makes plain. */
export interface EmojiSpan {
  text: string;
  kind: 'letters' | 'emoji' | 'plain-emoji';
}

/**
 * Splits text into parts of letters and of emoji. ZWJ sequences, skin tones, flags and keycaps stay whole.
 * U+FE0E selects the plain form and U+FE0F the color form. Marks after an emoji are letters.
 */
export function splitEmoji(text: string): EmojiSpan[] {
  if (!candidatePattern.test(text)) return [{ text, kind: 'letters' }];
  const spans: EmojiSpan[] = [];
  const add = (part: string, kind: EmojiSpan['kind']): void => {
    const last = spans.at(-1);
    if (last !== undefined && last.kind === kind) last.text += part;
    else if (part !== '') spans.push({ text: part, kind });
  };
  for (const segment of splitGraphemes(text)) {
    const kind = kindOf(segment);
    const [emoji = ''] = kind === 'letters' ? [segment] : segment.split(letterMark, 1);
    add(emoji, kind);
    add(segment.slice(emoji.length), 'letters');
  }
  return spans;
}

function kindOf(grapheme: string): EmojiSpan['kind'] {
  if (grapheme.includes(textPresentation)) {
    return /\p{Extended_Pictographic}/u.test(grapheme) ? 'plain-emoji' : 'letters';
  }
  if (grapheme.includes(emojiPresentation))
    return /\p{Emoji}/u.test(grapheme) ? 'emoji' : 'letters';
  // No text font has pictographs beyond the first plane, so their default presentation does not matter.
  const isEmoji =
    /\p{Emoji_Presentation}|\p{Extended_Pictographic}\u200D|(?=\p{Emoji})[\u{1F000}-\u{1FAFF}]/u;
  return isEmoji.test(grapheme) ? 'emoji' : 'letters';
}

/** Returns the graphemes of a text (user-perceived characters), in order. */
export function splitGraphemes(text: string): string[] {
  if (!joiningPattern.test(text)) return Array.from(text);
  const parts: string[] = [];
  let start = 0;
  for (const { 0: stretch, index } of text.matchAll(joinedStretches)) {
    if (index > start) parts.push(...Array.from(text.slice(start, index)));
    parts.push(...splitStretch(stretch));
    start = index + stretch.length;
  }
  if (start < text.length) parts.push(...Array.from(text.slice(start)));
  return parts;
}

function splitStretch(stretch: string): readonly string[] {
  const known = knownStretches.get(stretch);
  if (known !== undefined) return known;
  const parts = Array.from(graphemes.segment(stretch), ({ segment }) => segment);
  if (stretch.length > keptUnitsMax) return parts;
  knownStretches.set(stretch, parts);
  return parts;
}

/** Returns the UTF-16 offsets at which graphemes start, and the text's end. */
export function graphemeStarts(text: string): Set<number> {
  const starts = new Set<number>([text.length]);
  let start = 0;
  for (const grapheme of splitGraphemes(text)) {
    starts.add(start);
    start += grapheme.length;
  }
  return starts;
}

/** Returns the end of the grapheme around a UTF-16 offset, or the offset itself if a grapheme starts there. */
export function graphemeBorder(text: string, offset: number): number {
  // The segmenter takes 10 µs.
  if (!joiningPattern.test(text.slice(Math.max(0, offset - 2), offset + 2))) return offset;
  const found = graphemes.segment(text).containing(offset);
  if (found === undefined || found.index === offset) return offset;
  return found.index + found.segment.length;
}
