/** The client of a measurement, in a process of its own: autocannon, with a link of its own for each request where wanted. */
import autocannon from 'autocannon';
import type { LoadOrder, LoadResult } from '../harness/http-load.ts';
import { linkOf } from '../harness/values.ts';

const order: LoadOrder = JSON.parse(process.argv[2] ?? '{}');
const { base, connections, amount, links } = order;

let next = typeof links === 'string' ? 0 : links.from;
const nextPath = (): string => {
  if (typeof links === 'string') return links;
  next += 1;
  return linkOf(links.template, next - 1, links.extension);
};

/** A client as far as its bodies are concerned (autocannon 9, `lib/httpClient.js`). */
interface BodyKeeper {
  pipelinedRequests: { addBody(bytes: Buffer): void };
}

/**
 * Requests of the client's own rehearsal. It shares the cores with the service, and in its first second V8 compiles
 * it, which takes as much as a hundred pictures: that would be counted as theirs.
 */
const rehearsalAmount = 5000;

/** Sends requests; gives what autocannon tells, and the milliseconds from the first request to the last answer. */
async function send(times: number, path: () => string): Promise<[autocannon.Result, number]> {
  const startedMs = performance.now();
  let lastAnswerMs = startedMs;
  const told = await new Promise<autocannon.Result>((resolve, reject) => {
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
          // It reads each body as text, which takes longer than drawing a picture of 700 KB; bytes are counted anyway.
          (client as unknown as BodyKeeper).pipelinedRequests.addBody = () => undefined;
        },
      },
      (error, done) => (error === null ? resolve(done) : reject(error as Error)),
    );
    // The result itself comes with the next tick of a second.
    run.on('response', () => (lastAnswerMs = performance.now()));
  });
  return [told, lastAnswerMs - startedMs];
}

await send(rehearsalAmount, () => '/healthz');
const [result, ms] = await send(amount, nextPath);
const { p50, p99, max } = result.latency;
process.send?.({
  ms,
  answers: result['2xx'],
  failures: result.non2xx + result.errors + result.timeouts,
  perSecond: (result['2xx'] / ms) * 1000,
  bytes: result.throughput.total,
  latencyMs: { p50, p99, max },
} satisfies LoadResult);
process.disconnect?.();
