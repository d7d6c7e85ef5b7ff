/** Gives broken lines their places in a box: baselines, left edges, visual order, backgrounds and rules. */
import type { TextLayer } from '#language/schema/text.ts';
import type { Rect, TextDecoration, TextRun } from '../display-list.ts';
import type { Line } from '../text/lines/break-lines.ts';
import { splitGraphemes } from '../text/emoji.ts';
import { inkSlack, metricsOf, plainSlack } from '../text/lines/fit-text.ts';
import type { LineSlack } from '../text/lines/fit-text.ts';
import type { LineMetrics } from '../text/lines/metrics.ts';
import type { SetPiece } from '../text/lines/width.ts';
import { setPieces, splitWords } from '../text/lines/width.ts';
import { wordSpacePattern } from '../text/measure.ts';
import { splitDrawn } from '../text/drawn-parts.ts';
import { outlineRun } from '../text/outlines.ts';
import type { Piece } from '../text/paragraphs.ts';
import { fontAt } from '../text/style.ts';
import { textWidthEm } from '../text/text-width.ts';
import type { Stripe } from './text-spans.ts';
import { backgroundStripe, ruleStripes } from './text-spans.ts';

/** Everything of a text that is painted, in design pixels. */
export interface PlacedText {
  backgrounds: TextDecoration[];
  runs: TextRun[];
  /** Underlines and strikes. */
  rules: TextDecoration[];
  /** The layer's box, taller where the text grows. */
  box: Rect;
  /** Upper edge of the first line. */
  top: number;
}

/** A line's place and the room that `justify` hands out in it. */
interface LinePlace extends LineMetrics {
  x: number;
  y: number;
  ratio: number;
  /** Added to each space, or to each grapheme where a line has no space, design pixels. */
  spaceExtra: number;
  letterExtra: number;
}

/** The part of a layer's box that lines may fill: the sides of their pills lie in the box, too. */
export function linesBox({ linePill }: TextLayer, box: Rect): Rect {
  const padding = Math.min(linePill?.paddingX ?? 0, box.width / 2);
  return { ...box, x: box.x + padding, width: box.width - 2 * padding };
}

/** The layer's box; one that grows keeps its upper edge, or its lower edge where lines stand at the bottom. */
function filledBox({ overflow, verticalAlign }: TextLayer, box: Rect, linesHeight: number): Rect {
  if (overflow !== 'grow' || linesHeight <= box.height) return box;
  const y = verticalAlign === 'bottom' ? box.y + box.height - linesHeight : box.y;
  return { ...box, y, height: linesHeight };
}

/**
 * Places lines that were broken at size ratio `ratio` inside the layer's box, as its alignment says. The canvas ends at
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
    const place: LinePlace = {
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
 * Where the first line begins below the box's top. Ink that goes lower than a p moves it up only where it would be cut or
 * leave the box; what cuts a visible text is not the box but the layer's clip and the canvas.
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
 * Where the first line begins below the box's top. Lines that are higher than the box only by the
 * space above and below their letters are moved so that the letters lie inside. `firstHeight` is that of the first line
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
  if (highest <= lowest) return Math.min(Math.max(wanted, highest), lowest);
  if (overflow === 'visible' || firstHeight - slackBelow <= boxHeight) return wanted;
  // Of letters that are higher than the box as much lies inside as can.
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

/** How the free room of a justified line is handed out: between words, or between characters where there are none. */
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
  // As they are set: a mark after a picture is a piece of its own.
  const gaps = pieces.reduce((sum, piece) => sum + splitGraphemes(piece.text).length, -1);
  const spreads = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  const free = boxWidth - width;
  return spreads && gaps > 0 && free > 0 ? { ...none, letterExtra: free / gaps } : none;
}

function countSpaces(text: string): number {
  return text.match(wordSpacePattern)?.length ?? 0;
}

function placeLine(layer: TextLayer, line: Line, place: LinePlace, placed: PlacedText): void {
  // A line of white space shows nothing, neither rule nor pill.
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
  // Behind the backgrounds of the line's own spans.
  placed.backgrounds.splice(firstBackground, 0, { rect, cornerRadius, fill });
}

/** How much `justify` widens a piece; nothing stands after the last letter of a line. */
function extraWidth(text: string, { spaceExtra, letterExtra }: LinePlace, isLast: boolean): number {
  if (spaceExtra !== 0) return spaceExtra * countSpaces(text);
  if (letterExtra === 0) return 0;
  return letterExtra * (splitGraphemes(text).length - (isLast ? 1 : 0));
}

/** Paints a piece as one run, or word by word where the spaces between them are widened. */
function placeRuns({ piece }: SetPiece, x: number, place: LinePlace, placed: PlacedText): void {
  const { face, style, text, level } = piece;
  const size = style.size * place.ratio;
  const isSpread = face.wordSpacingEm !== 0 || place.spaceExtra !== 0;
  // The engine lets white space at a run's end hang outside: it is no part of a run.
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

/** A text without the white space at its end, and that white space. */
function splitEnd(text: string): string[] {
  const shown = text.trimEnd();
  return shown === text ? [text] : [shown, text.slice(shown.length)];
}

/** Design pixels. */
function letterSpacingOf(
  { face, style }: Pick<Piece, 'face' | 'style'>,
  { ratio, letterExtra }: LinePlace,
): number {
  return face.letterSpacingEm * style.size * ratio + letterExtra;
}

function toRun(
  { text, face, style, level }: Piece,
  x: number,
  width: number,
  place: LinePlace,
): TextRun {
  const size = style.size * place.ratio;
  const { features, variations } = face;
  const letterSpacing = letterSpacingOf({ face, style }, place);
  const direction = level % 2 === 1 ? 'rtl' : 'ltr';
  const glyphs = outlineRun(face, text, direction, letterSpacing / size);
  return {
    text,
    x,
    y: place.y,
    width,
    font: { css: fontAt(face, size), size, features, variations, letterSpacing },
    direction,
    fill: style.fill,
    ...(glyphs === undefined ? {} : { glyphs }),
  };
}

function decorate(
  { piece }: SetPiece,
  x: number,
  width: number,
  { y, ratio }: LinePlace,
  placed: PlacedText,
): void {
  // Letters that are drawn over each other (a large negative spacing) have no width.
  if (width <= 0) return;
  const size = piece.style.size * ratio;
  const decoration = ({ top, bottom, fill }: Stripe): TextDecoration => {
    return { rect: { x, y: y + top, width, height: bottom - top }, cornerRadius: 0, fill };
  };
  const background = backgroundStripe(piece, size);
  if (background !== undefined) placed.backgrounds.push(decoration(background));
  placed.rules.push(...ruleStripes(piece, size).map(decoration));
}
