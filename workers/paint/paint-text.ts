/** Paints text: backgrounds, letters with their stroke, rules; on a line or along a path. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import type { DisplayContent, Rect, TextDecoration, TextRun } from '../display-list.ts';
import { toFillStyle } from './fill.ts';
import { applyFont } from './font.ts';
import { toLetterPath } from './letter-path.ts';
import { toPath } from './outline.ts';
import { applyTextStroke } from './text-stroke.ts';

/** Paints laid out text; gradients run through the layer's box. */
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
    // All strokes lie under all letters, so that none covers its neighbour.
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

/** Maps the layer's y to rows of device pixels, or to columns where the layer is turned by a quarter. */
interface RowMap {
  /** Negative where the layer is turned upside down. */
  scale: number;
  offset: number;
}

/** A sine of a quarter's multiple is this close to zero. */
const turnTolerance = 1e-9;

/** Undefined where the layer is turned by other than quarters: rules are then smooth, as letters are. */
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
 * A rule on whole rows of device pixels, one at least: between two rows it would be two grey ones. Stays in the rows
 * that the rule touches, which are those that damage covers.
 */
function onPixelRows(rect: Rect, { scale, offset }: RowMap): Rect {
  const edges = [rect.y * scale + offset, (rect.y + rect.height) * scale + offset];
  const [top, bottom] = [Math.min(...edges), Math.max(...edges)];
  const rows = Math.max(1, Math.round(bottom - top));
  const row = Math.max(Math.floor(top), Math.min(Math.round(top), Math.ceil(bottom) - rows));
  const first = scale > 0 ? row : row + rows;
  return { ...rect, y: (first - offset) / scale, height: rows / Math.abs(scale) };
}

/** Letters of a run or of a path, with the place of each glyph where the engine would misplace them. */
export type Letters = Pick<TextRun, 'text' | 'font' | 'direction' | 'glyphs'>;

/** Fills or strokes letters with the context's own style. */
export function paintLetters(
  context: CanvasRenderingContext2D,
  letters: Letters,
  x: number,
  y: number,
  how: 'fill' | 'stroke',
): void {
  if (letters.glyphs !== undefined) {
    context[how](toLetterPath(letters.glyphs, letters.font.size, x, y));
    return;
  }
  applyFont(context, letters.font, letters.direction);
  if (how === 'fill') context.fillText(letters.text, x, y);
  else context.strokeText(letters.text, x, y);
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
