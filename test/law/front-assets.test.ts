/** What links with large assets of their organization may use of the thread that answers. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { fillDataDirectory, imageLayer } from '../e2e/published.ts';
import { attempts, checkLinks } from './front-links.ts';

t.setTimeout(120_000);

/** A PNG of 8 MiB, which is another one each time. */
function largeImage(): Promise<Buffer> {
  const raw = { width: 1700, height: 1700, channels: 3 } as const;
  return sharp(randomBytes(1700 * 1700 * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

t.test(
  'a link with assets that are not in memory holds the thread as briefly as any other',
  async (t) => {
    const images = await Promise.all(Array.from({ length: 4 * attempts.length }, largeImage));
    const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
      for (const attempt of attempts) {
        const layers = images.slice(4 * attempt, 4 * attempt + 4).map((image, index) => ({
          ...imageLayer(saveAsset(image)),
          id: `i${index}`,
        }));
        publish(`assets-${attempt}`, { layers });
      }
    });
    await checkLinks(t, dataDirectory, (attempt) => `assets-${attempt}.png`);
  },
);
