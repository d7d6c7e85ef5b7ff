/** Positions broken lines in a box: baselines and left edges. */
import type { TextLayer } from '#language/schema/text.ts';
import type { Rect } from '../display-list.ts';
import type { Line } from '../text/lines/break-lines.ts';
import { splitGraphemes } from '../text/emoji.ts';
import {
  heightTolerance,
  linesHeight,
  metricsOf,
  slacksOf,
  spaceAbove,
} from '../text/lines/fit-text.ts';
import type { LineSlack } from '../text/lines/fit-text.ts';
import { setPieces } from '../text/lines/width.ts';
import type { LinePosition, PlacedText } from './place-line.ts';
import { countSpaces, placeLine } from './place-line.ts';

/** Returns the part of a layer's box for lines, so that the ends of their pills are inside the box too. */
export function linesBox({ linePill }: TextLayer, box: Rect): Rect {
  const padding = Math.min(linePill?.paddingX ?? 0, box.width / 2);
  return { ...box, x: box.x + padding, width: box.width - 2 * padding };
}

/** Returns the layer's box, enlarged if the text grows: downwards, or upwards for lines aligned to the bottom. */
function filledBox({ overflow, verticalAlign }: TextLayer, box: Rect, needed: number): Rect {
  if (overflow !== 'grow' || needed <= box.height) return box;
  const y = verticalAlign === 'bottom' ? box.y + box.height - needed : box.y;
  return { ...box, y, height: needed };
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
  const height = linesHeight(lines, ratio);
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
  for (const line of lines) {
    const lineMetrics = metricsOf(line, ratio);
    top += spaceAbove(line, ratio);
    const justified =
      layer.align === 'justify' && !line.endsParagraph && line.paragraph.tabs === undefined;
    const position: LinePosition = {
      ...lineMetrics,
      x: box.x + (justified ? 0 : lineStart(layer, line, box.width - line.width)),
      y: top + lineMetrics.baseline,
      ratio,
      ...(justified ? spread(line, box.width, ratio) : { spaceExtra: 0, letterExtra: 0 }),
    };
    placeLine(layer, line, position, placed);
    top += lineMetrics.height;
  }
  return placed;
}

/**
 * Returns the top of the first line, relative to the top of the box. Ink lower than that of a p moves the line up
 * only if the ink would be cut or would leave the box. The layer's clip and the canvas cut a visible text, but the box
 * does not.
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
  const free = box.height - height;
  const wanted = wantedTop(layer, free);
  const ofFirst = slacksOf(first, ratio);
  const ofLast = first === last ? ofFirst : slacksOf(last, ratio);
  const { slackAbove: leastAbove } = ofFirst.least;
  if (isInside(wanted, free, leastAbove, ofLast.least.slackBelow)) return wanted;
  const { slackAbove } = ofFirst.ink();
  const { slackBelow: plain } = ofLast.plain;
  const { slackBelow: ink } = ofLast.ink();
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
  layer: TextLayer,
  boxHeight: number,
  height: number,
  firstHeight: number,
  { slackAbove, slackBelow }: LineSlack,
): number {
  const { overflow, verticalAlign = 'top' } = layer;
  const free = boxHeight - height;
  const wanted = wantedTop(layer, free);
  const highest = -slackAbove;
  const lowest = free + slackBelow;
  if (highest <= lowest + heightTolerance) return Math.min(Math.max(wanted, highest), lowest);
  if (overflow === 'visible' || firstHeight - slackBelow <= boxHeight) return wanted;
  // Letters higher than the box are moved so that as much as possible is inside.
  return { top: highest, middle: (highest + lowest) / 2, bottom: lowest }[verticalAlign];
}

/** Returns the top of the first line by alignment alone; `free` is the height of the box without the lines. */
function wantedTop({ verticalAlign = 'top' }: TextLayer, free: number): number {
  return { top: 0, middle: free / 2, bottom: free }[verticalAlign];
}

/** Whether letters with this slack are inside the box if the first line is at `top`; `topOf` then returns `top`. */
function isInside(top: number, free: number, slackAbove: number, slackBelow: number): boolean {
  return -slackAbove <= top && top <= free + slackBelow;
}

function lineStart(layer: TextLayer, line: Line, free: number): number {
  const rtl = line.paragraph.direction === 'rtl';
  // Lines with tabs start at one edge, so that their columns align.
  if (line.paragraph.tabs !== undefined) return rtl ? free : 0;
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
  // The count is by piece, as pieces are drawn: a mark after an emoji is a separate piece.
  const gaps = pieces.reduce((sum, piece) => sum + splitGraphemes(piece.text).length, -1);
  const spreads = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  const free = boxWidth - width;
  return spreads && gaps > 0 && free > 0 ? { ...none, letterExtra: free / gaps } : none;
}
