/** The client of a measurement, in a separate process: autocannon, optionally with a unique link for each request. */
import autocannon from 'autocannon';
import { mainThreadCpuMs } from '../harness/cpu-time.ts';
import type { LoadOrder, LoadResult } from '../harness/http-load.ts';
import { uniqueLink } from '../harness/values.ts';

const order: LoadOrder = JSON.parse(process.argv[2] ?? '{}');
const { base, connections, amount, links, pid } = order;

let next = 0;
const nextPath = (): string => {
  if (typeof links === 'string') return links;
  next += 1;
  return uniqueLink(links, next - 1);
};

/** The body handling of a client (autocannon 9, `lib/httpClient.js`). */
interface BodyKeeper {
  pipelinedRequests: { addBody(bytes: Buffer): void };
}

/**
 * Requests of the client's warm-up. It shares the cores with the service, and V8 compiles it in its first second, which
 * takes as much time as a hundred images and would count as theirs.
 */
const rehearsalAmount = 5000;

/** Sends requests; returns autocannon's result, and the milliseconds from the first request to the last response. */
async function send(times: number, path: () => string): Promise<[autocannon.Result, number]> {
  const startedMs = performance.now();
  let lastAnswerMs = startedMs;
  const outcome = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: base,
        connections,
        amount: times,
        // A second request on a connection whose first is not answered yet ends the connection.
        pipelining: 1,
        timeout: 60,
        requests: [{ setupRequest: (request) => ({ ...request, path: path() }) }],
        setupClient(client) {
          // It decodes each body as text, which takes longer than drawing an image of 700 KB; bytes are counted anyway.
          (client as unknown as BodyKeeper).pipelinedRequests.addBody = () => undefined;
        },
      },
      (error, done) => (error === null ? resolve(done) : reject(error as Error)),
    );
    // The result itself arrives with the next tick of a second.
    run.on('response', () => (lastAnswerMs = performance.now()));
  });
  return [outcome, lastAnswerMs - startedMs];
}

// Names are made before the clock runs.
if (typeof links !== 'string') uniqueLink(links, amount);
await send(rehearsalAmount, () => '/healthz');
const readMainThread = (): number => (pid === undefined ? 0 : mainThreadCpuMs(pid));
const mainThreadBeforeMs = readMainThread();
const [result, ms] = await send(amount, nextPath);
const mainThreadMs = readMainThread() - mainThreadBeforeMs;
const { p50, p99, max } = result.latency;
process.send?.({
  ms,
  answers: result['2xx'],
  failures: result.non2xx + result.errors + result.timeouts,
  perSecond: (result['2xx'] / ms) * 1000,
  mainThreadMs,
  latencyMs: { p50, p99, max },
} satisfies LoadResult);
process.disconnect?.();
