/** Draws with satori, which produces an SVG, and rasterises that with resvg or with sharp. */
import { readFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import sharp from 'sharp';
import type { BannerValues, Peer } from './banner.ts';
import { banner, bannerBoxes, fonts, markSvg, imageFile } from './banner.ts';

export async function createSatoriResvg(): Promise<Peer> {
  const toSvg = createToSvg();
  return {
    async draw(values, format) {
      const rendered = new Resvg(await toSvg(values)).render();
      if (format === 'png') return rendered.asPng();
      const raw = { width: rendered.width, height: rendered.height, channels: 4 } as const;
      return sharp(rendered.pixels, { raw }).jpeg({ quality: banner.quality }).toBuffer();
    },
  };
}

export async function createSatoriSharp(): Promise<Peer> {
  const toSvg = createToSvg();
  return {
    async draw(values, format) {
      const image = sharp(Buffer.from(await toSvg(values)));
      return format === 'png'
        ? image.png().toBuffer()
        : image.jpeg({ quality: banner.quality }).toBuffer();
    },
  };
}

function createToSvg(): (values: BannerValues) => Promise<string> {
  const faces = fonts.map(({ family, weight, path }) => {
    return { name: family, weight, style: 'normal' as const, data: readFileSync(path) };
  });
  const sources = {
    photo: `data:image/jpeg;base64,${imageFile('coast.jpg').toString('base64')}`,
    mark: `data:image/svg+xml;base64,${Buffer.from(markSvg).toString('base64')}`,
  };
  return ({ name }) => {
    const children = bannerBoxes(name).map(({ text, image, style }) => {
      if (image !== undefined) return { type: 'img', props: { src: sources[image], style } };
      return {
        type: 'div',
        props: { style: { ...style, display: 'flex', ...centered(style) }, children: text },
      };
    });
    const root = {
      type: 'div',
      props: { style: { display: 'flex', width: '100%', height: '100%' }, children },
    };
    return satori(root as Parameters<typeof satori>[0], {
      width: banner.width,
      height: banner.height,
      fonts: faces,
    });
  };
}

/** Its boxes are flex boxes, in which `textAlign` does not move a line. */
function centered(style: Record<string, string | number>): Record<string, string> {
  return style['textAlign'] === 'center' ? { justifyContent: 'center' } : {};
}
