/** What decoding takes, measured in processes with the environment of a render process, stays within its price. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import { heapOptions, memoryEnvironment } from '../../../src/scheduling/processes/process.ts';

interface Measured {
  ms: number;
  msMax: number;
  peakBytes: number;
  peakBytesMax: number;
}

/** What varies between runs, and does not grow with the image. */
const slack = { ms: 100, bytes: 16e6 };

const side = { width: 1600, height: 1200 };
const noise = await sharp({
  create: {
    ...side,
    channels: 3,
    background: '#888',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})
  .raw()
  .toBuffer();
const image = sharp(noise, { raw: { ...side, channels: 3 } });
const flat = sharp({ create: { ...side, channels: 4, background: '#3366cc80' } });

const files: [name: string, bytes: Promise<Buffer>][] = [
  ['AVIF at a low quality', image.clone().avif({ quality: 30, effort: 0 }).toBuffer()],
  ['AVIF of 12 bits', image.clone().avif({ quality: 50, effort: 0, bitdepth: 12 }).toBuffer()],
  ['WebP', image.clone().webp({ quality: 90, effort: 0 }).toBuffer()],
  ['lossless WebP with alpha', flat.clone().webp({ lossless: true, effort: 0 }).toBuffer()],
  [
    'interlaced PNG of 16 bits',
    flat.clone().toColourspace('rgb16').png({ progressive: true, compressionLevel: 1 }).toBuffer(),
  ],
  [
    'progressive JPEG in CMYK',
    image.clone().toColourspace('cmyk').jpeg({ progressive: true }).toBuffer(),
  ],
  [
    'TIFF of one tile',
    flat
      .clone()
      .toColourspace('rgb16')
      .tiff({ compression: 'deflate', tile: true, tileWidth: 1600, tileHeight: 1200 })
      .toBuffer(),
  ],
];

t.test('decoding takes no more time and memory than its price', async (t) => {
  for (const [name, bytes] of files) {
    const path = join(t.testdir(), 'image');
    // oxlint-disable-next-line no-await-in-loop -- the machine measures one at a time
    writeFileSync(path, await bytes);
    for (const share of ['1', '0.03'].slice(0, extent(1, 2))) {
      const { ms, msMax, peakBytes, peakBytesMax } = measure(path, share);
      t.ok(ms <= msMax + slack.ms, `${name} at ${share}: ${ms} of ${msMax} ms`);
      const told = `${name} at ${share}: ${peakBytes / 1e6} of ${peakBytesMax / 1e6} MB`;
      if (process.platform === 'linux') t.ok(peakBytes <= peakBytesMax + slack.bytes, told);
    }
  }
});

function measure(path: string, share: string): Measured {
  const program = join(import.meta.dirname, '../../fixtures/decode-once.ts');
  const args = [...heapOptions(), program, path, share];
  const told = execFileSync(process.execPath, args, { env: memoryEnvironment, encoding: 'utf8' });
  return JSON.parse(told) as Measured;
}
