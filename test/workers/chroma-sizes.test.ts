/** Documents with photographs and vivid text are at most a tenth larger than in halved colour. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import type { RenderFormat, SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { error99 } from '../helpers/channel-errors.ts';
import {
  decodePixels,
  readImage,
  renderTemplate,
  repository,
  validTemplate,
} from '../helpers/render.ts';

const photographs = ['avatar', 'coast', 'fabric', 'mug', 'mug-blue', 'stage'].slice(
  0,
  extent(2, 6),
);
const textBox = { x: 60, y: 540, width: 800, height: 80 };

/** What a file has to show for its size. */
interface Weight {
  drawn: 'whole' | 'plan';
  /** Bytes, to those of the same pixels in 4:2:0 with Huffman tables made for them. */
  ratio: number;
  /** `error99` of the file and of that in 4:2:0. */
  error: number;
  halvedError: number;
}

/** Weighs a render of a document; of a JPEG the third one, over a base render where one pays. */
async function weigh(
  document: Template,
  image: SourceImage,
  format: 'jpeg' | 'webp',
  scale: 1 | 2 = 1,
): Promise<Weight> {
  const draw = (name: string, to: RenderFormat): ReturnType<typeof renderTemplate> =>
    renderTemplate(document, {
      values: { [document.variables[0]?.name ?? '']: name },
      images: { 'asset:photo': image },
      format: to,
      quality: to === 'webp' ? 82 : 85,
      scale,
    });
  if (format === 'jpeg') {
    await draw('Ben', format);
    await draw('Zed', format);
  }
  const { bytes, drawn } = await draw('Amanda', format);
  const { data, width, height } = await decodePixels((await draw('Amanda', 'png')).bytes);
  const pixels = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  const halved =
    format === 'jpeg'
      ? pixels.jpeg({ quality: 85, chromaSubsampling: '4:2:0', optimizeCoding: true })
      : pixels.webp({ quality: 82, effort: 2 });
  const reference = await halved.toBuffer();
  const errorOf = async (file: Uint8Array): Promise<number> =>
    error99(data, (await decodePixels(file)).data, width, textBox);
  return {
    drawn,
    ratio: bytes.length / reference.length,
    error: await errorOf(bytes),
    halvedError: await errorOf(reference),
  };
}

/** A photograph as wide as the canvas and as high as its share, and a line of large red letters. */
function withPhotograph(share: number): Template {
  const layers = [
    {
      id: 'photo',
      type: 'image',
      x: 0,
      y: 0,
      width: 1200,
      height: 630 * share,
      src: 'asset:photo',
    },
    {
      ...textBox,
      id: 'text',
      type: 'text',
      width: 1080,
      fill: '#e6002e',
      text: 'Only for {{name}}: 50 % off',
      fontSize: 56,
      fontWeight: 700,
    },
  ];
  const variables = [{ name: 'name', type: 'text', value: 'Anna' }];
  const head = { format: 1, name: 'sizes', width: 1200, height: 630, background: '#ffffff' };
  return validTemplate({ ...head, variables, layers });
}

t.test('photographs with vivid text are at most a tenth larger than in 4:2:0', async (t) => {
  for (const name of photographs) {
    const image = await readImage(`data/templates/pictures/${name}.jpg`);
    for (const share of [0.1, 1, 0.3, 0.5].slice(0, extent(2, 4))) {
      const document = withPhotograph(share);
      const { drawn, ratio, error, halvedError } = await weigh(document, image, 'jpeg');
      t.equal(drawn, 'plan');
      const label = `${name}, ${share} of the canvas: ${ratio.toFixed(3)}, ${error} to ${halvedError}`;
      t.ok(ratio <= 1.1 && error <= halvedError * 0.75, label);
    }
  }
});

t.test('a WebP of a photograph with vivid text is at most a tenth larger', async (t) => {
  for (const name of photographs) {
    const image = await readImage(`data/templates/pictures/${name}.jpg`);
    const { ratio, error, halvedError } = await weigh(withPhotograph(1), image, 'webp');
    const label = `${name}: ${ratio.toFixed(3)}, ${error} to ${halvedError}`;
    t.ok(ratio <= 1.1 && error < halvedError, label);
  }
});

t.test('the sample with a photograph is at most a tenth larger at each scale', async (t) => {
  const sample = JSON.parse(
    await readFile(`${repository}/data/templates/product-card.json`, 'utf8'),
  );
  for (const name of ['mug', 'mug-blue'].slice(0, extent(1, 2))) {
    const image = await readImage(`data/templates/pictures/${name}.jpg`);
    const variables = sample.variables.map((variable: { type: string }) =>
      variable.type === 'image' ? { ...variable, value: 'asset:photo' } : variable,
    );
    for (const scale of [1, 2] as const) {
      const { ratio } = await weigh(validTemplate({ ...sample, variables }), image, 'jpeg', scale);
      t.ok(ratio <= 1.1, `${name} at scale ${scale}: ${ratio.toFixed(3)}`);
    }
  }
});
