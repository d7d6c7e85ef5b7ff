/** Tells which graphemes are emoji pictures, by the presentation rules of Unicode UTS #51. */

/** Could hold an emoji at all; plain text leaves by this one test. */
const candidatePattern = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3|\uFE0F/u;
/** Marks of letters, which no emoji font has; not keycaps and selectors. */
const letterMark = /(?![\uFE00-\uFE0F\u20E3])\p{M}/u;
const textPresentation = '\uFE0E';
const emojiPresentation = '\uFE0F';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A stretch of text that is all emoji or has none. */
export interface EmojiSpan {
  text: string;
  emoji: boolean;
}

/**
 * Splits text into stretches with and without emoji. ZWJ sequences, skin tones, flags and keycaps
 * stay whole; U+FE0E asks for the letter form and U+FE0F for the picture. Marks after a picture are letters.
 */
export function splitEmoji(text: string): EmojiSpan[] {
  if (!candidatePattern.test(text)) return [{ text, emoji: false }];
  const spans: EmojiSpan[] = [];
  const add = (part: string, emoji: boolean): void => {
    const last = spans.at(-1);
    if (last !== undefined && last.emoji === emoji) last.text += part;
    else if (part !== '') spans.push({ text: part, emoji });
  };
  for (const { segment } of graphemes.segment(text)) {
    const emoji = isEmoji(segment);
    const picture = emoji ? segment.split(letterMark, 1)[0] : segment;
    add(picture ?? '', emoji);
    add(segment.slice(picture?.length), false);
  }
  return spans;
}

function isEmoji(grapheme: string): boolean {
  if (grapheme.includes(textPresentation)) return false;
  if (grapheme.includes(emojiPresentation)) return /\p{Emoji}/u.test(grapheme);
  // Pictographs beyond the first plane are in no text font, whatever their default presentation.
  return /\p{Emoji_Presentation}|\p{Extended_Pictographic}\u200D|(?=\p{Emoji})[\u{1F000}-\u{1FAFF}]/u.test(
    grapheme,
  );
}

/** The graphemes of a text, in order: what a reader takes for one character. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** UTF-16 offsets at which graphemes start, and the text's end. */
export function graphemeStarts(text: string): Set<number> {
  const starts = new Set<number>([text.length]);
  for (const { index } of graphemes.segment(text)) starts.add(index);
  return starts;
}

/** Where a grapheme ends that reaches over a UTF-16 offset, or the offset itself where one begins. */
export function graphemeBorder(text: string, offset: number): number {
  const found = graphemes.segment(text).containing(offset);
  if (found === undefined || found.index === offset) return offset;
  return found.index + found.segment.length;
}
