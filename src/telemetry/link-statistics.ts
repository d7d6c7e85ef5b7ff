/** Counts the answers of links in memory, and has them stored every few seconds. */
import type { RequestRecord } from '../http/server.ts';
import { clientKindOf, clientKinds } from '../render/image-request.ts';
import type { ClientKind } from '../render/image-request.ts';
import { noCounts } from '../store/statistics-store.ts';
import type { LinkCounts, StatisticsStore, TemplateCounts } from '../store/statistics-store.ts';

/** Interval at which counts are stored. */
const flushEveryMs = 5000;

/** Templates, and versions of them, counted between two flushes; further ones are not counted. */
const versionsMax = 10_000;

/** User agents whose kind is known; the clients of a campaign have some hundreds. */
const userAgentsMax = 2000;

/** Characters of a user agent that is remembered. */
const userAgentCharactersMax = 512;

/** Templates, and versions and kinds of client, of one transaction: some milliseconds. */
const templatesPerWrite = 50;
const answersPerWrite = 200;

/** Gets what was counted, whether or not it could be stored. */
export type CountsObserver = (counts: readonly TemplateCounts[]) => void;

interface OpenCounts {
  /** By version, then by the position of the kind in `clientKinds`. */
  versions: Map<number, (LinkCounts | undefined)[]>;
  errors: Map<string, number>;
}

/** One a service. User agents are forgotten with each flush, and never stored. */
export class LinkStatistics {
  readonly #store: StatisticsStore;
  readonly #onCounts: CountsObserver;
  readonly #timer: NodeJS.Timeout;
  readonly #kinds = new Map<string, number>();
  #open = new Map<string, OpenCounts>();
  #versions = 0;
  /** Counted and not stored yet. */
  #waiting: TemplateCounts[] = [];

  constructor(store: StatisticsStore, onCounts: CountsObserver) {
    this.#store = store;
    this.#onCounts = onCounts;
    this.#timer = setInterval(() => this.#flushParts(), flushEveryMs);
    this.#timer.unref();
  }

  /** Counts a finished request, if it is one for the image of a link; also on the path of cache hits. */
  count({ exchange, route, status, cacheState, code, notes }: RequestRecord): void {
    if (route !== 'render' || exchange.method !== 'GET' || notes === undefined) return;
    const { template, version } = notes;
    // The client has left: nobody saw the image.
    if (typeof template !== 'string' || typeof version !== 'number' || status === 499) return;
    const open = this.#openOf(template);
    if (open === undefined) return;
    if (code !== undefined) open.errors.set(code, (open.errors.get(code) ?? 0) + 1);
    if (cacheState === undefined) return;
    const counts = this.#countsOf(open, version, this.#kindOf(exchange.userAgent));
    if (counts === undefined) return;
    counts.images += 1;
    if (cacheState === 'alias') return;
    if (cacheState === 'miss') counts.drawn += 1;
    if (cacheState === 'fallback') counts.substitutes += 1;
    if (notes['degraded'] !== undefined) counts.degraded += 1;
    if (notes['unmerged'] !== undefined) counts.unmerged += 1;
  }

  /** Stores everything that was counted, unless the database is busy or read-only. */
  flush(): void {
    this.#collect();
    while (this.#writePart());
  }

  /**
   * Stores what was counted of one template, or the first part of very much: its statistics do not wait for the others, of which links
   * of some seconds may have 10,000.
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

  /** Ends it, and stores what was counted. */
  close(): void {
    clearInterval(this.#timer);
    this.flush();
  }

  /** As `flush`, with requests answered between the parts. */
  #flushParts(): void {
    this.#collect();
    const step = (): void => {
      if (this.#writePart()) setImmediate(step);
    };
    step();
  }

  /** Ends a period: what was counted in it waits to be stored. */
  #collect(): void {
    this.#kinds.clear();
    if (this.#open.size === 0) return;
    const counts = [...this.#open].map(([uid, open]) => toCounts(uid, open));
    this.#open = new Map();
    this.#versions = 0;
    this.#wait(counts);
  }

  #wait(counts: readonly TemplateCounts[]): void {
    // A database that refuses for long must not fill the memory.
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

  /** Matching some patterns takes microseconds, so that a user agent is read once a flush. */
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

/** Counts of a template with very many versions in several parts: a link may name any of them. */
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

/** What one transaction stores. */
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
