/** What every step of painting needs beside the item it paints. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import type { Drawable } from '../assets/drawable.ts';
import type { DisplayItem, ImageRequest, SvgContent } from '../display-list.ts';

export interface PaintContext {
  /** Each picture of the display list, decoded at the size at which it is drawn. */
  drawables: ReadonlyMap<ImageRequest | SvgContent, Drawable>;
  /** Device pixels a design pixel. */
  scale: number;
}

/** Paints an item on a canvas: all of it, or its content and border without its effects. */
export type PaintItem = (
  context: CanvasRenderingContext2D,
  item: DisplayItem,
  paintContext: PaintContext,
) => void;

export type CompositeOperation = CanvasRenderingContext2D['globalCompositeOperation'];
