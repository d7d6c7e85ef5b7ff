/** Files of the samples are no larger than those of the encoders that everybody uses, drawn whole and over a base render. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { imageSources } from '#language/bind/layers.ts';
import type { RenderFormat, RenderJob } from '#wire/render-job.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { listDirectory } from '../../../src/store/publish.ts';
import { decodePixels, readImage } from '../../helpers/render.ts';

const { renderJob } = await import('../../../workers/render.ts');

const samples = join(import.meta.dirname, '../../../data/templates');
const quality = 85;

/** The sample's first text with this in its place; all other values are the defaults. */
async function jobOf(uid: string, text: string, format: RenderFormat): Promise<RenderJob> {
  const templateJson = readFileSync(join(samples, `${uid}.json`), 'utf8');
  const template: Template = JSON.parse(templateJson);
  const first = template.variables.find(({ type }) => type === 'text');
  const values = new Map(
    template.variables.map((each) => [each.name, each === first ? text : defaultText(each)]),
  );
  const sources = imageSources(resolveLayers(template, values).layers);
  const images: RenderJob['images'] = [];
  for (const source of sources) {
    images.push([source, await readImage(join('data/templates', source))]);
  }
  return { templateKey: uid, templateJson, values, images, format, quality, scale: 1 };
}

interface Sizes {
  drawn: string;
  /** Against what sharp makes of the same pixels in the same colour resolution. */
  ratio: number;
}

async function measure(uid: string, text: string, format: 'png' | 'jpeg'): Promise<Sizes> {
  const { bytes, drawn } = await renderJob(await jobOf(uid, text, format));
  // The pixels before a JPEG's loss are those of the PNG.
  const png = format === 'png' ? bytes : (await renderJob(await jobOf(uid, text, 'png'))).bytes;
  const { data, width, height } = await decodePixels(png);
  const { chromaSubsampling = '4:2:0' } = await sharp(bytes).metadata();
  const pixels = sharp(data, { raw: { width, height, channels: 4 } });
  const reference =
    format === 'png'
      ? await pixels.png({ compressionLevel: 6 }).toBuffer()
      : await pixels
          .flatten({ background: '#fff' })
          .jpeg({ quality, chromaSubsampling, optimizeCoding: false })
          .toBuffer();
  return { drawn, ratio: bytes.length / reference.length };
}

for (const [format, mean, largest] of [
  ['png', 1, 1.05],
  ['jpeg', 1.03, 1.03],
] as const) {
  t.test(`${format}: ${mean} times the reference on average, ${largest} at most`, async (t) => {
    const ratios: Record<string, number[]> = { whole: [], plan: [] };
    for (const uid of listDirectory(samples)) {
      for (const text of ['Sam', 'Bo', 'Al']) {
        const { drawn, ratio } = await measure(uid, text, format);
        ratios[drawn]?.push(ratio);
        t.ok(ratio <= largest, `${uid}, ${drawn}: ${ratio.toFixed(3)}`);
      }
    }
    for (const [drawn, each] of Object.entries(ratios)) {
      t.ok(each.length > 4, `${each.length} are drawn ${drawn}`);
      const average = each.reduce((sum, ratio) => sum + ratio, 0) / each.length;
      t.ok(average <= mean, `${drawn}: ${average.toFixed(3)} on average`);
    }
  });
}
