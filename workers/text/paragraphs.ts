/** Makes styled text ready to be broken: clean characters, paragraphs, direction, unbreakable segments. */
// Its ES module: of CommonJS, Node looks for the exports first, and compiles what looks for them five times.
import createBidi from 'bidi-js/dist/bidi.mjs';
import { lineBreakPattern } from '#language/limits/text-limit.ts';
import { breakPositions } from './lines/break-positions.ts';
import { splitEmoji, graphemeBorder } from './emoji.ts';
import { hasJoinedScript, joiner, joinsAt } from './joining.ts';
import type { Tabs } from './tabs.ts';
import { sampleOf } from './lines/metrics.ts';
import type { FontFace, StyledText, TextStyle } from './style.ts';
import { fontFace } from './style.ts';

const bidi = createBidi();

/** A stretch of one paragraph with one look, one face and one bidi level, by its UTF-16 offsets. */
export interface Stretch {
  start: number;
  end: number;
  style: TextStyle;
  face: FontFace;
  /** Unicode bidi embedding level; odd reads right to left. */
  level: number;
}

/** A part of a line that is painted with one call. */
export interface Piece {
  text: string;
  style: TextStyle;
  face: FontFace;
  level: number;
}

/** What may not be broken, `start` to `visibleEnd`, and the white space after it, to `end`. */
export interface Segment {
  start: number;
  /** White space from here on takes no room at a line's end. */
  visibleEnd: number;
  end: number;
  /** A soft hyphen ends it: a line that breaks here shows a hyphen. */
  hyphen: boolean;
}

export interface Paragraph {
  text: string;
  direction: 'ltr' | 'rtl';
  /** In order, without gaps. */
  stretches: Stretch[];
  /** In order, without gaps; none in an empty paragraph. */
  segments: Segment[];
  /** The style at its start: it gives an empty paragraph its height. */
  style: TextStyle;
  lang: string;
  /** As in line-metrics.ts. */
  sample: string;
  highSample: string;
  /** Space above its first line, design pixels at the layer's own size. */
  spaceAbove: number;
  /** Where its tabs move on to; undefined if it has none. */
  tabs: Tabs | undefined;
}

