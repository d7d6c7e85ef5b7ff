/** Canvases that become pages of a PDF, on which vectors and text stay vectors and text. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Canvas } from 'skia-canvas';

const vectorCanvases = new WeakSet<Canvas>();

export function createVectorCanvas(width: number, height: number): Canvas {
  const canvas = new Canvas(width, height);
  canvas.gpu = false;
  vectorCanvases.add(canvas);
  return canvas;
}

/** Whether a canvas keeps vectors; false for buffers of effects, which are always pixels. */
export function drawsVectors({ canvas }: CanvasRenderingContext2D): boolean {
  return vectorCanvases.has(canvas);
}

/** Colour of invisible text, which is written to the PDF and can be found and selected there. */
export const invisible = 'rgba(0, 0, 0, 0)';
