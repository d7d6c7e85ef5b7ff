/** A peer as a process: draws a banner on request. */
import { readFileSync } from 'node:fs';
import { nameOf } from '../harness/names.ts';
import { servePainter } from '../harness/painter-program.ts';
import type { PeerOptions } from '../harness/painter.ts';
import type { Peer } from './banner.ts';

const [name = '', text = '{}'] = process.argv.slice(2);
const options: PeerOptions = JSON.parse(text);

// Loaded when chosen: no peer runs with the native code of another.
const creators: Record<string, () => Promise<Peer>> = {
  'skia-canvas, tuned': async () => (await import('./skia-canvas.ts')).createSkiaCanvas(),
  '@napi-rs/canvas': async () => (await import('./napi-canvas.ts')).createNapiCanvas(),
  takumi: async () => (await import('./takumi.ts')).createTakumi(),
  Chromium: async () => (await import('./chromium.ts')).createChromium(),
};

const create = creators[name];
if (create === undefined)
  throw new Error(`There is no peer "${name}": ${Object.keys(creators).join(', ')}.`);
const peer = await create();
const { template } = options;
const photos = options.photos.map((path) => readFileSync(path));

servePainter({
  draw({ number, format }) {
    const photo = photos[number % photos.length];
    const values = { template, name: nameOf(number), ...(photo === undefined ? {} : { photo }) };
    return peer.draw(values, format);
  },
  close: () => peer.close?.() ?? Promise.resolve(),
});
