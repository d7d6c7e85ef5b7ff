/** Writes one line for each request that cost something, and for a sample of the others. */
import type { RequestRecord } from './http/server.ts';
import type { Log, LogLevel } from './log.ts';

export interface RequestLogOptions {
  /** Of so many answers from memory one is written; 0: none. */
  hitsEvery: number;
  /** A request that takes so long or longer is written in any case, as a warning. */
  slowMs: number;
}

/** Asked every few seconds by machines; only their failures are news. */
const quietRoutes: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics']);

/** Answered from memory: counted, and written as a sample. */
const quietStates: ReadonlySet<string> = new Set(['alias', 'hit', 'revalidated']);

/**
 * Makes the function that logs a finished request: its id, route, template, version, status, time, stages,
 * cache state and cause, never a value, a query or a key. 500 is an error; 503, 504, a picture in place of an
 * error and what is slow are warnings. A sampled line says of how many it is one.
 */
export function createRequestLog(
  log: Log,
  { hitsEvery, slowMs }: RequestLogOptions,
): (record: RequestRecord) => void {
  let hits = 0;
  return (record) => {
    const { route, ms, cacheState, cause } = record;
    const isSlow = ms >= slowMs;
    let every: number | undefined;
    if (cacheState !== undefined && quietStates.has(cacheState)) {
      hits += 1;
      const isSampled = hitsEvery > 0 && hits % hitsEvery === 0;
      if (!isSampled && !isSlow) return;
      if (isSampled) every = hitsEvery;
    } else if (cause === undefined && !isSlow && quietRoutes.has(route)) return;
    writeRecord(log, record, isSlow, every);
  };
}

function writeRecord(
  log: Log,
  record: RequestRecord,
  isSlow: boolean,
  every: number | undefined,
): void {
  const { exchange, route, status, ms, cacheState, cause, detail, notes } = record;
  log[levelOf(record, isSlow)]('request', {
    requestId: exchange.requestId,
    route,
    template: templateOf(exchange.path),
    status,
    ms: Math.round(ms * 10) / 10,
    cache: cacheState,
    cause,
    detail,
    slow: isSlow ? true : undefined,
    oneOf: every,
    ...notes,
  });
}

function levelOf({ route, status, cacheState }: RequestRecord, isSlow: boolean): LogLevel {
  if (status === 500) return 'error';
  // A probe that asks while the service starts or drains is answered as it expects.
  if (route === 'readyz') return 'info';
  const isWarning = status === 503 || status === 504 || cacheState === 'fallback';
  return isWarning || isSlow ? 'warn' : 'info';
}

/** What stands for a key (`pk_live_…`, or `sk_…` for signing) that was put where a uid belongs; no uid has brackets. */
const maskedKey = '(key)';

/** The uid of a template in a path, without its extension; nothing else of what a caller wrote, and no API key. */
function templateOf(path: string): string | undefined {
  const uid = /^\/v1\/(?:render|templates)\/([A-Za-z0-9_-]{1,64})(?=[./]|$)/.exec(path)?.[1];
  return uid !== undefined && /(?:^|[^a-z0-9])[ps]k_/i.test(uid) ? maskedKey : uid;
}
