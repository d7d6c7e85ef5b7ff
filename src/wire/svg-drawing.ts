/** Names of the drawings of SVG layers in the images of a job. */
import { hash } from 'node:crypto';
import type { SvgDrawing } from './render-job.ts';

const prefix = 'svg:';

/** The source of a drawing in a job: equal for equal markup at an equal size. */
export function drawingSource({ svg, widthPx, heightPx }: SvgDrawing): string {
  return `${prefix}${hash('sha256', svg)}:${widthPx}x${heightPx}`;
}

/** Whether a source in the images of a job is a drawing. No image of a template has such a source. */
export function isDrawingSource(source: string): boolean {
  return source.startsWith(prefix);
}
