/** Gives broken lines their places in a box: baselines, left edges, visual order, backgrounds and rules. */
import type { TextLayer } from '#shared/text-schemas.ts';
import type { Rect, TextDecoration, TextRun } from '../display-list.ts';
import type { Line } from '../text/break-lines.ts';
import { splitGraphemes } from '../text/emoji.ts';
import { lineHeight } from '../text/fit-text.ts';
import { faceMetrics, measureEm } from '../text/measure.ts';
import type { Piece } from '../text/paragraphs.ts';
import { fontAt, fontFace } from '../text/style.ts';

/** Underline and strike as parts of the font size: the middle of what common fonts say of themselves. */
const ruleThickness = 0.06;
const underlineOffset = 0.1;
const strikeOffset = -0.3;

/** Everything of a text that is painted, in design pixels. */
export interface PlacedText {
  backgrounds: TextDecoration[];
  runs: TextRun[];
  lines: TextDecoration[];
  /** Height of all lines. */
  height: number;
}

/** A line's place and the room that `justify` hands out in it. */
interface LinePlace {
  x: number;
  baseline: number;
  ascent: number;
  descent: number;
  /** Added to each space, or to each grapheme where a line has no space, design pixels. */
  spaceExtra: number;
  letterExtra: number;
}

/** Places lines that were broken at size ratio `ratio` inside `box`, as the layer's alignment says. */
export function placeLines(
  layer: TextLayer,
  box: Rect,
  lines: readonly Line[],
  ratio: number,
  lang: string,
): PlacedText {
  const heights = lines.map((line) => lineHeight(line, ratio));
  const height = heights.reduce((sum, one) => sum + one, 0);
  const free = layer.overflow === 'grow' ? 0 : box.height - height;
  const shift = { top: 0, middle: free / 2, bottom: free }[layer.verticalAlign ?? 'top'];
  const placed: PlacedText = { backgrounds: [], runs: [], lines: [], height };
  let top = box.y + shift;
  for (const [index, line] of lines.entries()) {
    const own = heights[index] ?? 0;
    placeLine(layer, line, placeOf(layer, box, line, top, own, ratio, lang), ratio, placed);
    top += own;
  }
  return placed;
}

function placeOf(
  layer: TextLayer,
  box: Rect,
  line: Line,
  top: number,
  height: number,
  ratio: number,
  lang: string,
): LinePlace {
  const styles = line.pieces.length > 0 ? line.pieces.map((p) => p.style) : [line.paragraph.style];
  let ascent = 0;
  let descent = 0;
  for (const style of new Set(styles)) {
    const metrics = faceMetrics(fontFace(style, lang, false));
    ascent = Math.max(ascent, metrics.ascent * style.size * ratio);
    descent = Math.max(descent, metrics.descent * style.size * ratio);
  }
  const free = box.width - line.width;
  const justified = layer.align === 'justify' && !line.endsParagraph && free > 0;
  return {
    x: box.x + (justified ? 0 : lineStart(layer, line, free)),
    // Ascent and descent are centred in the line's height (CSS 2, 10.8.1).
    baseline: top + (height - ascent - descent) / 2 + ascent,
    ascent,
    descent,
    ...(justified ? spread(line, free) : { spaceExtra: 0, letterExtra: 0 }),
  };
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
function spread(line: Line, free: number): { spaceExtra: number; letterExtra: number } {
  const text = line.pieces.map((piece) => piece.text).join('');
  const spaces = text.split(' ').length - 1;
  if (spaces > 0) return { spaceExtra: free / spaces, letterExtra: 0 };
  const spreads = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  const gaps = splitGraphemes(text).length - 1;
  return { spaceExtra: 0, letterExtra: spreads && gaps > 0 ? free / gaps : 0 };
}

function placeLine(
  layer: TextLayer,
  line: Line,
  place: LinePlace,
  ratio: number,
  placed: PlacedText,
): void {
  const first = placed.runs.length;
  let { x } = place;
  for (const piece of visualOrder(line.pieces)) {
    const size = piece.style.size * ratio;
    const width = runWidth(piece, piece.text, size, place);
    placeRun(piece, x, width, size, place, placed);
    decorate(piece, x, width, size, place, placed);
    x += width;
  }
  const pill = layer.linePill;
  const start = placed.runs[first];
  if (pill === undefined || start === undefined) return;
  const { paddingX = 0, paddingY = 0, cornerRadius = 0 } = pill;
  placed.backgrounds.push({
    rect: {
      x: place.x - paddingX,
      y: place.baseline - place.ascent - paddingY,
      width: x - place.x + 2 * paddingX,
      height: place.ascent + place.descent + 2 * paddingY,
    },
    cornerRadius,
    fill: pill.fill,
  });
}

function runWidth(piece: Piece, text: string, size: number, place: LinePlace): number {
  const extra = place.spaceExtra * (text.split(' ').length - 1);
  const letters = place.letterExtra === 0 ? 0 : place.letterExtra * splitGraphemes(text).length;
  return measureEm(piece.face, text) * size + extra + letters;
}

function placeRun(
  piece: Piece,
  x: number,
  width: number,
  size: number,
  place: LinePlace,
  placed: PlacedText,
): void {
  // The engine lets white space at a run's end hang outside; only letters are given to it.
  const text = piece.text.trim();
  if (text === '') return;
  const rtl = piece.level % 2 === 1;
  const before = piece.text.slice(0, piece.text.length - piece.text.trimStart().length);
  const textWidth = runWidth(piece, text, size, place);
  const beforeWidth = runWidth(piece, before, size, place);
  placed.runs.push({
    text,
    x: x + (rtl ? width - textWidth - beforeWidth : beforeWidth),
    y: place.baseline,
    width: textWidth,
    font: {
      css: fontAt(piece.face, size),
      size,
      features: piece.face.features,
      variations: piece.face.variations,
      letterSpacing: piece.face.letterSpacingEm * size + place.letterExtra,
      wordSpacing: piece.face.wordSpacingEm * size + place.spaceExtra,
    },
    direction: rtl ? 'rtl' : 'ltr',
    fill: piece.style.fill,
  });
}

function decorate(
  { style, face }: Piece,
  x: number,
  width: number,
  size: number,
  { baseline }: LinePlace,
  placed: PlacedText,
): void {
  if (style.background !== undefined) {
    const { ascent, descent } = faceMetrics(face);
    const rect = { x, y: baseline - ascent * size, width, height: (ascent + descent) * size };
    placed.backgrounds.push({ rect, cornerRadius: 0, fill: style.background });
  }
  const rule = (offset: number): void => {
    const rect = { x, y: baseline + offset * size, width, height: ruleThickness * size };
    placed.lines.push({ rect, cornerRadius: 0, fill: style.fill });
  };
  if (style.underline) rule(underlineOffset);
  if (style.strike) rule(strikeOffset);
}

/** Order on the line from left to right: from the highest level down, runs of that level turn round (UAX #9, L2). */
function visualOrder(pieces: readonly Piece[]): Piece[] {
  const ordered = [...pieces];
  const highest = Math.max(0, ...pieces.map((piece) => piece.level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) {
        ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed());
        start = end;
      }
    }
  }
  return ordered;
}
