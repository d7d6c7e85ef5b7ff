/** Positions broken lines in a box: baselines, left edges, visual order, backgrounds and rules. */
import type { TextLayer } from '#language/schema/text.ts';
import type { Rect, TextDecoration, TextRun } from '../display-list.ts';
import type { Line } from '../text/lines/break-lines.ts';
import { splitGraphemes } from '../text/emoji.ts';
import { heightTolerance, inkSlack, metricsOf, plainSlack } from '../text/lines/fit-text.ts';
import type { LineSlack } from '../text/lines/fit-text.ts';
import type { LineMetrics } from '../text/lines/metrics.ts';
import type { SetPiece } from '../text/lines/width.ts';
import { setPieces, splitWords } from '../text/lines/width.ts';
import { wordSpacePattern } from '../text/measure.ts';
import { splitDrawn } from '../text/drawn-parts.ts';
import { outlineRun } from '../text/outlines.ts';
import type { Piece } from '../text/paragraphs.ts';
import { neededFamilies } from '../text/font-runs.ts';
import { fontAt } from '../text/style.ts';
import { textInk, textWidthEm } from '../text/text-width.ts';
import type { Stripe } from './text-spans.ts';
import { backgroundStripe, ruleStripes } from './text-spans.ts';

/** Everything of a text that is painted, in design pixels. */
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
interface LinePosition extends LineMetrics {
  x: number;
  y: number;
  ratio: number;
  /** Added to each space, or to each grapheme of a line without spaces, in design pixels. */
  spaceExtra: number;
  letterExtra: number;
}

/** The part of a layer's box that lines may fill: the ends of their pills lie inside the box too. */
export function linesBox({ linePill }: TextLayer, box: Rect): Rect {
  const padding = Math.min(linePill?.paddingX ?? 0, box.width / 2);
  return { ...box, x: box.x + padding, width: box.width - 2 * padding };
}

/** The layer's box. If the text grows, the upper edge stays, or the lower edge for lines aligned to the bottom. */
function filledBox({ overflow, verticalAlign }: TextLayer, box: Rect, linesHeight: number): Rect {
  if (overflow !== 'grow' || linesHeight <= box.height) return box;
  const y = verticalAlign === 'bottom' ? box.y + box.height - linesHeight : box.y;
  return { ...box, y, height: linesHeight };
}

/**
 * Positions lines that were broken at size ratio `ratio` inside the layer's box, by its alignment. The canvas ends at
 * `canvasHeight`.
 */
export function placeLines(
  layer: TextLayer,
  layerBox: Rect,
  lines: readonly Line[],
  ratio: number,
  canvasHeight: number,
): PlacedText {
  const metrics = lines.map((line) => metricsOf(line, ratio));
  const height = metrics.reduce((sum, one) => sum + one.height, 0);
  const filled = filledBox(layer, layerBox, height);
  const box = linesBox(layer, filled);
  const start = box.y + firstTop(layer, box, height, lines, ratio, canvasHeight);
  const placed: PlacedText = {
    backgrounds: [],
    runs: [],
    rules: [],
    box: filled,
    top: start,
  };
  let top = start;
  for (const [index, line] of lines.entries()) {
    const own = metrics[index];
    if (own === undefined) break;
    const justified = layer.align === 'justify' && !line.endsParagraph;
    const place: LinePosition = {
      ...own,
      x: box.x + (justified ? 0 : lineStart(layer, line, box.width - line.width)),
      y: top + own.baseline,
      ratio,
      ...(justified ? spread(line, box.width, ratio) : { spaceExtra: 0, letterExtra: 0 }),
    };
    placeLine(layer, line, place, placed);
    top += own.height;
  }
  return placed;
}

/**
 * Returns the top of the first line, relative to the top of the box. Ink lower than that of a p moves it up only if it
 * would be cut or would leave the box. A visible text is cut by the layer's clip and the canvas, not by the box.
 */
