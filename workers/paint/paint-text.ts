/** Paints text on lines or along a path: backgrounds, letters with their stroke, underlines and strikes. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import type {
  DisplayContent,
  Rect,
  TextDecoration,
  TextRun,
  FontSetting,
  PathBand,
} from '../display-list.ts';
import { toFillStyle } from './fill.ts';
import { toLetterPath } from './letter-path.ts';
import { placedGlyphs, positionAt, textPath } from './path-positions.ts';
import { toPath } from './geometry.ts';
import type { Stroke } from '#language/schema/paint.ts';
import { Path2D } from 'skia-canvas';
import { drawsVectors, invisible } from './vector-canvas.ts';

/** Paints laid out text; gradients span the layer's box. */
export function paintText(
  context: CanvasRenderingContext2D,
  content: DisplayContent & { kind: 'text' },
): void {
  if (content.clips) {
    const { x, y, width, height } = content.box;
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
  }
  for (const decoration of content.backgrounds) paintDecoration(context, decoration, content.box);
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  const { stroke } = content;
  if (stroke !== undefined) {
    // All strokes are below all letters, so that no stroke covers a neighbouring letter.
    applyTextStroke(context, stroke);
    for (const run of content.runs) {
      paintLetters(context, run, run.x, run.y, 'stroke');
    }
  }
  for (const run of content.runs) {
    context.fillStyle = toFillStyle(context, run.fill, content.box);
    paintLetters(context, run, run.x, run.y, 'fill');
  }
  if (content.lines.length === 0) return;
  const toDevice = rowsOf(context.getTransform());
  for (const line of content.lines) {
    const rect = toDevice === undefined ? line.rect : onPixelRows(line.rect, toDevice);
    paintDecoration(context, { ...line, rect }, content.box);
  }
}

/** Maps the layer's y to rows of device pixels, or to columns if the layer is rotated by 90°. */
interface RowMap {
  /** Negative if the layer is upside down. */
  scale: number;
  offset: number;
}

/** Upper bound of the rounding error of a sine or cosine that should be 0. */
const turnTolerance = 1e-9;

/** Returns undefined if the rotation is no multiple of 90°: rules are then anti-aliased, like letters. */
function rowsOf({
  a,
  b,
  c,
  d,
  e,
  f,
}: ReturnType<CanvasRenderingContext2D['getTransform']>): RowMap | undefined {
  if (isZero(b) && isZero(c) && !isZero(d)) return { scale: d, offset: f };
  return isZero(a) && isZero(d) && !isZero(c) ? { scale: c, offset: e } : undefined;
}

function isZero(value: number): boolean {
  return Math.abs(value) < turnTolerance;
}

/**
 * Moves a rule to whole rows of device pixels, at least one: between two rows the rule would be two grey rows. The
 * result stays in the rows that the rule touches, because damage contains only these rows.
 */
function onPixelRows(rect: Rect, { scale, offset }: RowMap): Rect {
  const edges = [rect.y * scale + offset, (rect.y + rect.height) * scale + offset];
  const [top, bottom] = [Math.min(...edges), Math.max(...edges)];
  const rows = Math.max(1, Math.round(bottom - top));
  const row = Math.max(Math.floor(top), Math.min(Math.round(top), Math.ceil(bottom) - rows));
  const first = scale > 0 ? row : row + rows;
  return { ...rect, y: (first - offset) / scale, height: rows / Math.abs(scale) };
}

/** Letters of a run or of a path, with the position of each glyph if the engine would misplace glyphs. */
export type Letters = Pick<TextRun, 'text' | 'font' | 'direction' | 'glyphs'>;

/** Fills or strokes letters with the current style of the context. */
export function paintLetters(
  context: CanvasRenderingContext2D,
  letters: Letters,
  x: number,
  y: number,
  how: 'fill' | 'stroke',
): void {
  if (letters.glyphs !== undefined) {
    context[how](toLetterPath(letters.glyphs, letters.font.size, x, y));
    if (how === 'stroke' || !drawsVectors(context)) return;
    // Outlines are no text in a PDF, so invisible text is painted over them.
    context.fillStyle = invisible;
  }
  applyFont(context, letters.font, letters.direction);
  if (how === 'fill') context.fillText(letters.text, x, y);
  // On a vector canvas stroked text would be the text for a second time, so its outline is stroked.
  else if (!drawsVectors(context)) context.strokeText(letters.text, x, y);
  else context.stroke(context.outlineText(letters.text)?.offset(x, y) ?? new Path2D());
}

function paintDecoration(
  context: CanvasRenderingContext2D,
  { rect, cornerRadius, fill }: TextDecoration,
  box: Rect,
): void {
  context.fillStyle = toFillStyle(context, fill, box);
  const radius = Math.min(cornerRadius, rect.width / 2, rect.height / 2);
  context.fill(toPath({ kind: 'rect', rect, radii: [radius, radius, radius, radius] }));
}

// Sets the font of the paint engine.