const rightToLeftPattern =
  /[\u0590-\u08FF\u200F\u202B\u202E\u2067\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const firstStrongRightToLeft =
  /^[^\p{L}\u200E\u200F]*[\u200F\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** No shape and no meaning here: controls that end no line (a tab becomes spaces first), byte order marks. */
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const controlPattern = /[\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFEFF]/g;
/** White space that hangs over a line's end: not what forbids a break (no-break spaces). */
export const hangingSpace = /[ \t\u1680\u2000-\u2006\u2008-\u200A\u205F\u3000]+$/;
const softHyphen = '\u00AD';
const softHyphens = /\u00AD/g;
/** Selectors that have done their work: with them the engine would search every font for the pair. */
const invisibleInLetters = /\u00AD|\uFE0E|\uFE0F/g;

/**
 * Splits styled text into paragraphs of unbreakable segments. `direction` is forced, or `auto`: the
 * first strong character of each paragraph decides (Unicode UAX #9, P2 and P3). A tab becomes spaces, unless it is kept.
 */
export function splitParagraphs(
  spans: readonly StyledText[],
  lang: string,
  direction: 'auto' | 'ltr' | 'rtl' = 'auto',
  keepsTabs = false,
): Paragraph[] {
  const first = spans[0];
  if (first === undefined) return [];
  const paragraphs: StyledText[][] = [[]];
  for (const span of spans) {
    const [start = '', ...rest] = cleanText(span.text, keepsTabs).split(lineBreakPattern);
    paragraphs.at(-1)?.push({ text: start, style: span.style });
    for (const text of rest) paragraphs.push([{ text, style: span.style }]);
  }
  return paragraphs.map((parts) => buildParagraph(wholeGraphemes(parts), lang, direction));
}

function cleanText(text: string, keepsTabs: boolean): string {
  const spaced = keepsTabs ? text : text.replaceAll('\t', '    ');
  return spaced.toWellFormed().replace(controlPattern, '');
}

function buildParagraph(
  parts: readonly StyledText[],
  lang: string,
  direction: 'auto' | 'ltr' | 'rtl',
): Paragraph {
  const text = parts.map((part) => part.text).join('');
  const style = parts.find((part) => part.text !== '')?.style ?? parts[0]?.style;
  if (style === undefined) throw new TypeError('a paragraph has at least one part');
  const rtl = direction === 'auto' ? firstStrongRightToLeft.test(text) : direction === 'rtl';
  const mixed = rtl || rightToLeftPattern.test(text);
  const levels = mixed ? bidi.getEmbeddingLevels(text, rtl ? 'rtl' : 'ltr').levels : undefined;
  const segments: Segment[] = [];
  let start = 0;
  for (const end of breakPositions(text, lang)) {
    const whole = text.slice(start, end);
    const visibleEnd = start + whole.replace(hangingSpace, '').length;
    segments.push({ start, visibleEnd, end, hyphen: whole.endsWith(softHyphen) });
    start = end;
  }
  const stretches = splitStretches(parts, levels, lang);
  const sample = sampleOf(text);
  return {
    text,
    direction: rtl ? 'rtl' : 'ltr',
    stretches,
    segments,
    style,
    lang,
    sample,
    highSample: sample,
    spaceAbove: 0,
    tabs: undefined,
  };
}

/** Cuts wherever the look, the bidi level or the kind of glyph changes. */
function splitStretches(
  parts: readonly StyledText[],
  levels: Uint8Array | undefined,
  lang: string,
): Stretch[] {
  const stretches: Stretch[] = [];
  let offset = 0;
  for (const { text, style } of parts) {
    for (const [start, end] of levelRanges(offset, offset + text.length, levels)) {
      const level = levels?.[start] ?? 0;
      let from = start;
      const pieces = splitEmoji(text.slice(start - offset, end - offset));
      for (const { text: piece, kind: pieceKind } of pieces) {
        const spaced = style.letterSpacing !== 0 && pieceKind === 'letters';
        for (const { text: same, joined } of spaced
          ? splitJoined(piece)
          : [{ text: piece, joined: false }]) {
          const kind = joined ? 'joined' : pieceKind;
          const face = fontFace(style, lang, kind);
          stretches.push({ start: from, end: from + same.length, style, face, level });
          from += same.length;
        }
      }
    }
    offset += text.length;
  }
  return stretches;
}

/** Parts letters that may be spaced out from those that may not. */
function splitJoined(text: string): { text: string; joined: boolean }[] {
  if (!hasJoinedScript(text)) return [{ text, joined: false }];
  return text
    .split(/([\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{M}]+)/u)
    .map((part, index) => ({ text: part, joined: index % 2 === 1 && hasJoinedScript(part) }))
    .filter((part) => part.text !== '');
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

/** Index of the stretch that holds an offset, by bisection: there may be one a character. */
export function stretchAt(stretches: readonly Stretch[], offset: number): number {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The pieces of a stretch of the paragraph, as they are painted: without soft hyphens, and with
 * joiners where a joined word is parted, so that its letters keep their shapes.
 */
export function slicePieces(paragraph: Paragraph, start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  const { stretches } = paragraph;
  for (let index = stretchAt(stretches, start); index < stretches.length; index += 1) {
    const stretch = stretches[index];
    if (stretch === undefined || stretch.start >= end) break;
    const { style, face, level } = stretch;
    const from = Math.max(start, stretch.start);
    const to = Math.min(end, stretch.end);
    let text = paragraph.text.slice(from, to);
    text = text.replace(face.kind === 'emoji' ? softHyphens : invisibleInLetters, '');
    if (level % 2 === 1 && hasJoinedScript(text)) {
      if (joinsAt(paragraph.text, from)) text = joiner + text;
      if (joinsAt(paragraph.text, to)) text += joiner;
    }
    if (text !== '') appendPiece(pieces, { text, style, face, level });
  }
  return pieces;
}

/** Adds a piece to a line's, as one with the last where they differ in nothing: both are shaped together. */
export function appendPiece(pieces: Piece[], piece: Piece): void {
  const { text, style, face, level } = piece;
  const last = pieces.at(-1);
  if (last !== undefined && last.style === style && last.face === face && last.level === level) {
    last.text += text;
  } else pieces.push({ ...piece });
}

// Keeps graphemes whole and of bounded height where styled text becomes a paragraph.

/**
 * Marks that follow one letter: what is more is left out, because each stacks on the last and would leave the box.
 * Hebrew with points and cantillation has up to 5, Vietnamese and phonetic letters 2 to 3, Indic conjuncts of four
 * consonants 6; only the monograms of Tibetan have more.
 */
const marksMax = 6;
const manyMarks = /\p{M}[\p{M}\p{Default_Ignorable_Code_Point}]{6}/u;
const markPattern = /\p{M}/u;
/** Joiners between marks begin no new letter. */
const ignorablePattern = /\p{Default_Ignorable_Code_Point}/u;

/**
 * The parts of one paragraph, whose borders stand between graphemes: a grapheme that reaches over a border has the
 * look of its first code point. Marks beyond the most that a letter may carry are gone.
 */
function wholeGraphemes(parts: readonly StyledText[]): StyledText[] {
  const kept = limitMarks(parts);
  if (kept.length === 1) return kept;
  const text = kept.map((part) => part.text).join('');
  let offset = 0;
  let start = 0;
  return kept.map((part) => {
    offset += part.text.length;
    const end = graphemeBorder(text, offset);
    const whole = { text: text.slice(start, end), style: part.style };
    start = Math.max(start, end);
    return whole;
  });
}

function limitMarks(parts: readonly StyledText[]): StyledText[] {
  if (!manyMarks.test(parts.map(({ text }) => text).join(''))) return [...parts];
  let marks = 0;
  return parts.map(({ text, style }) => {
    let kept = '';
    for (const character of text) {
      if (markPattern.test(character)) marks += 1;
      else if (!ignorablePattern.test(character)) marks = 0;
      if (marks <= marksMax || !markPattern.test(character)) kept += character;
    }
    return { text: kept, style };
  });
}
