/** The request log: one line for each request, with samples of cache hits and refusals. */
import { uidSource } from '#language/uid.ts';
import type { RequestRecord } from '../http/server.ts';
import type { Log, LogLevel } from '../foundation/log.ts';

export interface RequestLogOptions {
  /** One of `hitsEvery` answers from memory is written; 0: none. */
  hitsEvery: number;
}

/** Duration in ms from which a request is always written, as a warning: most answers take some milliseconds. */
const slowMs = 2000;

/** Looks up the uid of a template, also of a draft or an archived one. Called at most once a line. May throw. */
interface KnownTemplates {
  isUidTaken(uid: string): boolean;
}

/** Refusals of a second and code that are written each. Of further ones, one of a hundred is written. */
const refusalsPerSecondMax = 100;
const refusalsEvery = 100;

/** Routes that machines request every few seconds; only their failures are logged. */
const quietRoutes: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics']);

/** Answers from memory, of which a sample is written. */
const quietStates: ReadonlySet<string> = new Set(['alias', 'hit', 'revalidated']);

/**
 * Creates the function that logs a finished request: id, route, template, version, status, time, stages, cache state
 * and cause. It never logs a value, a query or a key. 500 is an error, also with an image in its place. 503, 504,
 * images in place of errors and slow requests are warnings. A sampled line has `oneOf`.
 */
export function createRequestLog(
  log: Log,
  { hitsEvery }: RequestLogOptions,
  templates: KnownTemplates,
): (record: RequestRecord) => void {
  let hits = 0;
  const known = rememberTaken(templates);
  // One sample for each code, so that a scan of addresses does not hide an overload.
  const samples = new Map<string, RefusalSample>();
  const sampleOf = ({ status, code }: RequestRecord): RefusalSample => {
    const name = `${status} ${code ?? ''}`;
    const sample = samples.get(name) ?? new RefusalSample();
    samples.set(name, sample);
    return sample;
  };
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
    if (isRefusal(record) && !isSlow) {
      const sample = sampleOf(record);
      if (!sample.isWritten()) return;
      every = sample.every;
    }
    writeRecord(log, record, { isSlow, every, templates: known });
  };
}

/** Whether an answer is a refusal, which clients can cause in any number: 4xx, substitute images and overload. */
function isRefusal({ status, cacheState, code }: RequestRecord): boolean {
  if (cacheState === 'fallback') return code !== 'INTERNAL';
  return (status >= 400 && status < 500) || (status === 503 && code === 'OVERLOADED');
}

function writeRecord(
  log: Log,
  record: RequestRecord,
  {
    isSlow,
    every,
    templates,
  }: { isSlow: boolean; every: number | undefined; templates: KnownTemplates },
): void {
  const { exchange, route, status, ms, cacheState, cause, detail, notes } = record;
  log[levelOf(record, isSlow)]('request', {
    requestId: exchange.requestId,
    route,
    template: templateOf(record, templates),
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

function levelOf({ route, status, cacheState, code }: RequestRecord, isSlow: boolean): LogLevel {
  if (code === 'INTERNAL') return 'error';
  // 503 is the expected answer to a probe while the service starts or drains.
  if (route === 'readyz') return 'info';
  const isWarning = status === 503 || status === 504 || cacheState === 'fallback';
  return isWarning || isSlow ? 'warn' : 'info';
}

/** Chooses the refusals that are written: a flood must not use the time of other requests, nor fill a disk. */
export class RefusalSample {
  #secondsAt = 0;
  #count = 0;

  /** Counts a refusal; true if it is to be written. */
  isWritten(nowMs: number = performance.now()): boolean {
    const seconds = Math.floor(nowMs / 1000);
    if (seconds !== this.#secondsAt) this.#count = 0;
    this.#secondsAt = seconds;
    this.#count += 1;
    return this.#count <= refusalsPerSecondMax || this.#count % refusalsEvery === 0;
  }

  /** The number of refusals that the last written line represents; undefined if each is written. */
  get every(): number | undefined {
    return this.#count <= refusalsPerSecondMax ? undefined : refusalsEvery;
  }
}

/** Upper bound of the cached uids, so that a flood of refusals does not reach the database. */
const rememberedMax = 10_000;

/** Caches uids that were found. The cache may keep the uid of a deleted template, which is harmless in a log. */
function rememberTaken(templates: KnownTemplates): KnownTemplates {
  const taken = new Set<string>();
  return {
    isUidTaken(uid) {
      if (taken.has(uid)) return true;
      const isTaken = templates.isUidTaken(uid);
      if (taken.size >= rememberedMax) taken.clear();
      if (isTaken) taken.add(uid);
      return isTaken;
    },
  };
}

/** Replaces an unknown uid, which may be a key. No uid contains brackets. */
const unknownUid = '(unknown)';

const templatePathPattern = new RegExp(`^/v1/(?:render|templates)/(${uidSource})(?=[./]|$)`);

/** The uid of a template in a path, without its extension, and no other text of the client. */
function templateOf(
  { exchange, notes }: RequestRecord,
  templates: KnownTemplates,
): string | undefined {
  const uid = templatePathPattern.exec(exchange.path)?.[1];
  // A request with a version rendered a template.
  if (uid === undefined || notes?.['version'] !== undefined) return uid;
  try {
    return templates.isUidTaken(uid) ? uid : unknownUid;
  } catch {
    // A failing database must not suppress the line that reports it.
    return unknownUid;
  }
}
