/** Decodes what a display list draws, each picture at the size it is drawn. */
import type { RenderWarning, SourceImage } from '#shared/render-job.ts';
import { DecodeError, decodeImage, decodeSvg } from './assets/decode-image.ts';
import type { Drawable } from './assets/decode-image.ts';
import { walkImages, walkSvgs } from './display-list.ts';
import type { DisplayList, ImageRequest, SvgContent } from './display-list.ts';

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

/**
 * Decodes all pictures of the list, one after the other; a thread decodes each picture and size
 * once and keeps it. An SVG that cannot be drawn is left out with a warning. Throws `SourceError` for
 * a source image that cannot be decoded.
 */
export async function loadDrawables(
  list: DisplayList,
  images: ReadonlyMap<string, SourceImage>,
  scale: number,
  warnings: RenderWarning[],
): Promise<Drawables> {
  const toPx = (length: number): number => Math.max(1, Math.round(length * scale));
  const drawables = new Map<ImageRequest | SvgContent, Drawable>();
  for (const { request, look, layer } of walkImages(list.items)) {
    const { source, width, height, smartCrop } = request;
    const image = images.get(source);
    if (image === undefined) continue;
    const [widthPx, heightPx] = [toPx(width), toPx(height)];
    const { tint, duotone } = look ?? {};
    try {
      const drawable = await decodeImage(image, { widthPx, heightPx, smartCrop, tint, duotone });
      drawables.set(request, drawable);
    } catch (error) {
      if (error instanceof DecodeError) throw new SourceError(error.message, source, layer);
      throw error;
    }
  }
  for (const { svg, layer } of walkSvgs(list.items)) {
    try {
      const { width, height } = svg.placed;
      drawables.set(svg, await decodeSvg(svg.svg, toPx(width), toPx(height)));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      warnings.push({ code: 'SVG_FAILED', layer, detail: `its SVG ${error.message}` });
    }
  }
  return drawables;
}
