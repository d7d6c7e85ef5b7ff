import sharp from 'sharp';
import t from 'tap';
import { budgets, isReached } from '../../bench/budgets.ts';
import type { Budget } from '../../bench/budgets.ts';
import {
  checkDifferent,
  checkPainter,
  checkImage,
  differenceOf,
} from '../../bench/harness/check-image.ts';
import { compareRounds, median, summarize } from '../../bench/harness/compare-rounds.ts';
import { courseOf } from '../../bench/harness/memory.ts';
import { linkOf, nameOf, namesMax } from '../../bench/harness/values.ts';
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

t.test('a comparison is the median of the ratios, not the ratio of the medians', (t) => {
  // The machine was busy in the second round: both sides were slow, their ratio was not.
  const { ratio, low, high } = summarize([10, 2, 30], [5, 1, 3]);
  t.equal(ratio, 2);
  t.equal(low, 2);
  t.equal(high, 10);
  t.equal(median([4, 1, 3, 2]), 2.5);
  t.ok(Number.isNaN(median([])));
  t.end();
});

t.test('a bar that nothing could be measured for is not reached', (t) => {
  for (const budget of Object.values<Budget>(budgets)) {
    const expected = budget.bar === undefined ? undefined : false;
    t.equal(isReached(budget, Number.NaN), expected, budget.claim);
  }
  t.equal(isReached(budgets.hit, 0.85), true);
  t.equal(isReached(budgets.hit, 0.849), false);
  t.equal(isReached(budgets.memory, 1.11), false);
  t.equal(isReached(budgets.stampede, 0), false);
  t.end();
});

t.test('memory is compared between the first and the last quarter of the time', (t) => {
  t.same(courseOf([1, 1, 50, 9, 9, 9, 3, 5]), { beginning: 1, end: 4, peak: 50 });
  t.same(courseOf([7]), { beginning: 7, end: 7, peak: 7 });
  t.end();
});

t.test('each number has a name of its own, the same at every time', (t) => {
  const numbers = [...Array.from({ length: 3000 }, (_, index) => index), 200_000, namesMax - 1];
  const names = numbers.map(nameOf);
  t.equal(new Set(names).size, numbers.length);
  t.same(numbers.map(nameOf), names);
  t.ok(names.every((name) => /^[A-Z][a-z]{7,11}$/.test(name)));
  t.equal(linkOf('product-card', 3, '.png'), `/v1/render/product-card.png?title=${nameOf(3)}`);
  t.end();
});

t.test('what wrk prints is a number only when every answer was good', (t) => {
  const good =
    'Running 1s test\n  12 requests in 1.00s\nRequests/sec:  49211.95\nTransfer/sec: 2MB\n';
  t.equal(parseWrk(good), 49_211.95);
  t.throws(() => parseWrk(`  Non-2xx or 3xx responses: 3\n${good}`), /Non-2xx or 3xx responses: 3/);
  t.throws(() => parseWrk(`  Socket errors: connect 0, read 1\n${good}`), /Socket errors/);
  t.throws(() => parseWrk('unable to connect'), /no requests a second/);
  t.end();
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
  await checkImage('A', red, claim);
  await checkDifferent('A', red, white);
  await t.rejects(checkImage('A', blank, claim), /A drew a blank image/);
  await t.rejects(
    checkImage('A', red, { ...claim, width: 41 }),
    /drew png 40 × 20; expected png 41/,
  );
  await t.rejects(checkImage('A', red, { ...claim, format: 'jpeg' }), /expected jpeg/);
  await t.rejects(checkImage('A', Buffer.from('no image'), claim));
  await t.rejects(checkDifferent('A', red, red), /the same image for different values/);
  t.equal(await differenceOf(red, red), 0);
  t.ok((await differenceOf(red, white)) > 50);

  const painter = (...images: Buffer[]) => ({
    name: 'A',
    draw: ({ number }: { number: number }) => Promise.resolve(images[number - 1] ?? blank),
  });
  t.equal(await checkPainter(painter(red, white), claim, red), red);
  await t.rejects(checkPainter(painter(red, white), claim, white), /A drew another image than/);
  await t.rejects(checkPainter(painter(red, white), claim, gray), /A drew another image than/);
  await t.rejects(checkPainter(painter(red, red), claim, red), /the same image/);
  await t.rejects(checkPainter(painter(red, blank), claim, red), /A drew a blank image/);
});
