/** Compares `encodeMs` with the CPU time of real encodes: `node bench/stages/encode-cost.ts [side in pixels]`. */
import type { RenderFormat } from '#wire/render-job.ts';
import { encodeMs } from '#language/limits/image-costs.ts';
import { encode } from '../../workers/encode/encode.ts';
import type { Chroma } from '../../workers/encode/jpeg/head.ts';
import type { Pixels } from '../../workers/pixels.ts';

const sidePx = Number(process.argv[2] ?? 1024);

/** The same numbers in each run (Numerical Recipes' linear congruential generator). */
function createRandomBytes(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >>> 24;
  };
}

function createPixels(channel: (random: () => number, index: number) => number): Pixels {
  const data = new Uint8Array(sidePx * sidePx * 4);
  const random = createRandomBytes();
  for (let index = 0; index < data.length; index += 1) data[index] = channel(random, index);
  return { data, widthPx: sidePx, heightPx: sidePx };
}

/** Draws one random number a pixel, so that its channels are equal. */
function toGray(random: () => number, index: number, last: { value: number }): number {
  if (index % 4 === 0) last.value = random() > 127 ? 255 : 0;
  return index % 4 === 3 ? 255 : last.value;
}

const gray = { value: 0 };
const contents: Record<string, Pixels> = {
  empty: createPixels(() => 0),
  'black and white': createPixels((random, index) => toGray(random, index, gray)),
  'opaque noise': createPixels((random, index) => (index % 4 === 3 ? 255 : random())),
  'transparent noise': createPixels((random) => random()),
  'transparent noise, scaled up': scaledUp(createPixels((random) => random())),
};

/** The left upper corner at three times its size, smooth between its pixels. */
function scaledUp({ data }: Pixels): Pixels {
  const times = 3;
  return createPixels((_random, index) => {
    const [channel, pixel] = [index % 4, Math.floor(index / 4)];
    const [x, y] = [(pixel % sidePx) / times, Math.floor(pixel / sidePx) / times];
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const at = (column: number, row: number): number =>
      data[(row * sidePx + column) * 4 + channel] ?? 0;
    const above = at(left, top) + (at(left + 1, top) - at(left, top)) * (x - left);
    const below = at(left, top + 1) + (at(left + 1, top + 1) - at(left, top + 1)) * (x - left);
    return above + (below - above) * (y - top);
  });
}

const settings: [format: RenderFormat, quality: number, chroma?: Chroma][] = [
  ['png', 100],
  ['jpeg', 85],
  ['jpeg', 85, '4:4:4'],
  ['jpeg', 50, '4:4:4-even'],
  ['jpeg', 85, '4:4:4-even'],
  ['jpeg', 89, '4:4:4-even'],
  ['jpeg', 100, '4:4:4'],
  ['webp', 50],
  ['webp', 82],
  ['webp', 100],
  ['webp', 1, '4:4:4'],
  ['webp', 50, '4:4:4'],
  ['webp', 82, '4:4:4'],
  ['webp', 100, '4:4:4'],
  ['avif', 30],
  ['avif', 60],
  ['avif', 80],
  ['avif', 100],
  ['gif', 100],
];

// The first encode of a process compiles its code.
for (const pixels of Object.values(contents)) await encode(pixels, 'png', 100);
for (const [format, quality, chroma = '4:2:0'] of settings) {
  const expectedMs = encodeMs(format, sidePx, sidePx, quality);
  const ratios: string[] = [];
  for (const [name, pixels] of Object.entries(contents)) {
    const before = process.cpuUsage();
    await encode(pixels, format, quality, chroma);
    const { user, system } = process.cpuUsage(before);
    ratios.push(`${name} ${((user + system) / 1000 / expectedMs).toFixed(2)}`);
  }
  console.log(
    `${format} ${quality} ${chroma}: estimate ${expectedMs.toFixed(0)} ms; measured by estimate: ${ratios.join(', ')}`,
  );
}
