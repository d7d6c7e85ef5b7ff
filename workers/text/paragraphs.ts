/** Makes styled text ready to be broken: clean characters, paragraphs, direction, unbreakable pieces. */
import bidiFactory from 'bidi-js';
import type { Bidi } from 'bidi-js';
import LineBreaker from 'linebreak';
import { splitEmoji } from './emoji.ts';
import type { FontFace, TextStyle } from './style.ts';
import { fontFace } from './style.ts';

// The package's types describe its ES module build; Node loads the CommonJS one, which is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)();

/** A stretch of text with one look, before anything is laid out. */
export interface StyledText {
  text: string;
  style: TextStyle;
}

/** A stretch of one paragraph with one look, one face and one bidi level: painted with one call. */
export interface Piece {
  text: string;
  style: TextStyle;
  face: FontFace;
  /** Unicode bidi embedding level; odd reads right to left. */
  level: number;
}

/** What may not be broken, as its pieces, and the white space that hangs after it. */
export interface Segment {
  pieces: Piece[];
  /** White space that takes no room at a line's end. */
  space: Piece[];
  /** A soft hyphen ends it: a line that breaks here shows a hyphen. */
  hyphen: boolean;
}

export interface Paragraph {
  direction: 'ltr' | 'rtl';
  segments: Segment[];
  /** The style at its start: it gives an empty paragraph its height. */
  style: TextStyle;
}

const rightToLeftPattern =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const firstStrongRightToLeft =
  /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts that write no spaces between words and that UAX #14 leaves to a dictionary. */
const dictionaryScripts = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const words = new Intl.Segmenter('th', { granularity: 'word' });
// oxlint-disable-next-line no-control-regex -- vertical tab and form feed end a line too (UAX #14, BK)
const lineEndPattern = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/;
/** No shape and no meaning here: controls (a tab becomes spaces first), and lone surrogates. */
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const controlPattern = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\uFEFF]/g;
const softHyphen = '\u00AD';

/**
 * Splits styled text into paragraphs of unbreakable segments. `direction` is forced, or `auto`: the
 * first strong character of each paragraph decides (Unicode UAX #9, P2 and P3).
 */
export function splitParagraphs(
  spans: readonly StyledText[],
  lang: string,
  direction: 'auto' | 'ltr' | 'rtl' = 'auto',
): Paragraph[] {
  const first = spans[0];
  if (first === undefined) return [];
  const paragraphs: StyledText[][] = [[]];
  for (const span of spans) {
    const [start = '', ...rest] = cleanText(span.text).split(lineEndPattern);
    paragraphs.at(-1)?.push({ text: start, style: span.style });
    for (const text of rest) paragraphs.push([{ text, style: span.style }]);
  }
  return paragraphs.map((parts) => buildParagraph(parts, lang, direction));
}

function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\t', '    ').replace(controlPattern, '');
}

function buildParagraph(
  parts: StyledText[],
  lang: string,
  direction: 'auto' | 'ltr' | 'rtl',
): Paragraph {
  const text = parts.map((part) => part.text).join('');
  const rtl = direction === 'auto' ? firstStrongRightToLeft.test(text) : direction === 'rtl';
  const mixed = rtl || rightToLeftPattern.test(text);
  const levels = mixed ? bidi.getEmbeddingLevels(text, rtl ? 'rtl' : 'ltr').levels : undefined;
  const segments: Segment[] = [];
  let start = 0;
  for (const end of breakPositions(text)) {
    segments.push(buildSegment(parts, text, start, end, levels, lang));
    start = end;
  }
  const style = parts.find((part) => part.text !== '')?.style ?? parts[0]?.style;
  if (style === undefined) throw new TypeError('a paragraph has at least one part');
  return { direction: rtl ? 'rtl' : 'ltr', segments, style };
}

/** Ends of the unbreakable stretches, ascending; the last is the text's end. */
function breakPositions(text: string): number[] {
  const positions: number[] = [];
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    positions.push(next.position);
  }
  const inside: number[] = [];
  for (const match of text.matchAll(dictionaryScripts)) {
    for (const word of words.segment(match[0])) {
      if (word.index > 0) inside.push(match.index + word.index);
    }
  }
  if (inside.length === 0) return positions;
  return [...new Set([...positions, ...inside])].toSorted((a, b) => a - b);
}

function buildSegment(
  parts: StyledText[],
  text: string,
  start: number,
  end: number,
  levels: Uint8Array | undefined,
  lang: string,
): Segment {
  const whole = text.slice(start, end);
  const hyphen = whole.endsWith(softHyphen);
  const visible = start + whole.trimEnd().length;
  return {
    pieces: slicePieces(parts, start, visible, levels, lang),
    space: slicePieces(parts, visible, end, levels, lang),
    hyphen,
  };
}

/** The pieces of a stretch: cut wherever the look, the bidi level or the kind of glyph changes. */
function slicePieces(
  parts: StyledText[],
  start: number,
  end: number,
  levels: Uint8Array | undefined,
  lang: string,
): Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  for (const part of parts) {
    const from = Math.max(start, offset);
    const to = Math.min(end, offset + part.text.length);
    for (const [a, b] of levelRanges(from, to, levels)) {
      for (const { text, emoji } of splitEmoji(part.text.slice(a - offset, b - offset))) {
        const shown = text.replaceAll(softHyphen, '');
        if (shown === '') continue;
        const level = levels?.[a] ?? 0;
        pieces.push({
          text: shown,
          style: part.style,
          face: fontFace(part.style, lang, emoji),
          level,
        });
      }
    }
    offset += part.text.length;
  }
  return pieces;
}

function levelRanges(
  from: number,
  to: number,
  levels: Uint8Array | undefined,
): [from: number, to: number][] {
  if (from >= to) return [];
  if (levels === undefined) return [[from, to]];
  const ranges: [number, number][] = [];
  let start = from;
  for (let index = from + 1; index <= to; index += 1) {
    if (index < to && levels[index] === levels[start]) continue;
    ranges.push([start, index]);
    start = index;
  }
  return ranges;
}

/** Puts pieces that differ in nothing but their text together again, so that they are shaped as one. */
export function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (
      last !== undefined &&
      last.style === piece.style &&
      last.face === piece.face &&
      last.level === piece.level
    ) {
      joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    } else joined.push(piece);
  }
  return joined;
}
