/** Files of GIF as libvips reads them: exact colours where there are few, transparent pixels, and near colours. */
import sharp from 'sharp';
import t from 'tap';
import type { Animation, Frame } from '../../../workers/encode/animation/frames.ts';
import { encodeGif } from '../../../workers/encode/animation/gif/file.ts';
import { meanDifference } from '../../helpers/color-difference.ts';

/** Frames of words: RGBA, red lowest. */
function framesOf(widthPx: number, heightPx: number, drawn: Uint32Array[]): Animation {
  const region = { x: 0, y: 0, width: widthPx, height: heightPx };
  const frames: Frame[] = drawn.map((words) => ({
    region,
    pixels: { data: new Uint8Array(words.buffer), widthPx, heightPx },
    delayMs: 40,
  }));
  return { widthPx, heightPx, frames, plays: 0 };
}

async function decodeGif(file: Uint8Array): Promise<Uint32Array> {
  const data = await sharp(file, { animated: true }).ensureAlpha().raw().toBuffer();
  return new Uint32Array(new Uint8Array(data).buffer);
}

t.test('a GIF of at most 255 colours is exact', async (t) => {
  for (const colors of [1, 2, 3, 16, 17, 254, 255]) {
    const words = Uint32Array.from(
      { length: 64 * 64 },
      (_, index) => (0xff_00_00_00 | (((index * 7919) % colors) * 65_793)) >>> 0,
    );
    const file = encodeGif(framesOf(64, 64, [words, words.toReversed()]));
    const decoded = await decodeGif(file);
    t.same(decoded.subarray(0, words.length), words, `${colors} colours`);
    t.same(decoded.subarray(words.length), words.toReversed(), `${colors} colours, second frame`);
  }
});

const redFrame = new Uint32Array(8 * 8).fill(0xff_00_00_ff);

t.test('a GIF plays as often as the animation', async (t) => {
  for (const plays of [0, 1, 2, 3]) {
    const file = encodeGif({
      ...framesOf(8, 8, [redFrame, redFrame.map((word) => word + 255)]),
      plays,
    });
    t.equal((await sharp(file, { animated: true }).metadata()).loop, plays);
  }
});

const ground = new Uint32Array(32 * 32);
const left = ground.map((_, index) => (index % 32 < 16 ? 0xff_00_00_ff : 0));

t.test('transparent pixels of a GIF stay transparent in each frame', async (t) => {
  const right = ground.map((_, index) => (index % 32 < 16 ? 0 : 0xff_ff_00_00));
  const decoded = await decodeGif(encodeGif(framesOf(32, 32, [left, right])));
  t.same(decoded.subarray(0, left.length), left);
  t.same(decoded.subarray(left.length), right);
});

t.test('what does not move stays in each frame of a transparent GIF', async (t) => {
  const animation = framesOf(32, 32, [left]);
  const dot = new Uint32Array(4 * 4).fill(0xff_ff_00_00);
  animation.frames.push({
    region: { x: 20, y: 8, width: 4, height: 4 },
    pixels: { data: new Uint8Array(dot.buffer), widthPx: 4, heightPx: 4 },
    delayMs: 40,
  });
  const decoded = await decodeGif(encodeGif(animation));
  const second = decoded.subarray(left.length);
  t.equal(second[10 * 32 + 3], 0xff_00_00_ff, 'the part that stands still');
  t.equal(second[10 * 32 + 21], 0xff_ff_00_00, 'the part that is new');
  t.equal(second[30], 0, 'the ground');
});

t.test('a frame that shows for longer than a GIF can say comes again', async (t) => {
  const blue = new Uint32Array(8 * 8).fill(0xff_ff_00_00);
  const clear = new Uint32Array(8 * 8);
  for (const first of [redFrame, clear]) {
    const animation = framesOf(8, 8, [first, blue]);
    for (const frame of animation.frames) frame.delayMs = 1_500_000;
    const file = encodeGif(animation);
    const { delay } = await sharp(file, { animated: true }).metadata();
    t.same(delay, [655_350, 655_350, 189_300, 655_350, 655_350, 189_300]);
    const decoded = await decodeGif(file);
    t.same(decoded.subarray(2 * 64, 3 * 64), first, 'nothing changes');
    t.same(decoded.subarray(5 * 64), blue);
  }
});

/** All hues from left to right, and their lightness from top to bottom: more colours than a GIF has. */
function spectrum(widthPx: number, heightPx: number): Uint32Array {
  return Uint32Array.from({ length: widthPx * heightPx }, (_, index) => {
    const hue = ((index % widthPx) / widthPx) * 12;
    const light = 0.2 + (0.6 * Math.floor(index / widthPx)) / heightPx;
    const chroma = Math.min(light, 1 - light);
    const [red, green, blue] = [0, 8, 4].map((offset) => {
      const at = (offset + hue) % 12;
      return Math.round(255 * (light - chroma * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
    });
    return ((0xff << 24) | ((blue ?? 0) << 16) | ((green ?? 0) << 8) | (red ?? 0)) >>> 0;
  });
}

t.test('the colours of a gradient with all hues are right in the mean of neighbours', async (t) => {
  const [width, height] = [300, 100];
  const raw = { width, height, channels: 4 } as const;
  const pixels = spectrum(width, height);
  const drawn = new Uint8Array(pixels.buffer);
  const file = encodeGif(framesOf(width, height, [pixels]));
  const shown = await sharp(file).ensureAlpha().raw().toBuffer();
  const difference = meanDifference(shown, drawn);
  t.ok(difference < 6.5, `each pixel: ΔE ${difference.toFixed(2)}`);
  const blur = (each: Uint8Array) => sharp(each, { raw }).blur(2).raw().toBuffer();
  const mean = meanDifference(await blur(shown), await blur(drawn));
  t.ok(mean < 3, `neighbours together: ΔE ${mean.toFixed(2)}`);
});