function firstTop(
  layer: TextLayer,
  box: Rect,
  height: number,
  lines: readonly Line[],
  ratio: number,
  canvasHeight: number,
): number {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return 0;
  const { slackAbove } = inkSlack(first, ratio);
  const { slackBelow: plain } = plainSlack(last, ratio);
  const { slackBelow: ink } = inkSlack(last, ratio);
  const firstHeight = metricsOf(first, ratio).height - slackAbove;
  const top = topOf(layer, box.height, height, firstHeight, { slackAbove, slackBelow: plain });
  const below = canvasHeight - (box.y + top + height);
  const isCut = below + plain >= 0 && below + ink < 0;
  if (layer.overflow === 'visible' && layer.clip === undefined && !isCut) return top;
  return topOf(layer, box.height, height, firstHeight, { slackAbove, slackBelow: ink });
}

/**
 * Returns the top of the first line, relative to the top of the box. If lines exceed the box only by the space above
 * and below their letters, they move so that the letters are inside. `firstHeight` is the height of the first line
 * without the slack above it.
 */
function topOf(
  { overflow, verticalAlign = 'top' }: TextLayer,
  boxHeight: number,
  height: number,
  firstHeight: number,
  { slackAbove, slackBelow }: LineSlack,
): number {
  const free = boxHeight - height;
  const wanted = { top: 0, middle: free / 2, bottom: free }[verticalAlign];
  const highest = -slackAbove;
  const lowest = free + slackBelow;
  if (highest <= lowest + heightTolerance) return Math.min(Math.max(wanted, highest), lowest);
  if (overflow === 'visible' || firstHeight - slackBelow <= boxHeight) return wanted;
  // Letters higher than the box are moved so that as much as possible is inside.
  return { top: highest, middle: (highest + lowest) / 2, bottom: lowest }[verticalAlign];
}

function lineStart(layer: TextLayer, line: Line, free: number): number {
  const rtl = line.paragraph.direction === 'rtl';
  switch (layer.align ?? 'start') {
    case 'left':
      return 0;
    case 'center':
      return free / 2;
    case 'right':
      return free;
    case 'end':
      return rtl ? 0 : free;
    default:
      return rtl ? free : 0;
  }
}

/** Distributes the free width of a justified line between words, or between characters in a line without spaces. */
function spread(
  { pieces, width }: Line,
  boxWidth: number,
  ratio: number,
): { spaceExtra: number; letterExtra: number } {
  const none = { spaceExtra: 0, letterExtra: 0 };
  const text = pieces.map((piece) => piece.text).join('');
  const spaces = countSpaces(text);
  if (spaces > 0) {
    const free = boxWidth - setPieces(pieces, true).width * ratio;
    return free > 0 ? { ...none, spaceExtra: free / spaces } : none;
  }
  // Counted by piece, as pieces are drawn: a mark after an emoji is a piece of its own.
  const gaps = pieces.reduce((sum, piece) => sum + splitGraphemes(piece.text).length, -1);
  const spreads = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  const free = boxWidth - width;
  return spreads && gaps > 0 && free > 0 ? { ...none, letterExtra: free / gaps } : none;
}

function countSpaces(text: string): number {
  return text.match(wordSpacePattern)?.length ?? 0;
}

