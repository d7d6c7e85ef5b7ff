/** Computes the position and size of an image in its layer's frame. */
import type { SourceImage } from '#wire/render-job.ts';
import type { ImageLayer } from '#language/schema/layers.ts';
import type { CornerRadii, DisplayContent, ImagePlacement, Rect } from '../display-list.ts';

/**
 * Size of an image in its upright position, in design pixels: EXIF orientations 5 … 8 swap the sides (Exif 2.32,
 * 4.6.4).
 */
export function seenSize(image: SourceImage): { width: number; height: number } {
  const { orientation, pixelRatio = 1 } = image;
  const width = image.widthPx / pixelRatio;
  const height = image.heightPx / pixelRatio;
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Lays out an image layer whose file is available. */
export function layoutImage(
  layer: ImageLayer,
  frame: Rect,
  radii: CornerRadii,
  image: SourceImage,
): DisplayContent {
  const { smartCrop = false, flipX = false, flipY = false, tint, duotone } = layer;
  const fit = layer.fit ?? 'cover';
  const crops = smartCrop && fit === 'cover';
  const placed = crops
    ? frame
    : placeImage(fit, frame, seenSize(image), layer.focusX ?? 0.5, layer.focusY ?? 0.5);
  return {
    kind: 'image',
    image: toPlacement(layer.src.trim(), image, placed, crops),
    frame: { kind: 'rect', rect: frame, radii },
    look: { flipX, flipY, tint, duotone },
  };
}

/** Returns an image with its position. */
export function toPlacement(
  source: string,
  { digest, format }: SourceImage,
  placed: Rect,
  smartCrop = false,
): ImagePlacement {
  return {
    request: { source, digest, format, width: placed.width, height: placed.height, smartCrop },
    placed,
  };
}

/**
 * Returns the box of the whole image. `cover` fills the frame and may exceed it, with the focus as near to the middle
 * as the edges allow. `contain` shows all of the image, `fill` distorts it, and `none` keeps its size at one image
 * pixel a design pixel. `scale-down` is the smaller of `none` and `contain`.
 */
export function placeImage(
  fit: NonNullable<ImageLayer['fit']>,
  frame: Rect,
  size: { width: number; height: number },
  focusX = 0.5,
  focusY = 0.5,
): Rect {
  if (fit === 'fill') return frame;
  const ratio = fitRatio(fit, frame, size);
  const width = size.width * ratio;
  const height = size.height * ratio;
  return {
    x: frame.x + shift(frame.width, width, focusX),
    y: frame.y + shift(frame.height, height, focusY),
    width,
    height,
  };
}

function fitRatio(
  fit: NonNullable<ImageLayer['fit']>,
  frame: Rect,
  size: { width: number; height: number },
): number {
  const contain = Math.min(frame.width / size.width, frame.height / size.height);
  switch (fit) {
    case 'cover':
      return Math.max(frame.width / size.width, frame.height / size.height);
    case 'none':
      return 1;
    case 'scale-down':
      return Math.min(1, contain);
    default:
      return contain;
  }
}

/**
 * Offset of an image along one axis. A larger image moves its focus to the middle without uncovering an edge. A smaller
 * one is aligned by its focus: 0 at the left or top of the frame, 0.5 in the middle, 1 at the end.
 */
function shift(frame: number, image: number, focus: number): number {
  if (image <= frame) return (frame - image) * focus;
  return Math.min(0, Math.max(frame - image, frame / 2 - image * focus));
}
