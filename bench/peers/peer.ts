/** A peer as a process: draws the sample `welcome-banner` (skia-canvas also `product-card`) on request. */
import { readFileSync } from 'node:fs';
import { servePainter } from '../harness/painter-program.ts';
import { nameOf } from '../harness/values.ts';
import type { PainterOptions } from '../harness/painter.ts';
import type { Peer } from './banner.ts';

const [name = '', text = '{}'] = process.argv.slice(2);
const options: PainterOptions = JSON.parse(text);

// Loaded when chosen: no peer runs with the native code of another.
const creators: Record<string, () => Promise<Peer>> = {
  'skia-canvas': async () => (await import('./skia-canvas.ts')).createSkiaCanvas(options, false),
  'skia-canvas, tuned': async () =>
    (await import('./skia-canvas.ts')).createSkiaCanvas(options, true),
  '@napi-rs/canvas': async () => (await import('./napi-canvas.ts')).createNapiCanvas(),
  takumi: async () => (await import('./takumi.ts')).createTakumi(),
  'satori + resvg': async () => (await import('./satori.ts')).createSatoriResvg(),
  'satori + sharp': async () => (await import('./satori.ts')).createSatoriSharp(),
  Chromium: async () => (await import('./chromium.ts')).createChromium(),
};

const create = creators[name];
if (create === undefined)
  throw new Error(`There is no peer "${name}": ${Object.keys(creators).join(', ')}.`);
const peer = await create();
const photos = options.photos.map((path) => readFileSync(path));

servePainter({
  draw({ number, format }) {
    const photo = photos[number % photos.length];
    return peer.draw({ name: nameOf(number), ...(photo === undefined ? {} : { photo }) }, format);
  },
  close: () => peer.close?.() ?? Promise.resolve(),
});
