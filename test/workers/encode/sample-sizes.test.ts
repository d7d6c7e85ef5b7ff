/** Files of the samples are no larger than those of the encoders that everybody uses, drawn whole and over a base render. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { RenderFormat } from '#wire/render-job.ts';
import { readSample, toJob } from '../../../bench/harness/sample-job.ts';
import type { Sample } from '../../../bench/harness/values.ts';
import { listDirectory } from '../../../src/store/publish.ts';
import { decodePixels, repository } from '../../helpers/render.ts';

const { renderJob } = await import('../../../workers/render.ts');

const quality = 85;

interface Sizes {
  drawn: string;
  /** Against what sharp makes of the same pixels in the same colour resolution. */
  ratio: number;
}

/** Of a sample with this in place of its first text. */
async function measure(uid: string, text: string, format: 'png' | 'jpeg'): Promise<Sizes> {
  const sample = readSample(uid as Sample);
  const { name = '' } = sample.template.variables.find(({ type }) => type === 'text') ?? {};
  const draw = (as: RenderFormat) => renderJob({ ...toJob(sample, { [name]: text }, as), quality });
  const { bytes, drawn } = await draw(format);
  // The pixels before a JPEG's loss are those of the PNG.
  const png = format === 'png' ? bytes : (await draw('png')).bytes;
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
    for (const uid of listDirectory(join(repository, 'data/templates'))) {
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
