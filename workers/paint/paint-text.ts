/** Paints text: backgrounds, letters with their stroke, rules; on a line or along a path. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Path2D } from 'skia-canvas';
import type { Stroke } from '#shared/paint-schemas.ts';
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
    applyStroke(context, stroke);
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

/** Stroke settings of letters: round joins keep thin letters free of spikes. */
function applyStroke(context: CanvasRenderingContext2D, stroke: Stroke): void {
  context.strokeStyle = stroke.color;
  // Half of it lies under the letter.
  context.lineWidth = stroke.width * 2;
  context.lineJoin = stroke.join ?? 'round';
  context.setLineDash(stroke.dash ?? []);
}

/** Letters of a run or of a path, with the place of each glyph where the engine would misplace them. */
type Letters = Pick<TextRun, 'text' | 'font' | 'direction' | 'glyphs'>;

/** Fills or strokes letters with the context's own style. */
function paintLetters(
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

/** Paints graphemes along a path, each turned to the path's direction at its middle; what reaches over an end is left out. */
export function paintPathText(
  context: CanvasRenderingContext2D,
  content: DisplayContent & { kind: 'path-text' },
): void {
  const { box, data, glyphs, width, align, stroke } = content;
  const rect = { ...box, width: 0, height: 0 };
  const path = toPath({ kind: 'path', rect, data, scaleX: 1, scaleY: 1 });
  const start = (path.length - width) * align;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const glyph of glyphs) {
    const distance = start + glyph.offset;
    if (distance < 0 || distance > path.length) continue;
    const point = path.positionAt(distance);
    const tangent = path.tangentAt(distance);
    if (point === null || tangent === null) continue;
    context.save();
    context.translate(point.x, point.y);
    context.rotate(tangent);
    // The engine centres a text; outlines begin at their left edge.
    const left = glyph.glyphs === undefined ? 0 : -glyph.width / 2;
    if (stroke !== undefined) {
      applyStroke(context, stroke);
      paintLetters(context, glyph, left, 0, 'stroke');
    }
    context.fillStyle = toFillStyle(context, glyph.fill, { ...box, x: -box.width / 2 });
    paintLetters(context, glyph, left, 0, 'fill');
    context.restore();
  }
}
