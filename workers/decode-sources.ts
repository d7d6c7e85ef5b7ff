/** Decodes the sources that a display list draws, each image at the size of its use. */
import { decodeBytesOf } from '#language/limits/image-costs.ts';
import type { RenderJob, RenderWarning, SourceImage } from '#wire/render-job.ts';
import type { SvgDrawing } from '#wire/render-job.ts';
import { isDrawingSource } from '#wire/svg-drawing.ts';
import { drawingSource } from '#wire/svg-drawing.ts';
import { svgProblem } from '#language/check/svg-markup.ts';
import { DecodeError, decodeDrawing, decodeImage } from './assets/decode-image.ts';
import type { Drawable } from './assets/drawable-cache.ts';
import { walkImages, walkSvgs } from './display-list.ts';
import { decodedPixelsMax, decodedPixelsMin } from './paint/cost/limit.ts';
import { checkWork, TooExpensiveError, TooSlowError } from './work-limit.ts';
import type {
  DisplayItem,
  DisplayList,
  ImageLook,
  ImageRequest,
  SvgContent,
} from './display-list.ts';

/**
 * Limits of one SVG: as many pixels as the largest canvas, and the longer side. The engine enlarges larger drawings.
 */
const svgPixelsMax = 16 * 1024 * 1024;
const svgSidePxMax = 16_384;

/** Drawables by the image request or SVG content of the display list. */
export type Drawables = ReadonlyMap<ImageRequest | SvgContent, Drawable>;

/** The files of a job, by source. */
export interface JobFiles {
  images: ReadonlyMap<string, SourceImage>;
  /** For SVG layers: the drawing, or the problem of the markup. */
  drawings: ReadonlyMap<string, SourceImage | string>;
}

/** Separates the files of a job by use: an image layer cannot show a drawing. */
export function filesOf({ images, svgProblems = [] }: RenderJob): JobFiles {
  const drawings = images.filter(([source]) => isDrawingSource(source));
  return {
    images: new Map(images.filter(([source]) => !isDrawingSource(source))),
    drawings: new Map<string, SourceImage | string>([...drawings, ...svgProblems]),
  };
}

/** Drawings that are neither in the cache of this thread nor in the job. */
export class DrawingsMissing extends Error {
  override name = 'DrawingsMissing';
  readonly drawings: SvgDrawing[];

  constructor(drawings: SvgDrawing[]) {
    super(`${drawings.length} drawings of SVG layers are missing`);
    this.drawings = drawings;
  }
}

/** A source that could not be decoded, with its layer, and a message for its owner. */
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

/** An image with its file and its size in device pixels. */
interface Wanted {
  request: ImageRequest;
  look: ImageLook | undefined;
  layer: string;
  image: SourceImage;
  widthPx: number;
  heightPx: number;
}

/**
 * Decodes all images of the list, one after the other. A thread decodes each image once for each size and caches it. An
 * SVG that cannot be drawn is left out with a warning. Throws `DrawingsMissing` before it decodes source images, and
 * `SourceError` for a source image that cannot be decoded. `items` are the items of the list whose images are needed.
 * `heldBytes` is the memory that an animation holds besides the images.
 */
export async function decodeSources(
  list: DisplayList,
  files: JobFiles,
  scale: number,
  warnings: RenderWarning[],
  items: readonly DisplayItem[] = list.items,
  heldBytes = 0,
): Promise<Drawables> {
  const drawables = new Map<ImageRequest | SvgContent, Drawable>();
  const shrink = decodedShare(list, files.images, scale, heldBytes);
  const missing: SvgDrawing[] = [];
  for (const { svg, layer } of walkSvgs(items)) {
    const size = svgSize(svg, scale, shrink);
    if (size === undefined) continue;
    try {
      const found = await findDrawing(svg.svg, size, files);
      if ('canvas' in found) drawables.set(svg, found);
      else missing.push(found);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      warnings.push({ code: 'SVG_FAILED', layer, detail: `its SVG ${error.message}` });
    }
  }
  if (missing.length > 0) throw new DrawingsMissing(missing);
  for (const wanted of wantedImages(items, files.images, scale)) {
    checkWork();
    drawables.set(wanted.request, await loadDrawable(wanted, shrink));
  }
  return drawables;
}

/**
 * Returns the drawing of markup, or the drawing to request if it is missing. Throws `DecodeError` for markup that
 * cannot be drawn.
 */
async function findDrawing(
  markup: string,
  size: Pick<SvgDrawing, 'widthPx' | 'heightPx'>,
  { drawings }: JobFiles,
): Promise<Drawable | SvgDrawing> {
  // Comments are removed first because a comment may contain another root element.
  const plain = markup.replaceAll(/<!--[^]*?-->/g, '');
  const drawing = { svg: plain.slice(plain.search(/<(?:\w+:)?svg[\s>]/)), ...size };
  const source = drawingSource(drawing);
  const file = drawings.get(source);
  if (typeof file === 'string') throw new DecodeError(file);
  const drawable = await decodeDrawing(source, file);
  if (drawable !== undefined) return drawable;
  const problem = svgProblem(plain);
  if (problem !== undefined) throw new DecodeError(problem);
  return drawing;
}

/**
 * Returns the share of the drawn width and height at which the images of a list are decoded. All images together then
 * stay within the memory bound. The share is 1 except for a list of very many large images.
 */
export function decodedShare(
  list: DisplayList,
  images: ReadonlyMap<string, SourceImage>,
  scale: number,
  heldBytes = 0,
): number {
  let pixels = 1;
  for (const { widthPx, heightPx } of wantedImages(list.items, images, scale)) {
    pixels += widthPx * heightPx;
  }
  for (const { svg } of walkSvgs(list.items)) {
    const { widthPx, heightPx } = svgSize(svg, scale, 1) ?? { widthPx: 0, heightPx: 0 };
    pixels += widthPx * heightPx;
  }
  if (pixels <= decodedPixelsMin) return 1;
  const decoderBytes = Math.max(0, ...[...images.values()].map(decodeBytesOf));
  const pixelsMax = decodedPixelsMax(list, scale, { decoderBytes, heldBytes });
  return Math.min(1, Math.sqrt(pixelsMax / pixels));
}

function wantedImages(
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

/** Size of an SVG in device pixels, reduced if it far exceeds any canvas; undefined for an empty one. */
function svgSize(
  { placed: { width, height } }: SvgContent,
  scale: number,
  shrink: number,
): Pick<SvgDrawing, 'widthPx' | 'heightPx'> | undefined {
  if (width === 0 || height === 0) return undefined;
  const side = svgSidePxMax / Math.max(width, height);
  const fit = Math.min(scale, side, Math.sqrt(svgPixelsMax / (width * height))) * shrink;
  return { widthPx: toPx(width * fit), heightPx: toPx(height * fit) };
}

/** Returns the decoded size: the drawn size, but at most the size of the file. The engine enlarges its pixels. */
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

async function loadDrawable(wanted: Wanted, shrink: number): Promise<Drawable> {
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
    if (error instanceof TooSlowError) throw new TooSlowError(error.message, layer);
    if (error instanceof TooExpensiveError) throw new TooExpensiveError(error.message, layer);
    throw error;
  }
}

/** Whole device pixels, at least one. */
function toPx(length: number): number {
  return Math.max(1, Math.round(length));
}
