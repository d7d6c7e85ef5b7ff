/** How letters are stroked, on lines and along paths. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import type { Stroke } from '#language/schema/paint.ts';

/** Corners sharper than 29 degrees are cut off, as in SVG: at the engine's 10 a bold K grows a thorn. */
export const textMiterLimit = 4;

/** Sets the stroke of letters: round joins keep thin letters free of spikes. */
export function applyTextStroke(context: CanvasRenderingContext2D, stroke: Stroke): void {
  context.strokeStyle = stroke.color;
  // Half of it lies under the letter.
  context.lineWidth = stroke.width * 2;
  context.lineJoin = stroke.join ?? 'round';
  context.miterLimit = textMiterLimit;
  context.setLineDash(stroke.dash ?? []);
}
