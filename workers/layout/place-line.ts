/** Positions the pieces of one line: letters in runs, and the backgrounds and rules of spans. */
import type { TextLayer } from '#language/schema/text.ts';
import type { Rect, TextDecoration, TextRun } from '../display-list.ts';
import type { Line } from '../text/lines/break-lines.ts';
import { splitGraphemes } from '../text/emoji.ts';
import type { LineMetrics } from '../text/lines/metrics.ts';
import type { SetPiece } from '../text/lines/width.ts';
import { setPieces, splitWords } from '../text/lines/width.ts';
import { wordSpacePattern } from '../text/measure.ts';
import { splitDrawn } from '../text/drawn-parts.ts';
import { outlineRun } from '../text/outlines.ts';
import type { Piece } from '../text/paragraphs.ts';
import { neededFamilies } from '../text/font-runs.ts';
import { fontAt, rememberFace } from '../text/style.ts';
import { tabsAtRatio } from '../text/tabs.ts';
import { textInk, textWidthEm } from '../text/text-width.ts';
import type { Interval, Stripe } from './stripes.ts';
import { backgroundStripe, joinStripes, ruleStripes, underlineInks } from './stripes.ts';

/** The painted parts of a text, in design pixels. */
export interface PlacedText {
  backgrounds: TextDecoration[];
  runs: TextRun[];
  /** Underlines and strikes. */
  rules: TextDecoration[];
  /** The layer's box, higher if the text grew. */
  box: Rect;
  /** Upper edge of the first line. */
  top: number;
}

/** A line's position, and the space that `justify` distributes in it. */
export interface LinePosition extends LineMetrics {
  x: number;
  y: number;
  ratio: number;
  /** Added to each space, or to each grapheme of a line without spaces, in design pixels. */
  spaceExtra: number;
  letterExtra: number;
}

/** Adds a line of the layer to the painted parts. */
export function placeLine(
  layer: TextLayer,
  line: Line,
  position: LinePosition,
  placed: PlacedText,
): void {
  // A line of white space has no underline, strike or pill.
  if (line.pieces.every(({ text }) => text.trim() === '')) return;
  const { set } = setPieces(
    line.pieces,
    position.spaceExtra !== 0,
    tabsAtRatio(line.paragraph, position.ratio).tabs,
  );
  const firstBackground = placed.backgrounds.length;
  const rules: Stripe[] = [];
  let extra = 0;
  let right = position.x;
  for (const [index, one] of set.entries()) {
    const x = position.x + one.x * position.ratio + extra;
    const added = extraWidth(one.piece.text, position, index === set.length - 1);
    const width = one.width * position.ratio + added;
    const inks = placeRuns(one, x, position, placed);
    // Letters with a large negative spacing overlap and have no width.
    if (width > 0) {
      const { piece } = one;
      const along = { start: x, end: x + width };
      const size = piece.style.size * position.ratio;
      const background = backgroundStripe(piece, size, along);
      if (background !== undefined) placed.backgrounds.push(toDecoration(background, position));
      rules.push(...ruleStripes(piece, size, along, inks, layer.stroke?.width ?? 0));
    }
    extra += added;
    right = x + width;
  }
  placed.rules.push(...joinStripes(rules).map((stripe) => toDecoration(stripe, position)));
  if (layer.linePill === undefined) return;
  const { paddingX = 0, paddingY = 0, cornerRadius = 0, fill } = layer.linePill;
  const rect = {
    x: position.x - paddingX,
    y: position.y - position.ascent - paddingY,
    width: Math.max(0, right - position.x) + 2 * paddingX,
    height: position.ascent + position.descent + 2 * paddingY,
  };
  // Below the backgrounds of the line's spans.
  placed.backgrounds.splice(firstBackground, 0, { rect, cornerRadius, fill });
}

/** Returns the width that `justify` adds to a piece. The last letter of a line gets no space after it. */
function extraWidth(
  text: string,
  { spaceExtra, letterExtra }: LinePosition,
  isLast: boolean,
): number {
  if (spaceExtra !== 0) return spaceExtra * countSpaces(text);
  if (letterExtra === 0) return 0;
  return letterExtra * (splitGraphemes(text).length - (isLast ? 1 : 0));
}

/** Adds a piece as one run, or word by word if its spaces are widened. Returns where letters cross its underline. */
function placeRuns(
  { piece }: SetPiece,
  x: number,
  position: LinePosition,
  placed: PlacedText,
): Interval[] {
  const { face, style, text, level } = piece;
  if (face.kind === 'tab') return [];
  const size = style.size * position.ratio;
  const isSpread = face.wordSpacingEm !== 0 || position.spaceExtra !== 0;
  // The engine excludes white space at the end of a run from its width, so it is not part of a run.
  const spacing = letterSpacingOf(piece, position);
  const rtl = level % 2 === 1;
  const whole = isSpread ? splitWords(text) : splitEnd(text);
  const parts = rtl ? whole : whole.flatMap((part) => splitDrawn(face, part, spacing / size));
  const widths = parts.map((part) => {
    const extra =
      position.letterExtra === 0 ? 0 : position.letterExtra * splitGraphemes(part).length;
    return textWidthEm(face, part) * size + position.spaceExtra * countSpaces(part) + extra;
  });
  const inks: Interval[] = [];
  let left = x - (piece.trim?.before ?? 0) * size;
  for (const index of rtl ? [...parts.keys()].toReversed() : parts.keys()) {
    const part = parts[index] ?? '';
    const width = (widths[index] ?? 0) - (piece.trim?.after ?? 0) * size;
    if (part.trim() !== '') {
      const piecePart = { ...piece, text: part };
      placed.runs.push(toRun(piecePart, left, width, position));
      inks.push(...underlineInks(piecePart, size, left, spacing));
    }
    left += width;
  }
  return inks;
}

/** Splits a text before its trailing white space. */
function splitEnd(text: string): string[] {
  const shown = text.trimEnd();
  return shown === text ? [text] : [shown, text.slice(shown.length)];
}

/** Returns the space after each letter, in design pixels. */
function letterSpacingOf(
  { face, style }: Pick<Piece, 'face' | 'style'>,
  { ratio, letterExtra }: LinePosition,
): number {
  return face.letterSpacingEm * style.size * ratio + letterExtra;
}

function toRun(
  { text, face, style, level }: Piece,
  x: number,
  width: number,
  position: LinePosition,
): TextRun {
  const size = style.size * position.ratio;
  const letterSpacing = letterSpacingOf({ face, style }, position);
  const direction = level % 2 === 1 ? 'rtl' : 'ltr';
  const glyphs = outlineRun(face, text, direction, letterSpacing / size);
  const css = fontAt(face, size, neededFamilies(face, text));
  const { features, variations } = face;
  return {
    text,
    x,
    y: position.y,
    width,
    font: rememberFace({ css, size, features, variations, letterSpacing }, face),
    direction,
    fill: style.fill,
    ...(glyphs === undefined ? { ink: textInk(face, text) } : { glyphs }),
  };
}

function toDecoration(
  { start, end, top, bottom, fill }: Stripe,
  { y }: LinePosition,
): TextDecoration {
  const rect = { x: start, y: y + top, width: end - start, height: bottom - top };
  return { rect, cornerRadius: 0, fill };
}

/** Counts the spaces of a text that justification widens. */
export function countSpaces(text: string): number {
  return text.match(wordSpacePattern)?.length ?? 0;
}
