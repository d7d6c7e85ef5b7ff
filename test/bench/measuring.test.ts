import sharp from 'sharp';
import t from 'tap';
import {
  checkImage,
  checkImages,
  checkPainter,
  differenceOf,
} from '../../bench/harness/check-image.ts';
import { compareRounds, summarize } from '../../bench/harness/compare-rounds.ts';
import { fullNames, nameOf } from '../../bench/harness/names.ts';
import {
  fitLine,
  largestStep,
  largestTenthRatio,
  median,
  quantile,
} from '../../bench/harness/statistics.ts';
import { linkOf, samples, shortWordOf, uniqueLink } from '../../bench/harness/values.ts';
import { parseWrk } from '../../bench/harness/wrk.ts';

t.test('two sides take turns, and the one that begins changes', async (t) => {
  const order: string[] = [];
  const side = (name: string, value: number) => async (round: number) => {
    order.push(name + round);
    return value;
  };
  const compared = await compareRounds(3, side('a', 6), side('b', 2));
  t.same(order, ['a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
  t.same(compared, { ratio: 3, low: 3, high: 3, rounds: 3, subject: 6, peer: 2 });
});

t.test('a comparison is the median of the ratios, not the ratio of the medians', async (t) => {
  // The machine was busy in the second round: both sides were slow, their ratio was not.
  const { ratio, low, high } = summarize([10, 2, 30], [5, 1, 3]);
  t.equal(ratio, 2);
  t.equal(low, 2);
  t.equal(high, 10);
  t.equal(median([4, 1, 3, 2]), 2.5);
  t.ok(Number.isNaN(median([])));
});

t.test('the slowest tenth is compared with the median', async (t) => {
  const even = Array.from({ length: 18 }, () => 2);
  t.equal(largestTenthRatio([...even, 6, 10]), 4);
  t.equal(largestTenthRatio([3]), 1);
  t.equal(quantile([5, 1, 3, 2, 4], 0.8), 5);
  t.equal(quantile([], 0.5), 0);
});

t.test('a fitted line explains points on it wholly, and scattered points in part', async (t) => {
  const exact = [0, 1, 2, 5].map((x) => ({ x, y: 3 + 2 * x }));
  t.same(fitLine(exact), { slope: 2, intercept: 3, rSquared: 1 });
  const { slope, intercept, rSquared } = fitLine([
    { x: 0, y: 1 },
    { x: 1, y: 4 },
    { x: 2, y: 1 },
  ]);
  t.same([slope, intercept, rSquared], [0, 2, 0]);
  t.ok(Number.isNaN(fitLine([{ x: 1, y: 1 }]).slope));
});

t.test('a step is the rise beyond that of the line, relative to the smaller cost', async (t) => {
  const line = { slope: 1, intercept: 2, rSquared: 1 };
  const costs = (...ys: number[]) => ys.map((y, x) => ({ x, y }));
  t.equal(largestStep(costs(2, 3, 4, 5), line), 0);
  t.equal(largestStep(costs(2, 3, 7, 8), line), 1);
  t.equal(largestStep(costs(5, 4, 3), line), 0, 'a fall is no step');
});

t.test('each number has a name, a link and a word of its own, the same at every time', (t) => {
  const count = 80_000;
  const names = Array.from({ length: count }, (_, number) => nameOf(number).normalize('NFC'));
  t.equal(new Set(names).size, count);
  t.same(
    names.slice(0, fullNames.length),
    fullNames.map((name) => name.normalize('NFC')),
  );
  t.equal(linkOf('product-card', 0, '.png'), '/v1/render/product-card.png?title=Amanda%20Okafor');
  const links = { templates: samples, extension: '', from: 10 };
  const made = Array.from({ length: 3000 }, (_, index) => uniqueLink(links, index));
  t.equal(new Set(made).size, made.length);
  t.equal(made[6], linkOf('countdown-banner', 11), 'the templates in turn');
  const words = made.map((_, number) => shortWordOf(number));
  t.equal(new Set(words).size, words.length);
  t.ok(words.every((word) => /^[A-Z][a-z]{7,11}$/.test(word)));
  t.end();
});

t.test('what wrk prints is a number only when every answer was good', async (t) => {
  const good =
    'Running 1s test\n  12 requests in 1.00s\nRequests/sec:  49211.95\nTransfer/sec: 2MB\n';
  t.equal(parseWrk(good), 49_211.95);
  t.throws(() => parseWrk(`  Non-2xx or 3xx responses: 3\n${good}`), /Non-2xx or 3xx responses: 3/);
  t.throws(() => parseWrk(`  Socket errors: connect 0, read 1\n${good}`), /Socket errors/);
  t.throws(() => parseWrk('unable to connect'), /no requests a second/);
});

t.test('a blank, small or repeated image ends the measurement', async (t) => {
  const claim = { format: 'png', width: 40, height: 20 } as const;
  const gradient = (from: string): Promise<Buffer> =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><linearGradient id="a"><stop stop-color="${from}"/>` +
          '<stop offset="1" stop-color="#000"/></linearGradient><rect width="40" height="20" fill="url(#a)"/></svg>',
      ),
    )
      .png()
      .toBuffer();
  const blank = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#123' } })
    .png()
    .toBuffer();
  const [red, white, gray] = [
    await gradient('#f00'),
    await gradient('#fff'),
    await gradient('#eee'),
  ];
  await checkImages('A', [red, white], claim);
  await t.rejects(checkImage('A', blank, claim), /A drew a blank image/);
  await t.rejects(
    checkImage('A', red, { ...claim, width: 41 }),
    /drew png 40 × 20; expected png 41/,
  );
  await t.rejects(checkImage('A', red, { ...claim, format: 'jpeg' }), /expected jpeg/);
  await t.rejects(checkImage('A', Buffer.from('no image'), claim));
  await t.rejects(
    checkImages('A', [red, white, red], claim),
    /A drew the same image for the texts 0 and 2/,
  );
  t.equal(await differenceOf(red, red), 0);
  t.ok((await differenceOf(red, white)) > 50);

  const painter = (...images: Buffer[]) => ({
    name: 'A',
    draw: ({ number }: { number: number }) => Promise.resolve(images[number] ?? blank),
  });
  t.equal(await checkPainter(painter(red, white), claim, 2, red), red);
  await t.rejects(checkPainter(painter(red, white), claim, 2, gray), /A drew another image than/);
  await t.rejects(checkPainter(painter(red, red), claim, 2), /the same image/);
});
