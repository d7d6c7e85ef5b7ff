/**
 * Draws with skia-canvas alone, as an application that was optimised: the template's photo is scaled in advance, and a
 * JPEG has half the colour resolution (4:2:0), the default of most encoders.
 */
import { Canvas, FontLibrary, loadImage, Path2D } from 'skia-canvas';
import type { Image } from 'skia-canvas';
import type { Peer } from './banner.ts';
import { banner, fonts, imageFile } from './banner.ts';
import type { Context, CanvasImage } from './canvas-images.ts';
import { drawBanner } from './canvas-images.ts';

export async function createSkiaCanvas(): Promise<Peer> {
  for (const family of new Set(fonts.map((font) => font.family))) {
    FontLibrary.use(
      family,
      fonts.filter((font) => font.family === family).map(({ path }) => path),
    );
  }
  const coast = await scaled(await decode(imageFile('coast.jpg')));
  return {
    async draw({ template, name, photo }, format) {
      const canvas = new Canvas(banner.width, banner.height);
      canvas.gpu = false;
      const context = canvas.getContext('2d') as unknown as Context;
      const image = photo === undefined ? coast : await decode(photo);
      drawBanner(context, template, name, image, (data) => new Path2D(data));
      return format === 'png'
        ? canvas.toBuffer('png')
        : canvas.toBuffer('jpg', { quality: banner.quality / 100, downsample: true });
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
