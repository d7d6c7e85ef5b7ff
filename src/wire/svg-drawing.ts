/** Names the drawings of SVG layers, which travel among the images of a job. */
import { hash } from 'node:crypto';
import type { SvgDrawing } from './render-job.ts';

const prefix = 'svg:';

/** The source under which a job carries a drawing: equal markup at an equal size has an equal one. */
export function drawingSource({ svg, widthPx, heightPx }: SvgDrawing): string {
  return `${prefix}${hash('sha256', svg)}:${widthPx}x${heightPx}`;
}

/** Whether a source among the images of a job names a drawing. No image that a template names is loaded under such a source. */
export function isDrawingSource(source: string): boolean {
  return source.startsWith(prefix);
}
