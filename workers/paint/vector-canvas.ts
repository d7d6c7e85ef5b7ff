/** Canvases that become pages of a PDF: what is painted on them stays vectors and text. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Canvas } from 'skia-canvas';

const vectorCanvases = new WeakSet<Canvas>();

export function createVectorCanvas(width: number, height: number): Canvas {
  const canvas = new Canvas(width, height);
  canvas.gpu = false;
  vectorCanvases.add(canvas);
  return canvas;
}

/** False for buffers of effects, which are pixels on every canvas. */
export function drawsVectors({ canvas }: CanvasRenderingContext2D): boolean {
  return vectorCanvases.has(canvas);
}

/** What is not seen is written all the same: text that a reader of the PDF finds and selects. */
export const invisible = 'rgba(0, 0, 0, 0)';
