/**
 * Sources have the colours that Chromium gives them. The expected values are of Chromium 156.0.8078, read from a canvas;
 * rounding may differ by one.
 */
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import t from 'tap';
import { decodeImage } from '../../../workers/assets/decode-image.ts';
import { bytesOf, u32, withChunks } from '../../fixtures/images-files.ts';
import { admitted } from '../../helpers/render.ts';

const colors = [
  [128, 64, 200],
  [20, 20, 20],
  [5, 60, 5],
];

/** One pixel of each colour. */
function pixels(): Sharp {
  return sharp(Buffer.from(colors.flat()), { raw: { width: 3, height: 1, channels: 3 } });
}

/** Red, green and blue of each pixel. */
async function decoded(file: Buffer, widthPx = colors.length): Promise<number[][]> {
  const look = { smartCrop: false, tint: undefined, duotone: undefined };
  const { canvas } = await decodeImage(admitted(file), { widthPx, heightPx: 1, ...look });
  const rgba = canvas.toBufferSync('raw');
  return Array.from({ length: widthPx }, (_, at) => [...rgba.subarray(at * 4, at * 4 + 3)]);
}

function isNear(found: number[][], expected: number[][], differenceMax = 1): boolean {
  const wanted = expected.flat();
  return found.flat().every((value, at) => Math.abs(value - (wanted[at] ?? 0)) <= differenceMax);
}

/** Numbers of four bytes, as `cHRM` has them. */
const fields = (...values: number[]): Buffer => bytesOf(...values.map((value) => u32(value)));
const linear: [string, Buffer] = ['gAMA', u32(100_000)];
const usual: [string, Buffer] = ['gAMA', u32(45_455)];
const p3 = fields(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000);
const cicp = (...numbers: number[]): [string, Buffer] => ['cICP', Buffer.from(numbers)];
const asLinear = [
  [188, 137, 229],
  [79, 79, 79],
  [38, 133, 38],
];
const asP3 = [
  [138, 59, 207],
  [20, 20, 20],
  [0, 61, 0],
];

const cases: [claim: string, chunks: [string, Buffer][], expected: number[][]][] = [
  ['gAMA is the exponent', [linear], asLinear],
  ['the usual gAMA alone means sRGB', [usual], colors],
  ['gAMA 0 is ignored', [['gAMA', u32(0)]], colors],
  ['cHRM alone is ignored', [['cHRM', p3]], colors],
  ['sRGB overrides gAMA', [['sRGB', Buffer.of(0)], linear], colors],
  [
    'cHRM with gAMA gives the primaries',
    [usual, ['cHRM', p3]],
    [
      [139, 57, 209],
      [12, 12, 12],
      [0, 59, 0],
    ],
  ],
  ['cHRM of one point is ignored', [usual, ['cHRM', fields(...Array(8).fill(30_000))]], colors],
  ['cICP of Display P3', [cicp(12, 13, 0, 1)], asP3],
  ['cICP overrides gAMA', [linear, cicp(12, 13, 0, 1)], asP3],
  ['cICP of narrow range is ignored', [cicp(12, 13, 0, 0)], colors],
  ['cICP without meaning is ignored', [cicp(2, 2, 0, 1)], colors],
  [
    'cICP of BT.2020 is shown with an exponent of 2.4',
    [cicp(9, 14, 0, 1)],
    [
      [138, 29, 206],
      [7, 7, 7],
      [0, 53, 0],
    ],
  ],
  [
    'cICP of SMPTE 240M',
    [cicp(1, 7, 0, 1)],
    [
      [141, 81, 206],
      [38, 38, 38],
      [15, 77, 15],
    ],
  ],
  [
    'cICP of 1953 with illuminant C',
    [cicp(4, 13, 0, 1)],
    [
      [138, 82, 205],
      [20, 20, 20],
      [0, 59, 0],
    ],
  ],
];

for (const [claim, chunks, expected] of cases) {
  t.test(claim, async (t) => {
    const found = await decoded(withChunks(await pixels().png().toBuffer(), chunks));
    t.ok(isNear(found, expected), JSON.stringify(found));
  });
}

t.test('each kind of PNG follows its chunks', async (t) => {
  const kinds: [kind: string, file: Sharp][] = [
    ['palette', pixels().png({ palette: true })],
    ['16 bits', pixels().toColourspace('rgb16').png()],
    ['alpha', pixels().ensureAlpha().png()],
  ];
  for (const [kind, file] of kinds) {
    const found = await decoded(withChunks(await file.toBuffer(), [linear]));
    // sharp converts 16 bits to Display P3 first: dark saturated colours differ by up to 5.
    const differenceMax = kind === '16 bits' ? 5 : 1;
    t.ok(isNear(found, asLinear, differenceMax), `${kind}: ${JSON.stringify(found)}`);
  }
  const grey = sharp(Buffer.of(20, 128), { raw: { width: 2, height: 1, channels: 1 } });
  const greyFile = await grey.toColourspace('b-w').png().toBuffer();
  t.equal(greyFile[25], 0, 'a grey file');
  const found = await decoded(withChunks(greyFile, [linear]), 2);
  t.ok(isNear(found, [Array(3).fill(79), Array(3).fill(188)]), JSON.stringify(found));
});

t.test('cICP overrides a profile, and a profile overrides gAMA', async (t) => {
  const inSrgb = await pixels().withIccProfile('srgb').png().toBuffer();
  t.ok(isNear(await decoded(withChunks(inSrgb, [cicp(12, 13, 0, 1)])), asP3), 'cICP');
  t.ok(isNear(await decoded(withChunks(inSrgb, [linear])), colors), 'gAMA');
});

t.test('a source of 16 bits with a profile is converted to sRGB', async (t) => {
  const deep = pixels().toColourspace('rgb16').withIccProfile('srgb');
  const deflated = { compression: 'deflate' } as const;
  for (const file of [
    await deep.clone().png().toBuffer(),
    await deep.clone().tiff(deflated).toBuffer(),
  ]) {
    const found = await decoded(file);
    t.ok(isNear(found, colors), JSON.stringify(found));
  }
});

t.test('a CMYK JPEG without a profile has the colours of its inks', async (t) => {
  const expected = [
    [92, 68, 255],
    [0, 0, 0],
    [34, 117, 1],
  ];
  const shades: Sharp[] = [
    [128, 64, 200],
    [16, 16, 16],
    [40, 90, 30],
  ].map(([r = 0, g = 0, b = 0]) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: { r, g, b } } }),
  );
  for (const [at, shade] of shades.entries()) {
    const file = await shade.toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    const [found = []] = await decoded(file, 1);
    t.ok(isNear([found], [expected[at] ?? []]), JSON.stringify(found));
  }
});
