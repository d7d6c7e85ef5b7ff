/** The memory by which a render grows its process, for images that are decoded far larger than they are shown. */
import t from 'tap';
import sharp from 'sharp';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Layer } from '#language/schema/layers.ts';
import { peakBytesOf, resetPeak } from '../../bench/harness/peak-memory.ts';
import { startRealPool } from '../fixtures/real-pool.ts';
import { pidsOf, within } from '../fixtures/render-pool.ts';
import { admitted } from '../helpers/render.ts';

/** That of `renderBytesMax`, and of the caches of the engine. */
const growthBytesMax = templateLimits.renderBytesMax + 128 * 1024 * 1024;

// A small file of many pixels: 49 megapixels of one colour.
const side = 7000;
const file = await sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
  .png({ palette: true, colours: 2 })
  .toBuffer();
// A busy machine may take a minute for some seconds of CPU time.
t.setTimeout(600_000);
const pool = await startRealPool(t, 1);
const image = { id: 'photo', type: 'image', x: 0, y: 0, src: 'https://img.example/' } as const;

const shapes: [what: string, canvas: [number, number], layer: Partial<Layer>][] = [
  ['an image at six times its box', [1200, 630], { width: 1200, height: 630, zoom: 6 }],
  ['one in a box far larger than the canvas', [1200, 630], { width: 16_384, height: 16_384 }],
  ['an enlarged one on the largest canvas', [4096, 4096], { width: 4096, height: 4096, zoom: 4 }],
];

for (const [what, [width, height], layer] of shapes) {
  t.test(`${what} grows its process by 512 MB at most`, async (t) => {
    const layers = [{ ...image, ...layer }];
    const document = { format: 1, name: what, width, height, variables: [], layers };
    const [pid = 0] = pidsOf(pool);
    resetPeak(pid);
    const beforeBytes = peakBytesOf(pid);
    const { outcome } = await pool.run(
      {
        templateKey: `org_a:${what}`,
        templateJson: JSON.stringify(document),
        values: new Map(),
        images: [[image.src, admitted(file)]],
        format: 'jpeg',
        quality: 80,
        scale: 1,
      },
      within(600_000),
    );
    t.ok(outcome.ok, outcome.ok ? 'is drawn' : outcome.detail);
    const growthBytes = peakBytesOf(pid) - beforeBytes;
    t.ok(growthBytes < growthBytesMax, `grows by ${Math.round(growthBytes / 1e6)} MB`);
  });
}
