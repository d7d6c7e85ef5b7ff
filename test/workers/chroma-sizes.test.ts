/** Documents with photographs and vivid text are at most a tenth larger than in halved colour. */
import sharp from 'sharp';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { error99 } from '../helpers/channel-errors.ts';
import { decodePixels, readImage, renderTemplate, validTemplate } from '../helpers/render.ts';

const photographs = ['avatar', 'coast', 'fabric', 'mug', 'mug-blue', 'stage'].slice(
  0,
  extent(2, 6),
);
const textBox = { x: 60, y: 540, width: 800, height: 80 };

/** A photograph as wide as the canvas and as high as its share, and a line of large red letters. */
function withPhotograph(share: number): Template {
  const words = { text: 'Only for {{name}}: 50 % off', fontSize: 56, fontWeight: 700 };
  return validTemplate(
    aTemplate({
      width: 1200,
      height: 630,
      background: '#ffffff',
      variables: [aVariable('name', 'text', 'Anna')],
      layers: [
        aLayer('image', { width: 1200, height: 630 * share, src: 'asset:photo' }),
        aLayer('text', { id: 'text', ...textBox, width: 1080, fill: '#e6002e', ...words }),
      ],
    }),
  );
}

t.test('photographs with vivid text are at most a tenth larger than in 4:2:0', async (t) => {
  for (const photograph of photographs) {
    const images = { 'asset:photo': await readImage(`data/templates/pictures/${photograph}.jpg`) };
    for (const share of [0.1, 1, 0.3, 0.5].slice(0, extent(2, 4))) {
      const document = withPhotograph(share);
      const draw = (name: string, format: RenderFormat): ReturnType<typeof renderTemplate> =>
        renderTemplate(document, { values: { name }, images, format });
      for (const name of ['Ben', 'Zed']) await draw(name, 'jpeg');
      const { bytes, drawn } = await draw('Amanda', 'jpeg');
      t.equal(drawn, 'plan', 'the third one is drawn over a base render');
      const { data, width, height } = await decodePixels((await draw('Amanda', 'png')).bytes);
      const halved = await sharp(data, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .jpeg({ quality: 85, chromaSubsampling: '4:2:0', optimizeCoding: true })
        .toBuffer();
      const errorOf = async (file: Uint8Array): Promise<number> =>
        error99(data, (await decodePixels(file)).data, width, textBox);
      const ratio = bytes.length / halved.length;
      const [error, halvedError] = [await errorOf(bytes), await errorOf(halved)];
      const label = `${photograph}, ${share} of the canvas: ${ratio.toFixed(3)}, ${error} to ${halvedError}`;
      t.ok(ratio <= 1.1 && error <= halvedError * 0.75, label);
    }
  }
});
