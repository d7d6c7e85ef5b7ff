/** Prepares styled text for line breaking: clean characters, paragraphs, direction, unbreakable segments. */
import { lineBreakPattern } from '#language/limits/text-limit.ts';
import type { TextLayer } from '#language/schema/text.ts';
import { breakPositions } from './lines/break-positions.ts';
import { hyphenate } from './lines/hyphenation.ts';
import { graphemeBorder } from './emoji.ts';
import { hasJoinedScript, joiner, joinsAt } from './joining.ts';
import type { Tabs } from './tabs.ts';
import { sampleOf } from './lines/metrics.ts';
import type { Punctuation, Trim } from './punctuation.ts';
import { findMarks, trimmedMarks } from './punctuation.ts';
import type { FontFace, StyledText, TextStyle } from './style.ts';
import type { Stretch } from './stretches.ts';
import { splitStretches, stretchAt } from './stretches.ts';
import type { TextRange } from './lines/text-order.ts';
import { orderText } from './lines/text-order.ts';

/** A part of a line that is painted in one call. */
export interface Piece {
  text: string;
  style: TextStyle;
  face: FontFace;
  level: number;
  /** The trim of a punctuation mark, which is a separate piece. */
  trim?: Trim;
}

/** An unbreakable part, from `start` to `visibleEnd`, and the white space after it, to `end`. */
export interface Segment {
  start: number;
  /** Start of the white space that takes no space at the end of a line. */
  visibleEnd: number;
  end: number;
  /** Whether a line that breaks after the segment ends with a hyphen: for a soft hyphen or a hyphenated word. */
  hyphen: boolean;
}

export interface Paragraph {
  text: string;
  direction: 'ltr' | 'rtl';
  /** In order, without gaps. */
  stretches: Stretch[];
  /** In order, without gaps; none in an empty paragraph. */
  segments: Segment[];
  /** The style at the start, which gives an empty paragraph its height. */
  style: TextStyle;
  lang: string;
  /** Undefined if no punctuation is trimmed. */
  punctuation: Punctuation | undefined;
  /** As in `MetricsText` of lines/metrics.ts. */
  sample: string;
  highSample: string;
  /** Space above the first line, in design pixels at size ratio 1. */
  spaceAbove: number;
  /** The tab stops; undefined for a paragraph without tabs. */
  tabs: Tabs | undefined;
}

/** Characters without effect: controls that end no line (a tab becomes spaces first), byte order marks. */
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const controlPattern = /[\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFEFF]/g;
/** White space that takes no space at the end of a line; without no-break spaces. */
export const hangingSpace = /[ \t\u1680\u2000-\u2006\u2008-\u200A\u205F\u3000]+$/;
const softHyphen = '\u00AD';
const softHyphens = /\u00AD/g;
/** Soft hyphens, and selectors, which are applied already: with them the engine would search all fonts. */
const invisibleInLetters = /\u00AD|\uFE0E|\uFE0F/g;

/** The line rules of a layer. */
export type LineRules = Pick<
  TextLayer,
  'direction' | 'hyphenate' | 'lineBreak' | 'path' | 'punctuationTrim'
>;

/**
 * Splits styled text into paragraphs of unbreakable segments. `direction` is forced, or `auto`: the first strong
 * character of each paragraph outside isolates decides (Unicode UAX #9, P2 and P3), else the first one inside. Isolates
 * are not part of the paragraphs' texts. A tab becomes spaces, unless it is kept.
 */
export function splitParagraphs(
  spans: readonly StyledText[],
  lang: string,
  rules: LineRules = {},
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
  return paragraphs.map((parts) => buildParagraph(parts, lang, rules));
}

function cleanText(text: string, keepsTabs: boolean): string {
  const spaced = keepsTabs ? text : text.replaceAll('\t', '    ');
  return spaced.toWellFormed().replace(controlPattern, '');
}

function buildParagraph(parts: readonly StyledText[], lang: string, rules: LineRules): Paragraph {
  const ordered = orderText(limitMarks(parts), rules.direction);
  const whole = wholeGraphemes(ordered.parts);
  const text = whole.map((part) => part.text).join('');
  const style = whole.find((part) => part.text !== '')?.style ?? whole[0]?.style;
  if (style === undefined) throw new TypeError('a paragraph has at least one part');
  const segments = splitSegments(text, lang, rules, ordered.isolated);
  const stretches = splitStretches(whole, ordered.levels, lang);
  const sample = sampleOf(text);
  return {
    text,
    direction: ordered.isRightToLeft ? 'rtl' : 'ltr',
    stretches,
    segments,
    style,
    lang,
    punctuation: findPunctuation(text, stretches, rules),
    sample,
    highSample: sample,
    spaceAbove: 0,
    tabs: undefined,
  };
}

