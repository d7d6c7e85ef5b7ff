/** What every step of painting needs beside the item it paints. */
import type { Canvas, CanvasRenderingContext2D } from 'skia-canvas';
import type { Drawable } from '../assets/decode-image.ts';
import type { DisplayItem, ImageRequest, SvgContent } from '../display-list.ts';

export interface PaintContext {
  /** Each picture of the display list, decoded at the size at which it is drawn. */
  drawables: ReadonlyMap<ImageRequest | SvgContent, Drawable>;
  /** Device pixels a design pixel. */
  scale: number;
  widthPx: number;
  heightPx: number;
  /** Every canvas of this picture. They live until its pixels are read: the engine draws late. */
  buffers: Canvas[];
}

/** Paints an item's content and border, turned and cut, without its effects. */
export type PaintPlain = (
  context: CanvasRenderingContext2D,
  item: DisplayItem,
  paintContext: PaintContext,
) => void;

export type CompositeOperation = CanvasRenderingContext2D['globalCompositeOperation'];
