/** Writes one line for each request that cost something. */
import type { RequestRecord } from './http/server.ts';
import type { Log, LogLevel } from './log.ts';

/** Asked every few seconds by machines; only their failures are news. */
const quietRoutes: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics']);

/** Answered from memory: counted, not written. */
const quietStates: ReadonlySet<string> = new Set(['alias', 'hit', 'revalidated']);

/**
 * Logs a finished request: its id, route, template, status, time, cache state and cause, never a value,
 * a query or a key. 500 is an error; 503, 504 and a picture in place of an error are warnings.
 */
export function logRequest(log: Log, record: RequestRecord): void {
  const { exchange, route, status, ms, cacheState, cause, detail } = record;
  if (cause === undefined && quietRoutes.has(route)) return;
  if (cacheState !== undefined && quietStates.has(cacheState)) return;
  log[levelOf(record)]('request', {
    requestId: exchange.requestId,
    route,
    template: templateOf(exchange.parameter),
    status,
    ms: Math.round(ms * 10) / 10,
    cache: cacheState,
    cause,
    detail,
  });
}

function levelOf({ route, status, cacheState }: RequestRecord): LogLevel {
  if (status === 500) return 'error';
  // A probe that asks while the service starts or drains is answered as it expects.
  if (route === 'readyz') return 'info';
  return status === 503 || status === 504 || cacheState === 'fallback' ? 'warn' : 'info';
}

/** The uid in a route's parameter; nothing else of what a caller wrote. */
function templateOf(parameter: string): string | undefined {
  return /^[A-Za-z0-9_-]{1,64}(?=\.|$)/.exec(parameter)?.[0];
}
