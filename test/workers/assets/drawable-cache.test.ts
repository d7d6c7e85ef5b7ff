/** Decoded images and gradients are kept while renders draw them. */
import t from 'tap';
import {
  drawablesBytes,
  findDrawable,
  keepDrawable,
  toDrawable,
  withDrawables,
} from '../../../workers/assets/drawable-cache.ts';

const sidePx = 2;
const pixels = new Uint8Array(sidePx * sidePx * 4);

t.test('what no render drew for a minute is evicted by the next one', async (t) => {
  let nowMs = performance.now();
  t.intercept(performance, 'now', { value: () => nowMs, configurable: true });
  const renderLater = (passedMs: number): Promise<void> => {
    nowMs += passedMs;
    return withDrawables(async () => void findDrawable('drawn'));
  };
  // What other tests of this process left.
  await renderLater(61_000);
  for (const key of ['drawn', 'unused']) keepDrawable(key, toDrawable(pixels, sidePx, sidePx));
  await renderLater(40_000);
  t.equal(drawablesBytes(), 2 * pixels.length);
  await renderLater(40_000);
  t.equal(drawablesBytes(), pixels.length);
  t.ok(findDrawable('drawn'));
  t.notOk(findDrawable('unused'));
});
