/**
 * Draws with skia-canvas alone, as an application that uses it directly: the image is decoded once and drawn each time.
 */
import { Canvas, FontLibrary, loadImage, Path2D } from 'skia-canvas';
import type { Image } from 'skia-canvas';
import type { PainterOptions } from '../harness/painter.ts';
import type { Peer } from './banner.ts';
import { banner, fonts, imageFile } from './banner.ts';
import type { Context, CanvasImage } from './canvas-images.ts';
import { drawBanner, drawCard } from './canvas-images.ts';

/**
 * `isTuned` is the version of an application that was optimised: the photo scaled beforehand, and a JPEG with half the
 * colour resolution, the default of most encoders.
 */
export async function createSkiaCanvas(
  { template, keepsPhotos }: PainterOptions,
  isTuned: boolean,
): Promise<Peer> {
  for (const family of ['Fraunces', 'Inter']) {
    FontLibrary.use(
      family,
      fonts.filter((font) => font.family === family).map(({ path }) => path),
    );
  }
  const original = await decode(imageFile('coast.jpg'));
  const coast = isTuned ? await scaled(original) : original;
  const mug = await decode(imageFile('mug.jpg'));
  const kept = new Map<Uint8Array, CanvasImage>();
  const load = async (photo: Uint8Array): Promise<CanvasImage> => {
    const image = kept.get(photo) ?? (await decode(photo));
    if (keepsPhotos) kept.set(photo, image);
    return image;
  };
  const isCard = template === 'product-card';
  const [width, height] = isCard ? [800, 1000] : [banner.width, banner.height];
  return {
    async draw({ name, photo }, format) {
      const canvas = new Canvas(width, height);
      canvas.gpu = false;
      const context = canvas.getContext('2d') as unknown as Context;
      if (isCard) drawCard(context, name, mug);
      else {
        const image = photo === undefined ? coast : await load(photo);
        drawBanner(context, name, image, (data) => new Path2D(data));
      }
      return format === 'png'
        ? canvas.toBuffer('png')
        : canvas.toBuffer('jpg', { quality: banner.quality / 100, downsample: isTuned });
    },
  };
}

async function decode(bytes: Uint8Array): Promise<CanvasImage> {
  const image = await loadImage(Buffer.from(bytes));
  return { image, width: image.width, height: image.height };
}

async function scaled({ image }: CanvasImage): Promise<CanvasImage> {
  const canvas = new Canvas(banner.width, banner.height);
  canvas.getContext('2d').drawImage(image as Image, 0, 0, banner.width, banner.height);
  return decode(await canvas.toBuffer('png'));
}
