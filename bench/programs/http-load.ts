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

const startedMs = performance.now();
const result = await autocannon({
  url: base,
  connections,
  amount,
  // A second request on a connection whose first is not answered yet ends the connection.
  pipelining: 1,
  timeout: 60,
  requests: [{ setupRequest: (request) => ({ ...request, path: nextPath() }) }],
});
const ms = performance.now() - startedMs;

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