function placeLine(layer: TextLayer, line: Line, place: LinePosition, placed: PlacedText): void {
  // A line of white space has neither rule nor pill.
  if (line.pieces.every(({ text }) => text.trim() === '')) return;
  const { set } = setPieces(line.pieces, place.spaceExtra !== 0);
  const firstBackground = placed.backgrounds.length;
  let extra = 0;
  let right = place.x;
  for (const [index, one] of set.entries()) {
    const x = place.x + one.x * place.ratio + extra;
    const added = extraWidth(one.piece.text, place, index === set.length - 1);
    const width = one.width * place.ratio + added;
    placeRuns(one, x, place, placed);
    decorate(one, x, width, place, placed);
    extra += added;
    right = x + width;
  }
  if (layer.linePill === undefined) return;
  const { paddingX = 0, paddingY = 0, cornerRadius = 0, fill } = layer.linePill;
  const rect = {
    x: place.x - paddingX,
    y: place.y - place.ascent - paddingY,
    width: Math.max(0, right - place.x) + 2 * paddingX,
    height: place.ascent + place.descent + 2 * paddingY,
  };
  // Below the backgrounds of the line's spans.
  placed.backgrounds.splice(firstBackground, 0, { rect, cornerRadius, fill });
}

/** Width that `justify` adds to a piece; nothing follows the last letter of a line. */
function extraWidth(
  text: string,
  { spaceExtra, letterExtra }: LinePosition,
  isLast: boolean,
): number {
  if (spaceExtra !== 0) return spaceExtra * countSpaces(text);
  if (letterExtra === 0) return 0;
  return letterExtra * (splitGraphemes(text).length - (isLast ? 1 : 0));
}

/** Adds a piece as one run, or word by word if its spaces are widened. */
function placeRuns({ piece }: SetPiece, x: number, place: LinePosition, placed: PlacedText): void {
  const { face, style, text, level } = piece;
  const size = style.size * place.ratio;
  const isSpread = face.wordSpacingEm !== 0 || place.spaceExtra !== 0;
  // The engine excludes white space at the end of a run from its width, so it is not part of a run.
  const spacing = letterSpacingOf(piece, place);
  const rtl = level % 2 === 1;
  const whole = isSpread ? splitWords(text) : splitEnd(text);
  const parts = rtl ? whole : whole.flatMap((part) => splitDrawn(face, part, spacing / size));
  const widths = parts.map((part) => {
    const extra = place.letterExtra === 0 ? 0 : place.letterExtra * splitGraphemes(part).length;
    return textWidthEm(face, part) * size + place.spaceExtra * countSpaces(part) + extra;
  });
  let left = x;
  for (const index of rtl ? [...parts.keys()].toReversed() : parts.keys()) {
    const part = parts[index] ?? '';
    const width = widths[index] ?? 0;
    if (part.trim() !== '') placed.runs.push(toRun({ ...piece, text: part }, left, width, place));
    left += width;
  }
}

/** Splits the white space off the end of a text. */
function splitEnd(text: string): string[] {
  const shown = text.trimEnd();
  return shown === text ? [text] : [shown, text.slice(shown.length)];
}

/** Design pixels. */
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
  place: LinePosition,
): TextRun {
  const size = style.size * place.ratio;
  const letterSpacing = letterSpacingOf({ face, style }, place);
  const direction = level % 2 === 1 ? 'rtl' : 'ltr';
  const glyphs = outlineRun(face, text, direction, letterSpacing / size);
  const css = fontAt(face, size, neededFamilies(face, text));
  return {
    text,
    x,
    y: place.y,
    width,
    font: { css, size, features: face.features, variations: face.variations, letterSpacing },
    direction,
    fill: style.fill,
    ...(glyphs === undefined ? { ink: textInk(face, text) } : { glyphs }),
  };
}

function decorate(
  { piece }: SetPiece,
  x: number,
  width: number,
  { y, ratio }: LinePosition,
  placed: PlacedText,
): void {
  // Letters drawn over each other (a large negative spacing) have no width.
  if (width <= 0) return;
  const size = piece.style.size * ratio;
  const decoration = ({ top, bottom, fill }: Stripe): TextDecoration => {
    return { rect: { x, y: y + top, width, height: bottom - top }, cornerRadius: 0, fill };
  };
  const background = backgroundStripe(piece, size);
  if (background !== undefined) placed.backgrounds.push(decoration(background));
  placed.rules.push(...ruleStripes(piece, size).map(decoration));
}
