/** An encode ends before the deadline of its render: a WebP hurries if it must, and others are refused. */
import sharp from 'sharp';
import t from 'tap';
import { templateLimits } from '#language/limits/template-limits.ts';
import { encode } from '../../../workers/encode/encode.ts';
import { mustHurry } from '../../../workers/encode/limit.ts';
import { endWork, startWork, TooExpensiveError } from '../../../workers/work-limit.ts';

t.afterEach(() => endWork());

/** Noise in 4 megapixels, so that no content is more expensive. */
const pixels = {
  data: crypto.getRandomValues(new Uint8Array(65_536)),
  widthPx: 2000,
  heightPx: 2000,
};
const whole = new Uint8Array(pixels.widthPx * pixels.heightPx * 4);
for (let at = 0; at < whole.length; at += pixels.data.length) {
  whole.set(pixels.data.subarray(0, whole.length - at), at);
}
pixels.data = whole;
for (let at = 3; at < whole.length; at += 4) whole[at] = 255;

/** Whether a WebP hurries in a render that has taken this time. */
function hurriesAfter(spentMs: number): boolean | 'refused' {
  startWork(spentMs);
  try {
    return mustHurry(pixels, 'webp', 82);
  } catch (error) {
    if (error instanceof TooExpensiveError) return 'refused';
    throw error;
  }
}

t.test('the less time is left, the more a WebP hurries, until it is refused', (t) => {
  const course = Array.from({ length: 40 }, (_, step) =>
    hurriesAfter((templateLimits.renderMsMax * step) / 40),
  );
  const [usual, hurried, refused] = [false, true, 'refused' as const].map((answer) =>
    course.indexOf(answer),
  );
  t.equal(usual, 0);
  t.ok(hurried !== undefined && hurried > 0, 'some are hurried');
  t.ok(
    refused !== undefined && hurried !== undefined && refused > hurried,
    'before any is refused',
  );
  t.same(
    course,
    course.toSorted((a, b) => rank(a) - rank(b)),
  );
  t.end();
});

function rank(answer: boolean | 'refused'): number {
  return answer === 'refused' ? 2 : Number(answer);
}

t.test('other formats have one effort', (t) => {
  startWork(templateLimits.renderMsMax - 300);
  t.throws(() => mustHurry(pixels, 'avif', 80), TooExpensiveError);
  startWork(0);
  t.equal(mustHurry({ ...pixels, heightPx: 100 }, 'jpeg', 80), false);
  t.end();
});

t.test('a hurried WebP has the same size and nearly the same pixels', async (t) => {
  const photograph = await sharp(`${import.meta.dirname}/../../golden/images/photo.jpg`)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = photograph.info;
  const input = { data: new Uint8Array(photograph.data), widthPx: width, heightPx: height };
  const [usual, hurried] = await Promise.all(
    [false, true].map((isHurried) =>
      encode({ ...input, data: input.data.slice() }, 'webp', 82, '4:2:0', isHurried),
    ),
  );
  t.not(usual?.length, hurried?.length);
  const decoded = await sharp(hurried).raw().toBuffer({ resolveWithObject: true });
  t.same([decoded.info.width, decoded.info.height], [width, height]);
  const channels = decoded.info.channels;
  let sum = 0;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const difference =
        (photograph.data[pixel * 4 + channel] ?? 0) -
        (decoded.data[pixel * channels + channel] ?? 0);
      sum += Math.abs(difference);
    }
  }
  t.ok(sum / (width * height * 3) < 6, `mean difference ${sum / (width * height * 3)}`);
});
