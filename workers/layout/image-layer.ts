/** Places a picture in its layer's frame: which part shows, at which size. */
import type { SourceImage } from '#wire/render-job.ts';
import type { ImageLayer } from '#language/schema/layers.ts';
import type { CornerRadii, DisplayContent, ImagePlacement, Rect } from '../display-list.ts';

/** Size of a picture as it is seen, in design pixels: EXIF values 5 … 8 lie on their side (Exif 2.32, 4.6.4). */
export function seenSize(image: SourceImage): { width: number; height: number } {
  const { orientation, pixelRatio = 1 } = image;
  const width = image.widthPx / pixelRatio;
  const height = image.heightPx / pixelRatio;
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Lays out an image layer whose file is there. */
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
    : placePicture(fit, frame, seenSize(image), layer.focusX ?? 0.5, layer.focusY ?? 0.5);
  return {
    kind: 'image',
    image: toPlacement(layer.src.trim(), image, placed, crops),
    frame: { kind: 'rect', rect: frame, radii },
    look: { flipX, flipY, tint, duotone },
  };
}

/** A picture and where it lies. */
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
 * Where the whole picture lies: `cover` fills the frame and lets the rest reach over, the focus
 * point staying as near to the middle as the edges allow; `contain` shows all; `fill` distorts;
 * `none` keeps its size, one pixel a design pixel; `scale-down` is the smaller of none and contain.
 */
export function placePicture(
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
 * A larger picture is moved so that its focus comes to the middle without uncovering an edge. Of a smaller one the
 * focus aligns: 0 at the frame's left or top, 0.5 in its middle, 1 at its end.
 */
function shift(frame: number, picture: number, focus: number): number {
  if (picture <= frame) return (frame - picture) * focus;
  return Math.min(0, Math.max(frame - picture, frame / 2 - picture * focus));
}
