/** Draws with @napi-rs/canvas; its encoder runs beside the thread that draws. */
import { createCanvas, GlobalFonts, loadImage, Path2D } from '@napi-rs/canvas';
import type { Peer } from './banner.ts';
import { banner, fonts, imageFile } from './banner.ts';
import type { Context } from './canvas-images.ts';
import { drawBanner } from './canvas-images.ts';

export async function createNapiCanvas(): Promise<Peer> {
  for (const { family, path } of fonts) GlobalFonts.registerFromPath(path, family);
  const image = await loadImage(imageFile('coast.jpg'));
  const photo = { image, width: image.width, height: image.height };
  return {
    async draw({ template, name }, format) {
      const canvas = createCanvas(banner.width, banner.height);
      const context = canvas.getContext('2d') as unknown as Context;
      drawBanner(context, template, name, photo, (data) => new Path2D(data));
      return format === 'png' ? canvas.encode('png') : canvas.encode('jpeg', banner.quality);
    },
  };
}
