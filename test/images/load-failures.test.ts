/** What the loader remembers of failures, and when it asks again. */
import t from 'tap';
import { imageLoaderDefaults } from '../../src/images/load-images.ts';
import { send, startChanging, status } from '../fixtures/images-changing.ts';
import { startLoader } from '../fixtures/images-loader.ts';
import type { Handler } from '../fixtures/images-origin.ts';

t.test('failures are remembered: refusals for 30 s, passing ones for 5 s', async (t) => {
  const cases: [handler: Handler, rememberedMs: number][] = [
    [status(404), 30_000],
    [status(410), 30_000],
    [(_request, response) => response.end('<html>'), 30_000],
    [status(500), 5000],
    [status(429), 5000],
    [(request) => request.socket.destroy(), 5000],
  ];
  for (const [handler, rememberedMs] of cases) {
    const { origin, url, answer } = await startChanging(handler);
    const { fail, load, pass } = startLoader(t, [origin]);
    const error = await fail(url);
    const requests = origin.requests.length;
    pass(rememberedMs - 1);
    t.equal((await fail(url)).message, error.message);
    t.equal(origin.requests.length, requests, 'not asked again');
    answer(send(7));
    pass(1);
    t.equal((await load(url)).image.widthPx, 7, error.message);
  }
});

t.test('an overload of this service is not remembered', async (t) => {
  const { origin, url } = await startChanging(send(7));
  const { load } = startLoader(t, [origin], { fetchesMax: 1, fetchesWaitingMax: 0 });
  const results = await Promise.allSettled([load(url), load(`${url}?2`)]);
  t.strictSame(
    results.map((result) => result.status),
    ['fulfilled', 'rejected'],
  );
  t.match(results[1], { reason: { reason: 'overloaded' } });
  t.equal((await load(`${url}?2`)).image.widthPx, 7);
});

t.test('a host that keeps failing is left alone, then tried again', async (t) => {
  const { origin, url, answer } = await startChanging(status(500));
  const { fail, load, pass } = startLoader(t, [origin]);
  for (let n = 0; n < imageLoaderDefaults.circuitFailures; n++) await fail(`${url}?${n}`);
  t.match(await fail(`${url}?other`), {
    reason: 'network',
    message: /not asked for some seconds$/,
  });
  t.equal(origin.requests.length, imageLoaderDefaults.circuitFailures);
  answer(send(7));
  pass(imageLoaderDefaults.circuitOpenMs);
  t.equal((await load(`${url}?other`)).image.widthPx, 7);
  t.equal((await load(`${url}?another`)).image.widthPx, 7);
});

t.test('many missing images do not shut a healthy host off', async (t) => {
  const { origin, url, answer } = await startChanging(status(404));
  const { fail, load } = startLoader(t, [origin]);
  for (let n = 0; n < 2 * imageLoaderDefaults.circuitFailures; n++) await fail(`${url}?${n}`);
  answer(send(7));
  t.equal((await load(url)).image.widthPx, 7);
});
