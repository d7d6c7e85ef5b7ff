/** Counts the answers of links in memory, and stores the counts every few seconds. */
import type { RequestRecord } from '../http/server.ts';
import { clientKindOf, clientKinds } from '../render/image-request.ts';
import type { ClientKind } from '../render/image-request.ts';
import { noCounts } from '../store/statistics-store.ts';
import type { LinkCounts, StatisticsStore, TemplateCounts } from '../store/statistics-store.ts';

/** Interval at which counts are stored, in ms. */
const flushEveryMs = 5000;

/** Upper bound of the templates, and of their versions, counted between two flushes; further ones are not counted. */
const versionsMax = 10_000;

/** Upper bound of the cached user agents; the clients of a campaign have some hundreds. */
const userAgentsMax = 2000;

/** Upper bound of a cached user agent, in UTF-16 units. */
const userAgentCharactersMax = 512;

/** Upper bounds of a transaction of some milliseconds: templates, and pairs of version and kind of client. */
const templatesPerWrite = 50;
const answersPerWrite = 200;

/** Called with new counts, whether or not they could be stored. */
export type CountsObserver = (counts: readonly TemplateCounts[]) => void;

interface OpenCounts {
  /** By version, then by the position of the kind in `clientKinds`. */
  versions: Map<number, (LinkCounts | undefined)[]>;
  errors: Map<string, number>;
}

/** The statistics of a service. User agents are forgotten with each flush, and never stored. */
export class LinkStatistics {
  readonly #store: StatisticsStore;
  readonly #onCounts: CountsObserver;
  readonly #timer: NodeJS.Timeout;
  readonly #kinds = new Map<string, number>();
  #open = new Map<string, OpenCounts>();
  #versions = 0;
  /** Counts that are not stored yet. */
  #waiting: TemplateCounts[] = [];

  constructor(store: StatisticsStore, onCounts: CountsObserver) {
    this.#store = store;
    this.#onCounts = onCounts;
    this.#timer = setInterval(() => this.#flushParts(), flushEveryMs);
    this.#timer.unref();
  }

  /** Counts a finished request for the image of a link; also called for cache hits. */
  count({ exchange, route, status, cacheState, code, notes }: RequestRecord): void {
    if (route !== 'render' || exchange.method !== 'GET' || notes === undefined) return;
    const { template, version } = notes;
    // 499: the client closed the connection before it got the image.
    if (typeof template !== 'string' || typeof version !== 'number' || status === 499) return;
    const open = this.#openOf(template);
    if (open === undefined) return;
    if (code !== undefined) open.errors.set(code, (open.errors.get(code) ?? 0) + 1);
    if (cacheState === undefined) return;
    const counts = this.#countsOf(open, version, this.#kindOf(exchange.userAgent));
    if (counts === undefined) return;
    counts.images += 1;
    if (notes['unmerged'] !== undefined) counts.unmerged += 1;
    if (notes['corrected'] !== undefined) counts.corrected += 1;
    if (cacheState === 'alias') return;
    if (cacheState === 'miss') counts.drawn += 1;
    if (cacheState === 'fallback') counts.substitutes += 1;
    if (notes['degraded'] !== undefined) counts.degraded += 1;
  }

  /** Stores all counts, unless the database is busy or read-only. */
  flush(): void {
    this.#collect();
    while (this.#writePart());
  }

  /**
   * Stores the counts of one template, at most one part of them. Its statistics do not wait for other templates, which
   * may be 10,000.
   */
  flushTemplate(uid: string): void {
    const open = this.#open.get(uid);
    if (open !== undefined) {
      this.#open.delete(uid);
      this.#versions -= open.versions.size;
      this.#wait([toCounts(uid, open)]);
    }
    const part = firstPart(this.#waiting.filter((each) => each.uid === uid));
    if (part.length > 0 && this.#store.add(part)) {
      this.#waiting = this.#waiting.filter((each) => !part.includes(each));
    }
  }

  /** Stops the timer, and stores all counts. */
  close(): void {
    clearInterval(this.#timer);
    this.flush();
  }

  /** As `flush`, but requests are answered between the parts. */
  #flushParts(): void {
    this.#collect();
    const step = (): void => {
      if (this.#writePart()) setImmediate(step);
    };
    step();
  }

  /** Ends a period: its counts wait to be stored. */
  #collect(): void {
    this.#kinds.clear();
    if (this.#open.size === 0) return;
    const counts = [...this.#open].map(([uid, open]) => toCounts(uid, open));
    this.#open = new Map();
    this.#versions = 0;
    this.#wait(counts);
  }

  #wait(counts: readonly TemplateCounts[]): void {
    // Drops counts beyond the bound, so that a database that is busy for long does not fill the memory.
    if (this.#waiting.length < versionsMax) this.#waiting.push(...counts.flatMap(inParts));
    this.#onCounts(counts);
  }

  /** Stores some templates; true if more wait. */
  #writePart(): boolean {
    const part = firstPart(this.#waiting);
    if (part.length === 0 || !this.#store.add(part)) return false;
    this.#waiting.splice(0, part.length);
    return this.#waiting.length > 0;
  }

  #openOf(uid: string): OpenCounts | undefined {
    const known = this.#open.get(uid);
    if (known !== undefined || this.#open.size >= versionsMax) return known;
    const open: OpenCounts = { versions: new Map(), errors: new Map() };
    this.#open.set(uid, open);
    return open;
  }

  #countsOf(open: OpenCounts, version: number, kind: number): LinkCounts | undefined {
    let byKind = open.versions.get(version);
    if (byKind === undefined) {
      if (this.#versions >= versionsMax) return undefined;
      this.#versions += 1;
      byKind = Array.from<LinkCounts | undefined>({ length: clientKinds.length });
      open.versions.set(version, byKind);
    }
    return (byKind[kind] ??= noCounts());
  }

  /** The position of the kind in `clientKinds`, cached until the next flush because matching takes microseconds. */
  #kindOf(userAgent: string): number {
    const known = this.#kinds.get(userAgent);
    if (known !== undefined) return known;
    const kind: ClientKind = clientKindOf(userAgent);
    const index = clientKinds.indexOf(kind);
    const isKept = this.#kinds.size < userAgentsMax && userAgent.length <= userAgentCharactersMax;
    if (isKept) this.#kinds.set(userAgent, index);
    return index;
  }
}

/** Splits the counts of a template with very many versions: a link may name any of them. */
function inParts(counts: TemplateCounts): TemplateCounts[] {
  const { answers } = counts;
  if (answers.length <= answersPerWrite) return [counts];
  const parts: TemplateCounts[] = [];
  for (let start = 0; start < answers.length; start += answersPerWrite) {
    const part = { ...counts, answers: answers.slice(start, start + answersPerWrite) };
    parts.push(start === 0 ? part : { ...part, errors: new Map() });
  }
  return parts;
}

/** The counts that one transaction stores. */
function firstPart(waiting: readonly TemplateCounts[]): TemplateCounts[] {
  let answers = 0;
  const end = waiting.slice(0, templatesPerWrite).findIndex((each) => {
    answers += each.answers.length;
    return answers > answersPerWrite;
  });
  return waiting.slice(0, end === -1 ? templatesPerWrite : Math.max(1, end));
}

function toCounts(uid: string, { versions, errors }: OpenCounts): TemplateCounts {
  return {
    uid,
    errors,
    answers: [...versions].flatMap(([version, byKind]) =>
      clientKinds.flatMap((client, index) => {
        const found = byKind[index];
        return found === undefined ? [] : [{ version, client, counts: found }];
      }),
    ),
  };
}
