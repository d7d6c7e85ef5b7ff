/** Decodes what a display list draws, each picture at the size it is drawn. */
import type { RenderWarning, SourceImage } from '#shared/render-job.ts';
import { DecodeError, decodeImage, decodeSvg } from './assets/decode-image.ts';
import type { Drawable } from './assets/drawable.ts';
import { walkImages, walkSvgs } from './display-list.ts';
import type {
  DisplayItem,
  DisplayList,
  ImageLook,
  ImageRequest,
  SvgContent,
} from './display-list.ts';

/** Pixels of all pictures of one render, decoded: 64 MP are 256 MB. Above it each is decoded smaller. */
const decodedPixelsMax = 64 * 1024 * 1024;

/** Pixels of one SVG, as many as the largest canvas has, and its longer side; above it the engine enlarges. */
const svgPixelsMax = 16 * 1024 * 1024;
const svgSidePxMax = 16_384;

/** Drawables by the request or SVG of the display list that wants them. */
export type Drawables = ReadonlyMap<ImageRequest | SvgContent, Drawable>;

/** A source that could not be decoded: whose it is, and what to tell its owner. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly source: string;
  readonly layer: string;

  constructor(message: string, source: string, layer: string) {
    super(message);
    this.source = source;
    this.layer = layer;
  }
}

/** One picture with its file and its size in device pixels. */
interface Wanted {
  request: ImageRequest;
  look: ImageLook | undefined;
  layer: string;
  image: SourceImage;
  widthPx: number;
  heightPx: number;
}

/**
 * Decodes all pictures of the list, one after the other; a thread decodes each picture and size
 * once and keeps it. An SVG that cannot be drawn is left out with a warning. Throws `SourceError` for
 * a source image that cannot be decoded. `items` are those of the list whose pictures are wanted.
 */
export async function loadDrawables(
  list: DisplayList,
  images: ReadonlyMap<string, SourceImage>,
  scale: number,
  warnings: RenderWarning[],
  items: readonly DisplayItem[] = list.items,
): Promise<Drawables> {
  const drawables = new Map<ImageRequest | SvgContent, Drawable>();
  const shrink = decodedShare(list, images, scale);
  for (const wanted of wantedPictures(items, images, scale)) {
    drawables.set(wanted.request, await loadPicture(wanted, shrink));
  }
  for (const { svg, layer } of walkSvgs(items)) {
    const { width, height } = svg.placed;
    if (width === 0 || height === 0) continue;
    try {
      const fit = svgScale(width, height, scale);
      drawables.set(svg, await decodeSvg(svg.svg, toPx(width * fit), toPx(height * fit)));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      warnings.push({ code: 'SVG_FAILED', layer, detail: `its SVG ${error.message}` });
    }
  }
  return drawables;
}

/**
 * Part of the drawn width and height at which the pictures of a list are decoded, so that all of them
 * together stay inside their bound: 1 but for a list of very many large ones.
 */
export function decodedShare(
  list: DisplayList,
  images: ReadonlyMap<string, SourceImage>,
  scale: number,
): number {
  let pixels = 1;
  for (const { widthPx, heightPx } of wantedPictures(list.items, images, scale)) {
    pixels += widthPx * heightPx;
  }
  return Math.min(1, Math.sqrt(decodedPixelsMax / pixels));
}

function wantedPictures(
  items: readonly DisplayItem[],
  images: ReadonlyMap<string, SourceImage>,
  scale: number,
): Wanted[] {
  return [...walkImages(items)].flatMap(({ request, look, layer }) => {
    const image = images.get(request.source);
    if (image === undefined) return [];
    return [{ request, look, layer, image, ...sizeOf(request, image, scale) }];
  });
}

/** Design pixels to device pixels of an SVG, less for one far larger than any canvas. */
function svgScale(width: number, height: number, scale: number): number {
  const side = svgSidePxMax / Math.max(width, height);
  return Math.min(scale, side, Math.sqrt(svgPixelsMax / (width * height)));
}

/** The decoded size: as drawn, but never larger than the file, whose pixels the engine then enlarges. */
function sizeOf(
  { width, height, smartCrop }: ImageRequest,
  image: SourceImage,
  scale: number,
): { widthPx: number; heightPx: number } {
  const lies = image.orientation >= 5;
  const sourceWidth = lies ? image.heightPx : image.widthPx;
  const sourceHeight = lies ? image.widthPx : image.heightPx;
  const widthPx = toPx(width * scale);
  const heightPx = toPx(height * scale);
  if (!smartCrop) {
    return {
      widthPx: Math.min(widthPx, sourceWidth),
      heightPx: Math.min(heightPx, sourceHeight),
    };
  }
  const enlarged = Math.max(1, widthPx / sourceWidth, heightPx / sourceHeight);
  return { widthPx: toPx(widthPx / enlarged), heightPx: toPx(heightPx / enlarged) };
}

async function loadPicture(wanted: Wanted, shrink: number): Promise<Drawable> {
  const { request, look, layer, image } = wanted;
  const { tint, duotone } = look ?? {};
  try {
    return await decodeImage(image, {
      widthPx: toPx(wanted.widthPx * shrink),
      heightPx: toPx(wanted.heightPx * shrink),
      smartCrop: request.smartCrop,
      tint,
      duotone,
    });
  } catch (error) {
    if (error instanceof DecodeError) throw new SourceError(error.message, request.source, layer);
    throw error;
  }
}

/** Whole device pixels, at least one. */
function toPx(length: number): number {
  return Math.max(1, Math.round(length));
}
