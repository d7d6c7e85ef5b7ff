/** The frames of an animation, the same for every format: the first is the whole image, later ones what differs. */
import type { Rect } from '../../display-list.ts';
import type { Pixels } from '../../pixels.ts';

/** New pixels for a rectangle of whole device pixels, and how long the image then shows. */
export interface Frame {
  region: Rect;
  /** As large as `region`. */
  pixels: Pixels;
  delayMs: number;
}

/** Frames in their order; the first covers the image. */
export interface Animation {
  widthPx: number;
  heightPx: number;
  frames: Frame[];
  /** How often the animation plays; 0: without end. */
  plays: number;
}