/** Sets all font settings of a run, so that no setting of the previous run remains. */
export function applyFont(
  context: CanvasRenderingContext2D,
  font: FontSetting,
  direction: 'ltr' | 'rtl',
): void {
  context.font = font.css;
  context.fontFeatureSettings = font.features;
  context.fontVariationSettings = font.variations;
  context.letterSpacing = `${font.letterSpacing}px`;
  context.direction = direction;
}

// The stroke of letters, on lines and along paths.

/** Cuts corners sharper than 29 degrees, as in SVG: with the engine's limit of 10 a bold K has a spike. */
export const textMiterLimit = 4;

/** Sets the stroke of letters: round joins keep thin letters free of spikes. */
export function applyTextStroke(context: CanvasRenderingContext2D, stroke: Stroke): void {
  context.strokeStyle = stroke.color;
  // Half of the stroke is below the letter.
  context.lineWidth = stroke.width * 2;
  context.lineJoin = stroke.join ?? 'round';
  context.miterLimit = textMiterLimit;
  context.setLineDash(stroke.dash ?? []);
}

// Paints text along a path: letters rotated to the path's direction, and the stripes behind and over letters.

/** Distance between two points of a stripe's side in design pixels: on a circle of 50 the error is 0.01. */
const bandStepPx = 2;
/** Upper bound of the points along a text, besides the ends of stripes: each takes 2 µs. */
const bandPointsMax = 2000;
/** Points of a quarter of a round corner. */
const cornerPoints = 8;

/**
 * Paints graphemes along a path, each rotated to the path's direction at its middle, and their stripes. Parts beyond an
 * end of the path are left out, or continue straight.
 */
export function paintPathText(
  context: CanvasRenderingContext2D,
  content: DisplayContent & { kind: 'path-text' },
): void {
  const { box, stroke } = content;
  const { path, start } = textPath(content);
  for (const band of content.backgrounds) paintBand(context, band, path, start, content);
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const [glyph, position] of placedGlyphs(content)) {
    context.save();
    context.translate(position.x, position.y);
    context.rotate(position.angle);
    // The engine centres a text; outlines begin at their left edge.
    const left = glyph.glyphs === undefined ? 0 : -glyph.width / 2;
    if (stroke !== undefined) {
      applyTextStroke(context, stroke);
      paintLetters(context, glyph, left, 0, 'stroke');
    }
    context.fillStyle = toFillStyle(context, glyph.fill, { ...box, x: -box.width / 2 });
    paintLetters(context, glyph, left, 0, 'fill');
    context.restore();
  }
  for (const band of content.lines) paintBand(context, band, path, start, content);
}

/** Fills a stripe between two sides at constant distances from the path. */
function paintBand(
  context: CanvasRenderingContext2D,
  band: PathBand,
  path: Path2D,
  textStart: number,
  { box, width, goesOn }: DisplayContent & { kind: 'path-text' },
): void {
  // The ends of a pill exceed its text by the padding, and may exceed the path.
  const reach = goesOn ? Infinity : Math.max(0, -band.start);
  const from = Math.max(textStart + band.start, -reach);
  const to = Math.min(textStart + band.end, path.length + reach);
  if (to <= from) return;
  const radius = Math.min(band.cornerRadius, (to - from) / 2, (band.bottom - band.top) / 2);
  const step = Math.max(bandStepPx, width / bandPointsMax);
  const above: [x: number, y: number][] = [];
  const below: [x: number, y: number][] = [];
  for (const { distance, inset } of bandStations(from, to, radius, step)) {
    const position = positionAt(path, distance);
    if (position === undefined) return;
    const sin = Math.sin(position.angle);
    const cos = Math.cos(position.angle);
    const offset = (by: number): [number, number] => [position.x - by * sin, position.y + by * cos];
    above.push(offset(band.top + inset));
    below.push(offset(band.bottom - inset));
  }
  const outline = new Path2D();
  for (const point of [...above, ...below.toReversed()]) outline.lineTo(...point);
  outline.closePath();
  context.fillStyle = toFillStyle(context, band.fill, box);
  context.fill(outline);
}

/** Yields the distances at which the sides of a stripe have points, and the inset of round corners there. */
function* bandStations(
  from: number,
  to: number,
  radius: number,
  step: number,
): Generator<{ distance: number; inset: number }> {
  const corners = radius === 0 ? 0 : cornerPoints;
  const corner = (index: number): { along: number; inset: number } => {
    const angle = (index / cornerPoints) * (Math.PI / 2);
    return { along: radius * (1 - Math.cos(angle)), inset: radius * (1 - Math.sin(angle)) };
  };
  for (let index = 0; index < corners; index += 1) {
    const { along, inset } = corner(index);
    yield { distance: from + along, inset };
  }
  const steps = Math.max(1, Math.ceil((to - from - 2 * radius) / step));
  for (let index = 0; index <= steps; index += 1) {
    const distance = from + radius + ((to - from - 2 * radius) * index) / steps;
    yield { distance, inset: 0 };
  }
  for (let index = corners - 1; index >= 0; index -= 1) {
    const { along, inset } = corner(index);
    yield { distance: to - along, inset };
  }
}
