/** Paints text: backgrounds, letters with their stroke, rules; on a line or along a path. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import type { Stroke } from '#shared/paint-schemas.ts';
import type { DisplayContent, Rect, TextDecoration } from '../display-list.ts';
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
      applyFont(context, run.font, run.direction);
      context.strokeText(run.text, run.x, run.y);
    }
  }
  for (const run of content.runs) {
    applyFont(context, run.font, run.direction);
    context.fillStyle = toFillStyle(context, run.fill, content.box);
    context.fillText(run.text, run.x, run.y);
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
    applyFont(context, glyph.font, glyph.direction);
    if (stroke !== undefined) {
      applyStroke(context, stroke);
      context.strokeText(glyph.text, 0, 0);
    }
    context.fillStyle = toFillStyle(context, glyph.fill, { ...box, x: -box.width / 2 });
    context.fillText(glyph.text, 0, 0);
    context.restore();
  }
}
