/** Files of animated WebP. */
import t from 'tap';
import { encodeAnimatedWebp } from '../../../workers/encode/animation/webp.ts';

/** In the first byte of the chunk VP8X (RFC 9649, 2.7.1). libvips ignores it. */
const alphaFlag = 0x10;

t.test('an animated WebP with one transparent frame says that it has alpha', async (t) => {
  const region = { x: 0, y: 0, width: 8, height: 8 };
  const frameOf = (byte: number) => {
    const data = new Uint8Array(8 * 8 * 4).fill(byte);
    return { region, pixels: { data, widthPx: 8, heightPx: 8 }, delayMs: 40 };
  };
  for (const [bytes, hasAlpha] of [
    [[255, 255], false],
    [[255, 0], true],
  ] as const) {
    const frames = bytes.map(frameOf);
    const file = await encodeAnimatedWebp({ widthPx: 8, heightPx: 8, frames, plays: 1 }, 80);
    t.equal(Boolean((file[20] ?? 0) & alphaFlag), hasAlpha);
  }
});
