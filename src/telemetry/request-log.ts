/** Writes one line for each request that cost something, and for a sample of the others. */
import type { RequestRecord } from '../http/server.ts';
import type { Log, LogLevel } from '../foundation/log.ts';

export interface RequestLogOptions {
  /** Of so many answers from memory one is written; 0: none. */
  hitsEvery: number;
  /** A request that takes so long or longer is written in any case, as a warning. */
  slowMs: number;
}

/** Knows the uids of all templates, drafts and archived ones too. Asked once a line at most. May throw. */
interface KnownTemplates {
  isUidTaken(uid: string): boolean;
}

/** Refusals (503 OVERLOADED, 404 NOT_FOUND) of one second that have a line each; of those beyond, one of a hundred has. */
const refusalsPerSecondMax = 100;
const refusalsEvery = 100;

/** Asked every few seconds by machines; only their failures are news. */
const quietRoutes: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics']);

/** Answered from memory: counted, and written as a sample. */
const quietStates: ReadonlySet<string> = new Set(['alias', 'hit', 'revalidated']);

/**
 * Makes the function that logs a finished request: its id, route, template, version, status, time, stages,
 * cache state and cause, never a value, a query or a key. 500, also behind a picture, is an error; 503, 504, a picture in place of an
 * error and what is slow are warnings. A sampled line says of how many it is one.
 */
export function createRequestLog(
  log: Log,
  { hitsEvery, slowMs }: RequestLogOptions,
  templates: KnownTemplates,
): (record: RequestRecord) => void {
  let hits = 0;
  const known = rememberTaken(templates);
  const overloads = new RefusalSample();
  // Separate from overloads, so that a scanner of addresses hides none of them.
  const unknowns = new RefusalSample();
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
    const sample =
      record.status === 404
        ? unknowns
        : record.status === 503 && record.code === 'OVERLOADED'
          ? overloads
          : undefined;
    if (sample !== undefined && !isSlow) {
      if (!sample.isWritten()) return;
      every = sample.every;
    }
    writeRecord(log, record, { isSlow, every, templates: known });
  };
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
  // A probe that asks while the service starts or drains is answered as it expects.
  if (route === 'readyz') return 'info';
  const isWarning = status === 503 || status === 504 || cacheState === 'fallback';
  return isWarning || isSlow ? 'warn' : 'info';
}

/** Which refusals are written: a flood of them must not take the time of those who are served, nor fill a disk. */
export class RefusalSample {
  #secondsAt = 0;
  #count = 0;

  /** Counts a refusal, and whether it has a line. */
  isWritten(nowMs: number = performance.now()): boolean {
    const seconds = Math.floor(nowMs / 1000);
    if (seconds !== this.#secondsAt) this.#count = 0;
    this.#secondsAt = seconds;
    this.#count += 1;
    return this.#count <= refusalsPerSecondMax || this.#count % refusalsEvery === 0;
  }

  /** Of how many refusals the last one that was written is a sample. */
  get every(): number | undefined {
    return this.#count <= refusalsPerSecondMax ? undefined : refusalsEvery;
  }
}

/** Uids that were found to be templates' are remembered, so many at most; a flood of refusals asks no database. */
const rememberedMax = 10_000;

/** The same answers, without asking again for a uid that was found. A template that was deleted since had that name. */
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

/** What stands in place of a uid that no template has: it may be a key that was put there. No uid has brackets. */
const unknownUid = '(unknown)';

/** The uid of a template in a path, without its extension; nothing else of what a caller wrote. */
function templateOf(
  { exchange, notes }: RequestRecord,
  templates: KnownTemplates,
): string | undefined {
  const pattern = /^\/v1\/(?:render|templates)\/([A-Za-z0-9_-]{1,64})(?=[./]|$)/;
  const uid = pattern.exec(exchange.path)?.[1];
  // What has a version is the picture of a template.
  if (uid === undefined || notes?.['version'] !== undefined) return uid;
  try {
    return templates.isUidTaken(uid) ? uid : unknownUid;
  } catch {
    // A database that cannot be asked must not cost the line that says so.
    return unknownUid;
  }
}
