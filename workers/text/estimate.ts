/** Estimates where each character of a paragraph stands, from widths that are measured once a face. */
import { splitGraphemes } from './emoji.ts';
import { measureEm } from './measure.ts';
import type { Paragraph, Stretch } from './paragraphs.ts';
import { slicePieces } from './paragraphs.ts';
import type { FontFace } from './style.ts';

/**
 * Alphabets whose letters stand side by side: a word is as wide as its pairs of letters say. Against
 * whole lines in eight fonts the sum errs by at most 1 in 10,000, and by 1 in 100 in one font that
 * varies its letters by their wider neighbourhood.
 */
const pairedPattern =
  /^[\u0020-\u007E\u00A0-\u024F\u0370-\u03FF\u0400-\u0482\u048A-\u052F\u1E00-\u1FFF\u2010-\u2027\u2030-\u205E\u20A0-\u20C0\u2190-\u21FF]+$/;
/** Emoji of one code point, which are all as wide as one of them. */
const emojiPattern = /^(?:\p{Emoji_Presentation}|[\u{1F000}-\u{1FAFF}]\uFE0F?|\p{Emoji}\uFE0F)+$/u;
const someEmoji = '\u{1F600}';

/**
 * Pairs of one layer that are looked up; prose of 2,000 characters has about 400. A text that is all
 * different pairs has few words for its length, which are measured as they are.
 */
const pairsMax = 600;
/** Pairs kept a face: all of two alphabets. */
const facePairsMax = 20_000;
const pairWidths = new WeakMap<FontFace, Map<string, number>>();

/**
 * Left edges of all UTF-16 units of each paragraph and its right end, design pixels at the layer's
 * own size, letter and word spacings included. A pure function of text and faces, whatever was
 * measured before. Inside words of joined or stacked scripts only the ends are true.
 */
export function estimatePositions(paragraphs: readonly Paragraph[]): Float64Array[] {
  const usesPairs = countPairs(paragraphs) <= pairsMax;
  return paragraphs.map((paragraph) => {
    const positions = new Float64Array(paragraph.text.length + 1);
    for (const stretch of paragraph.stretches) fill(positions, paragraph, stretch, usesPairs);
    return positions;
  });
}

function countPairs(paragraphs: readonly Paragraph[]): number {
  const length = paragraphs.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= pairsMax) return length;
  const pairs = new Set<string>();
  for (const { text } of paragraphs) {
    for (let index = 1; index < text.length; index += 1)
      pairs.add(text.slice(index - 1, index + 1));
  }
  return pairs.size;
}

function fill(
  positions: Float64Array,
  paragraph: Paragraph,
  stretch: Stretch,
  usesPairs: boolean,
): void {
  const { text, segments } = paragraph;
  if (usesPairs && pairedPattern.test(text.slice(stretch.start, stretch.end))) {
    fillPairs(positions, text, stretch);
    return;
  }
  for (const { start, visibleEnd, end } of segments) {
    if (end <= stretch.start || start >= stretch.end) continue;
    fillWord(
      positions,
      paragraph,
      stretch,
      Math.max(start, stretch.start),
      Math.min(visibleEnd, stretch.end),
    );
    fillWord(
      positions,
      paragraph,
      stretch,
      Math.max(visibleEnd, stretch.start),
      Math.min(end, stretch.end),
    );
  }
}

/** Widths by pairs of letters: kerning is a matter of two neighbours. */
function fillPairs(
  positions: Float64Array,
  text: string,
  { start, end, face, style }: Stretch,
): void {
  const pairs = pairsOf(face.unspaced);
  const letterGap = face.letterSpacingEm * style.size;
  const wordGap = face.wordSpacingEm * style.size;
  let x = positions[start] ?? 0;
  for (let index = start; index < end; index += 1) {
    const pair = text.slice(index, Math.min(index + 2, end));
    x += pairEm(pairs, face.unspaced, pair) * style.size + letterGap;
    if (wordGap !== 0 && /^[ \u00A0]/.test(pair)) x += wordGap;
    positions[index + 1] = x;
  }
}

function pairsOf(face: FontFace): Map<string, number> {
  let pairs = pairWidths.get(face);
  if (pairs === undefined || pairs.size > facePairsMax) pairWidths.set(face, (pairs = new Map()));
  return pairs;
}

/** How far the first letter of a pair moves the second one on. */
function pairEm(pairs: Map<string, number>, face: FontFace, pair: string): number {
  const known = pairs.get(pair);
  if (known !== undefined) return known;
  const width =
    pair.length === 1
      ? measureEm(face, pair)
      : measureEm(face, pair) - pairEm(pairs, face, pair.slice(1));
  pairs.set(pair, width);
  return width;
}

/** A stretch inside one segment: only its ends are measured. */
function fillWord(
  positions: Float64Array,
  paragraph: Paragraph,
  stretch: Stretch,
  from: number,
  to: number,
): void {
  if (from >= to) return;
  const width = wordWidth(paragraph, stretch, from, to);
  const left = positions[from] ?? 0;
  for (let index = from + 1; index <= to; index += 1) {
    positions[index] = left + (width * (index - from)) / (to - from);
  }
}

function wordWidth(
  paragraph: Paragraph,
  { face, style }: Stretch,
  start: number,
  end: number,
): number {
  if (face.kind === 'emoji') {
    const text = paragraph.text.slice(start, end);
    const count = splitGraphemes(text).length;
    if (emojiPattern.test(text)) return measureEm(face, someEmoji) * style.size * count;
  }
  let width = 0;
  for (const piece of slicePieces(paragraph, start, end)) {
    width += measureEm(piece.face, piece.text) * style.size;
  }
  return width;
}
