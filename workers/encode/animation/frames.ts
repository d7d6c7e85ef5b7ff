/** The frames of an animation, the same for every format: the first is the whole image, later ones are changes. */
import type { Rect } from '../../display-list.ts';
import type { Pixels } from '../../pixels.ts';

/** New pixels for a rectangle of whole device pixels, and the time for which the image then shows. */
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
  /** Number of times that the animation plays; 0 for no end. */
  plays: number;
}
