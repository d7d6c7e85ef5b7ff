/** Drawings of SVG layers, and their names in the images of a job. */
import { hash } from 'node:crypto';

/**
 * The request for the drawing of an SVG layer: markup from its root element on, without comments, and the exact size
 * in device pixels. Its file is a PNG in `RenderJob.images`, under `drawingSource`.
 */
export interface SvgDrawing {
  svg: string;
  widthPx: number;
  heightPx: number;
}

const prefix = 'svg:';

/** The source of a drawing in a job: equal for equal markup at an equal size. */
export function drawingSource({ svg, widthPx, heightPx }: SvgDrawing): string {
  return `${prefix}${hash('sha256', svg)}:${widthPx}x${heightPx}`;
}

/** Whether a source in the images of a job is a drawing. No image of a template has such a source. */
export function isDrawingSource(source: string): boolean {
  return source.startsWith(prefix);
}
