/** Draws with takumi, on its threads. */
import { readFileSync } from 'node:fs';
import { Renderer } from '@takumi-rs/core';
import type { Peer } from './banner.ts';
import { banner, bannerBoxes, fonts, markSvg, imageFile } from './banner.ts';

export async function createTakumi(): Promise<Peer> {
  const renderer = new Renderer();
  for (const { family, weight, path } of fonts) {
    await renderer.registerFont({ name: family, weight, data: readFileSync(path) });
  }
  const images = [
    { src: 'photo', data: new Uint8Array(imageFile('coast.jpg')) },
    { src: 'mark', data: new TextEncoder().encode(markSvg) },
  ];
  const options = { width: banner.width, height: banner.height, quality: banner.quality, images };
  return {
    async draw({ template, name }, format) {
      const children = bannerBoxes(template, name).map(({ text, image, style }) => {
        if (image !== undefined) return { type: 'image', src: image, style };
        if (text !== undefined) return { type: 'text', text, style };
        return { type: 'container', style };
      });
      const style = { position: 'relative', width: banner.width, height: banner.height };
      const root = { type: 'container', style, children };
      return renderer.render(root as Parameters<Renderer['render']>[0], { ...options, format });
    },
  };
}
