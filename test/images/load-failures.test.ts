/** How long an answer may be used, how long a failure is remembered, and when a host is left alone. */
import t from 'tap';
import { imageLoaderDefaults } from '../../src/images/config.ts';
import type { AnswerHeaders } from '../../src/images/fetch/fetch-image.ts';
import { HostCircuit } from '../../src/images/fetch/host-circuit.ts';
import { readFreshness } from '../../src/images/image-cache.ts';
import { send, startChanging, status } from '../fixtures/images-changing.ts';
import type { Handler } from '../fixtures/images-origin.ts';

const nowMs = Date.UTC(2026, 0, 1);
const minute = 60_000;
const hour = 60 * minute;
const [fullHour, halfPast] = ['Thu, 01 Jan 2026 00:00:00 GMT', 'Thu, 01 Jan 2026 00:30:00 GMT'];

const lifetimes: [title: string, headers: AnswerHeaders, freshMs: number][] = [
  ['nothing said', {}, 10 * minute],
  ['max-age', { 'cache-control': 'public, max-age=3600' }, hour],
  ['max-age in another spelling', { 'cache-control': 'Public , Max-Age="3600"' }, hour],
  ['s-maxage before max-age', { 'cache-control': 'max-age=60, s-maxage=7200' }, 2 * hour],
  ['max-age less age', { 'cache-control': 'max-age=3600', age: '600' }, 50 * minute],
  ['max-age used up', { 'cache-control': 'max-age=3600', age: '9999' }, minute],
  ['a short max-age', { 'cache-control': 'max-age=1' }, minute],
  ['a long max-age', { 'cache-control': 'max-age=31536000, immutable' }, 24 * hour],
  ['an absurd max-age', { 'cache-control': 'max-age=99999999999999' }, 10 * minute],
  ['a negative max-age', { 'cache-control': 'max-age=-1' }, 10 * minute],
  ['no-store', { 'cache-control': 'no-store, max-age=3600' }, minute],
  ['no-cache', { 'cache-control': 'no-cache' }, minute],
  ['private', { 'cache-control': 'private, max-age=3600' }, minute],
  ['two headers', { 'cache-control': ['public', 'max-age=120'] }, 2 * minute],
  ['expires', { expires: halfPast, date: fullHour }, 30 * minute],
  ['expires less age', { expires: halfPast, date: fullHour, age: '600' }, 20 * minute],
  ['expires in the past', { expires: '0', date: fullHour }, minute],
  ['expires without date', { expires: halfPast }, 30 * minute],
  ['rubbish', { 'cache-control': '=,;max-age', age: 'old' }, 10 * minute],
  ['expires that is no time', { expires: 'soon' }, minute],
];

t.test('an answer is fresh for as long as its headers say, within bounds', async (t) => {
  for (const [title, headers, freshMs] of lifetimes) {
    const { freshUntilMs } = readFreshness(headers, imageLoaderDefaults, nowMs);
    t.equal(freshUntilMs - nowMs, freshMs, title);
  }
});

t.test('a stale copy serves as long as its origin allows, longer when asking fails', async (t) => {
  const stale = (headers: AnswerHeaders): number[] => {
    const { freshUntilMs, ...ends } = readFreshness(headers, imageLoaderDefaults, nowMs);
    return [ends.staleUntilMs - freshUntilMs, ends.errorUntilMs - freshUntilMs];
  };
  t.same(stale({}), [minute, hour]);
  for (const directive of ['must-revalidate', 'proxy-revalidate', 'no-cache', 'no-store'])
    t.same(stale({ 'cache-control': directive }), [0, 0], directive);
});

function startCircuit() {
  let clockMs = 1000;
  const circuit = new HostCircuit({ circuitFailures: 3, circuitOpenMs: 500, now: () => clockMs });
  const isOpen = (): boolean => {
    try {
      circuit.checkHost('a');
      return false;
    } catch {
      return true;
    }
  };
  return { circuit, pass: (ms: number) => (clockMs += ms), isOpen };
}

t.test('three failures in a row open the circuit of that host alone', async (t) => {
  const { circuit, isOpen } = startCircuit();
  for (let round = 0; round < 5; round++) {
    circuit.recordSuccess('a');
    circuit.recordFailure('a');
    circuit.recordFailure('a');
  }
  t.notOk(isOpen(), 'a success between failures keeps it closed');
  circuit.recordFailure('a');
  t.throws(() => circuit.checkHost('a'), { reason: 'network', message: /failed repeatedly/ });
  t.doesNotThrow(() => circuit.checkHost('b'));
});

t.test('after its time one attempt is let through, and decides', async (t) => {
  const { circuit, pass, isOpen } = startCircuit();
  for (let failure = 0; failure < 3; failure++) circuit.recordFailure('a');
  pass(499);
  t.ok(isOpen());
  pass(1);
  t.notOk(isOpen(), 'the attempt');
  t.ok(isOpen(), 'only one');
  circuit.recordFailure('a');
  pass(499);
  t.ok(isOpen(), 'its failure opens it again');
  pass(1);
  t.notOk(isOpen());
  pass(500);
  t.notOk(isOpen(), 'nor does an attempt that never reports keep it away for ever');
  circuit.recordSuccess('a');
  t.notOk(isOpen(), 'its success closes it');
  t.notOk(isOpen());
});

t.test('ever new hosts do not grow the memory of failures', async (t) => {
  const { circuit, isOpen } = startCircuit();
  for (let failure = 0; failure < 3; failure++) circuit.recordFailure('a');
  for (let host = 0; host < 5000; host++) circuit.recordFailure(`host-${host}`);
  t.notOk(isOpen(), 'the oldest is forgotten');
});

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
    const { origin, url, answer, fail, load, pass } = await startChanging(t, handler);
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
  const limits = { fetchesMax: 1, fetchesWaitingMax: 0 };
  const { url, load } = await startChanging(t, send(7), limits);
  const results = await Promise.allSettled([load(url), load(`${url}?2`)]);
  t.match(results, [{ status: 'fulfilled' }, { reason: { reason: 'overloaded' } }]);
  t.equal((await load(`${url}?2`)).image.widthPx, 7);
});

t.test('many missing images do not shut a healthy host off', async (t) => {
  const { url, answer, fail, load } = await startChanging(t, status(404));
  for (let n = 0; n < 2 * imageLoaderDefaults.circuitFailures; n++) await fail(`${url}?${n}`);
  answer(send(7));
  t.equal((await load(url)).image.widthPx, 7);
});