function findPunctuation(
  text: string,
  stretches: readonly Stretch[],
  { path, punctuationTrim = 'none' }: LineRules,
): Punctuation | undefined {
  // Letters along a path are positioned separately.
  if (punctuationTrim === 'none' || path !== undefined) return undefined;
  const marks = findMarks(text, stretches);
  return marks.length === 0 ? undefined : { marks, trimsStart: punctuationTrim === 'start' };
}

function splitSegments(
  text: string,
  lang: string,
  rules: LineRules,
  isolated: readonly TextRange[],
): Segment[] {
  const ends = breakPositions(text, lang, rules.lineBreak);
  const hyphens = new Set<number>();
  if (rules.hyphenate === true) {
    const { positions: found, isSigned } = hyphenate(text, lang);
    // Names and other values are not hyphenated.
    const positions = found.filter(
      (position) => !isolated.some(({ start, end }) => start < position && position < end),
    );
    ends.push(...positions);
    ends.sort((a, b) => a - b);
    if (isSigned) for (const position of positions) hyphens.add(position);
  }
  const segments: Segment[] = [];
  let start = 0;
  for (const end of ends) {
    const whole = text.slice(start, end);
    const visibleEnd = start + whole.replace(hangingSpace, '').length;
    const hyphen = hyphens.has(end) || whole.endsWith(softHyphen);
    segments.push({ start, visibleEnd, end, hyphen });
    start = end;
  }
  return segments;
}

/**
 * Returns the pieces of a line of the paragraph as they are painted: without soft hyphens, and with joiners where a
 * joined word is split, so that its letters keep their shapes. `trimsEnd`: a mark at the end of the line is trimmed.
 */
export function slicePieces(
  paragraph: Paragraph,
  start: number,
  end: number,
  trimsEnd = false,
): Piece[] {
  const pieces: Piece[] = [];
  const { stretches, punctuation } = paragraph;
  const trims = punctuation ? trimmedMarks(punctuation, start, end, trimsEnd) : [];
  let next = 0;
  for (let index = stretchAt(stretches, start); index < stretches.length; index += 1) {
    const stretch = stretches[index];
    if (stretch === undefined || stretch.start >= end) break;
    let from = Math.max(start, stretch.start);
    const to = Math.min(end, stretch.end);
    for (let trim = trims[next]; trim !== undefined && trim.offset < to; trim = trims[next]) {
      appendSlice(pieces, paragraph, stretch, from, trim.offset);
      const { style, face, level } = stretch;
      pieces.push({ text: paragraph.text.charAt(trim.offset), style, face, level, trim });
      from = trim.offset + 1;
      next += 1;
    }
    appendSlice(pieces, paragraph, stretch, from, to);
  }
  return pieces;
}

/** Adds the visible text of a stretch between two offsets. */
function appendSlice(
  pieces: Piece[],
  paragraph: Paragraph,
  { style, face, level }: Stretch,
  from: number,
  to: number,
): void {
  let text = paragraph.text.slice(from, to);
  text = text.replace(face.kind === 'emoji' ? softHyphens : invisibleInLetters, '');
  if (level % 2 === 1 && hasJoinedScript(text)) {
    if (joinsAt(paragraph.text, from)) text = joiner + text;
    if (joinsAt(paragraph.text, to)) text += joiner;
  }
  if (text !== '') appendPiece(pieces, { text, style, face, level });
}

/** Adds a piece to a line, and joins it with the last piece if they have one style: both are then shaped together. */
export function appendPiece(pieces: Piece[], piece: Piece): void {
  const { text, style, face, level } = piece;
  const last = pieces.at(-1);
  const isLike = last?.style === style && last.face === face && last.level === level;
  if (isLike && last.trim === undefined) last.text += text;
  else pieces.push({ ...piece });
}

// Keeps graphemes whole and bounds their height when styled text becomes a paragraph.

/**
 * Upper bound of the marks after one letter. Further marks are left out, because stacked marks would exceed the box.
 * Hebrew with points and cantillation has up to 5, Vietnamese and phonetic letters 2 to 3, Indic conjuncts of four
 * consonants 6; only the monograms of Tibetan have more.
 */
const marksMax = 6;
const manyMarks = /\p{M}[\p{M}\p{Default_Ignorable_Code_Point}]{6}/u;
const markPattern = /\p{M}/u;
/** Joiners between marks, which start no new letter. */
const ignorablePattern = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Returns the parts of one paragraph with borders between graphemes: a grapheme across a border gets the style of its
 * first code point.
 */
function wholeGraphemes(parts: readonly StyledText[]): StyledText[] {
  if (parts.length === 1) return [...parts];
  const text = parts.map((part) => part.text).join('');
  let offset = 0;
  let start = 0;
  return parts.map((part) => {
    offset += part.text.length;
    const end = graphemeBorder(text, offset);
    const whole = { text: text.slice(start, end), style: part.style };
    start = Math.max(start, end);
    return whole;
  });
}

/** Removes marks beyond the maximum of a letter. */
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
