/** Paints text: backgrounds, letters with their stroke, rules; on a line or along a path. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Path2D } from 'skia-canvas';
import type {
  DisplayContent,
  GlyphOutline,
  Rect,
  TextDecoration,
  TextRun,
} from '../display-list.ts';
import { toFillStyle } from './fill.ts';
import { applyFont } from './font.ts';
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
  for (const decoration of content.lines) paintDecoration(context, decoration, content.box);
}

/** Letters of a run or of a path, with the place of each glyph where the engine would misplace them. */
type Letters = Pick<TextRun, 'text' | 'font' | 'direction' | 'glyphs'>;

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

/** Outlines of fonts as the engine has them; an alphabet with its joined forms has about 300. */
const glyphPaths = new Map<string, Path2D>();
const glyphPathsMax = 5000;

function toLetterPath(
  glyphs: readonly GlyphOutline[],
  size: number,
  originX: number,
  originY: number,
): Path2D {
  const path = new Path2D();
  for (const { data, x, y, scale, slant } of glyphs) {
    const unit = scale * size;
    path.addPath(glyphPath(data), {
      a: unit,
      b: 0,
      c: slant * unit,
      d: -unit,
      e: originX + x * size,
      f: originY + y * size,
    });
  }
  return path;
}

function glyphPath(data: string): Path2D {
  let path = glyphPaths.get(data);
  if (path === undefined) {
    if (glyphPaths.size >= glyphPathsMax) glyphPaths.clear();
    glyphPaths.set(data, (path = new Path2D(data)));
  }
  return path;
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
