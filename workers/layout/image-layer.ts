/** Computes the position and size of an image in its layer's frame. */
import type { SourceImage } from '#wire/render-job.ts';
import type { ImageLayer } from '#language/schema/layers.ts';
import type { CornerRadii, DisplayContent, ImagePlacement, Rect } from '../display-list.ts';

/**
 * Returns the size of an image in its upright position, in design pixels. EXIF orientations 5 … 8 swap the sides (Exif
 * 2.32, 4.6.4).
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
  const { fit = 'cover', focusX = 0.5, focusY = 0.5 } = layer;
  const look = { flipX, flipY, tint, duotone };
  const source = layer.src.trim();
  const region = regionOf(layer);
  const isWhole = region.width === 1 && region.height === 1;
  if (smartCrop && fit === 'cover' && isWhole) {
    const outline = { kind: 'rect', rect: frame, radii } as const;
    return { kind: 'image', image: toPlacement(source, image, frame, true), frame: outline, look };
  }
  const { width, height } = seenSize(image);
  const size = { width: width * region.width, height: height * region.height };
  const seen = placeImage(fit, frame, size, focusX, focusY);
  const placed = {
    x: seen.x - region.x * (seen.width / region.width),
    y: seen.y - region.y * (seen.height / region.height),
    width: seen.width / region.width,
    height: seen.height / region.height,
  };
  const outline = isWhole ? { rect: frame, radii } : cutFrame(frame, radii, seen);
  return {
    kind: 'image',
    image: toPlacement(source, image, placed),
    frame: { kind: 'rect', ...outline },
    look,
  };
}

/** Minimum share of a side that is drawn: 40 pixels of 4,000. */
const regionMin = 0.01;

/** Returns the drawn region as shares of the image's sides: the crop, reduced by the zoom around the focus. */
function regionOf({ crop = {}, zoom = 1, focusX = 0.5, focusY = 0.5 }: ImageLayer): Rect {
  const [x, width] = zoomSide(crop.x ?? 0, crop.width ?? 1, zoom, focusX);
  const [y, height] = zoomSide(crop.y ?? 0, crop.height ?? 1, zoom, focusY);
  return { x, y, width, height };
}

function zoomSide(
  cropStart: number,
  cropLength: number,
  zoom: number,
  focus: number,
): [start: number, length: number] {
  const start = Math.min(cropStart, 1 - regionMin);
  const length = Math.max(regionMin, Math.min(cropLength, 1 - start));
  const zoomed = Math.max(regionMin, length / zoom);
  return [start + (length - zoomed) * focus, zoomed];
}

/** Returns the part of the frame that a cropped image covers. Its corners are round if it covers the whole frame. */
function cutFrame(frame: Rect, radii: CornerRadii, seen: Rect): { rect: Rect; radii: CornerRadii } {
  const x = Math.max(frame.x, seen.x);
  const y = Math.max(frame.y, seen.y);
  const width = Math.min(frame.x + frame.width, seen.x + seen.width) - x;
  const height = Math.min(frame.y + frame.height, seen.y + seen.height) - y;
  const isAll = width >= frame.width - frameTolerance && height >= frame.height - frameTolerance;
  return isAll ? { rect: frame, radii } : { rect: { x, y, width, height }, radii: [0, 0, 0, 0] };
}

/** Tolerated rounding error in design pixels. */
const frameTolerance = 0.01;

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
 * pixel per design pixel. `scale-down` is the smaller of `none` and `contain`.
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
 * Returns the offset of an image along one axis. A larger image moves its focus to the middle, as far as it covers both
 * edges. A smaller image is aligned by its focus: 0 at the left or top of the frame, 0.5 in the middle, 1 at the end.
 */
function shift(frame: number, image: number, focus: number): number {
  if (image <= frame) return (frame - image) * focus;
  return Math.min(0, Math.max(frame - image, frame / 2 - image * focus));
}
