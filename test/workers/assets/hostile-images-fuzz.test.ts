/** Laws of the way from bytes to pixels, sniffing and decoding together, that hold however a file is damaged. */
import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import { toSourceImage } from '../../../src/images/admit-image.ts';
import { ImageError } from '../../../src/images/image-error.ts';
import { resolveImageLoaderOptions } from '../../../src/images/config.ts';
import { DecodeError, decodeImage } from '../../../workers/assets/decode-image.ts';
import { soundFiles } from '../../fixtures/images-damaged.ts';

const settings = resolveImageLoaderOptions({});
const sound = (await soundFiles()).map(({ bytes }) => bytes);

/** Files with bytes changed, a part cut out, or the head of one on the body of another. */
const damaged = fc
  .record({
    file: fc.constantFrom(...sound),
    body: fc.option(fc.constantFrom(...sound), { freq: 6 }),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
    hole: fc.tuple(fc.nat(), fc.nat(200)),
  })
  .map(({ file, body, changes, hole: [position, length] }) => {
    const start = 16 + (position % (file.length - 16));
    const rest = body === null ? file.subarray(start + length) : body.subarray(16);
    const bytes = Buffer.concat([file.subarray(0, start), rest]);
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    return bytes;
  });

const size = fc.integer({ min: 1, max: 100 });

t.test(
  'a file is refused in words for its owner, or drawn in exactly the size that is wanted',
  async (t) => {
    const tally = { refused: 0, damaged: 0, drawn: 0 };
    await fc.assert(
      fc.asyncProperty(damaged, size, size, async (bytes, widthPx, heightPx) => {
        const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
        shared.set(bytes);
        try {
          const image = toSourceImage(shared, settings);
          const drawable = await decodeImage(image, {
            widthPx,
            heightPx,
            smartCrop: false,
            tint: undefined,
            duotone: undefined,
          });
          tally.drawn++;
          return drawable.widthPx === widthPx && drawable.heightPx === heightPx;
        } catch (error) {
          if (error instanceof ImageError) tally.refused++;
          else if (error instanceof DecodeError) tally.damaged++;
          else throw error;
          return /^(is|needs) /.test(error.message);
        }
      }),
      { numRuns: extent(150, 1000) },
    );
    t.comment(JSON.stringify(tally));
    t.ok(tally.refused > 0 && tally.damaged > 0 && tally.drawn > 0, 'every outcome was met');
  },
);
