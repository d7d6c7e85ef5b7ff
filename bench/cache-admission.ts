/** Compares the cache of renders with a plain list of the same bytes, on seeded traces of mailings. */
import { pathToFileURL } from 'node:url';
import { LRUCache } from 'lru-cache';
import { AdmissionCache } from '../src/render/cache/admission-cache.ts';

/** A list of requests; keys from `oneOffFrom` on belong to a mailing, one to each reader. */
interface Trace {
  title: string;
  keys: readonly number[];
}

interface TraceOptions {
  title: string;
  /** Share of requests that open a one-off link while a mailing is being delivered. */
  mailingShare: number;
  /** Share of one-off links that are fetched a second time, by a proxy and then by the reader's program. */
  doubleShare: number;
  /** Requests between the two fetches, on average. */
  doubleAfter?: number;
  /** Every so many requests other keys become the popular ones. */
  newKeysEvery?: number;
}

/** What a cache does for a trace; shares of 1. */
export interface HitRatios {
  /** Of requests for keys that are asked for again and again. */
  returning: number;
  /** Of all requests. */
  all: number;
}

/** One trace through one size of cache, by the name of each policy. */
export interface AdmissionRow {
  title: string;
  cacheBytes: number;
  ratios: Record<string, HitRatios>;
}

/** A cache as the measurement uses it: the size of a picture follows from its key. */
interface Policy {
  has: (key: number) => boolean;
  add: (key: number) => void;
}

const requestsMax = 300_000;
/** Until then caches fill and nothing is counted. */
const warmUpRequests = 50_000;
const returningKeys = 3000;
/** Requests of a mailing's delivery, and of the quiet time after it. */
const phaseRequests = 30_000;
const oneOffFrom = 1e8;
const seed = 7;

/** Zipf exponent of how popular returning keys are: web traces lie between 0.6 and 1 (Breslau 1999). */
const zipfExponent = 0.9;

const traces: readonly TraceOptions[] = [
  { title: 'no mailing', mailingShare: 0, doubleShare: 0 },
  { title: 'mailings, links fetched once', mailingShare: 0.9, doubleShare: 0 },
  { title: 'mailings, 60 % fetched twice, soon', mailingShare: 0.9, doubleShare: 0.6 },
  {
    title: 'mailings, 60 % fetched twice, later',
    mailingShare: 0.9,
    doubleShare: 0.6,
    doubleAfter: 1000,
  },
  { title: 'mailings, all fetched twice', mailingShare: 0.95, doubleShare: 1 },
  {
    title: 'the same, and what is popular changes',
    mailingShare: 0.9,
    doubleShare: 0.6,
    newKeysEvery: 75_000,
  },
];

const cacheSizes = [16e6, 64e6];

/** Runs every trace through every policy; the same seed gives the same figures anywhere. */
export function run(): AdmissionRow[] {
  const rows: AdmissionRow[] = [];
  for (const options of traces) {
    const trace = createTrace(options);
    for (const cacheBytes of cacheSizes) {
      const ratios: AdmissionRow['ratios'] = {};
      for (const [name, create] of Object.entries(policies)) {
        ratios[name] = measure(trace, create(cacheBytes));
      }
      rows.push({ title: trace.title, cacheBytes, ratios });
    }
  }
  return rows;
}

const policies: Record<string, (bytesMax: number) => Policy> = {
  'plain LRU': (bytesMax) => {
    const list = createList(bytesMax);
    return { has: (key) => list.get(key) !== undefined, add: (key) => list.set(key, key) };
  },
  'two lists, promoted by a hit': (bytesMax) => {
    const probation = createList(bytesMax * 0.1);
    const main = createList(bytesMax * 0.9);
    return {
      has(key) {
        if (main.get(key) !== undefined) return true;
        if (!probation.delete(key)) return false;
        main.set(key, key);
        return true;
      },
      add: (key) => probation.set(key, key),
    };
  },
  admission: (bytesMax) => {
    const cache = new AdmissionCache<number>({
      bytesMax,
      entryBytes: pictureBytes,
      isDue: () => false,
    });
    return {
      has: (key) => cache.get(String(key)) !== undefined,
      add: (key) => cache.set(String(key), key),
    };
  },
};

function createList(bytesMax: number): LRUCache<number, number> {
  return new LRUCache({
    max: 100_000,
    maxSize: Math.floor(bytesMax),
    sizeCalculation: pictureBytes,
  });
}

function measure({ keys }: Trace, policy: Policy): HitRatios {
  const asked = { returning: 0, all: 0 };
  const hits = { returning: 0, all: 0 };
  for (const [index, key] of keys.entries()) {
    const isHit = policy.has(key);
    if (!isHit) policy.add(key);
    if (index < warmUpRequests) continue;
    const isReturning = key < oneOffFrom;
    asked.all += 1;
    if (isReturning) asked.returning += 1;
    if (!isHit) continue;
    hits.all += 1;
    if (isReturning) hits.returning += 1;
  }
  return { returning: hits.returning / asked.returning, all: hits.all / asked.all };
}

/** From 15 to 95 KB, evenly spread. */
function pictureBytes(key: number): number {
  return 15_000 + ((Math.imul(key + 1, 0x9e37_79b1) >>> 0) % 80_000);
}

function createTrace(options: TraceOptions): Trace {
  const { title, mailingShare, doubleShare, doubleAfter = 100, newKeysEvery = Infinity } = options;
  const random = createRandom();
  const nextReturning = createZipf(random);
  const secondFetches = new Map<number, number[]>();
  const keys: number[] = [];
  for (let request = 0; request < requestsMax; request += 1) {
    keys.push(...(secondFetches.get(request) ?? []));
    secondFetches.delete(request);
    const isDelivering = Math.floor(request / phaseRequests) % 2 === 0;
    // Between deliveries some readers still open their mail late.
    if (random() >= mailingShare * (isDelivering ? 1 : 0.05)) {
      keys.push(nextReturning() + returningKeys * Math.floor(request / newKeysEvery));
      continue;
    }
    const key = oneOffFrom + request;
    keys.push(key);
    if (random() >= doubleShare) continue;
    const at = request + 1 + Math.floor(-Math.log(1 - random()) * doubleAfter);
    secondFetches.set(at, [...(secondFetches.get(at) ?? []), key]);
  }
  return { title, keys };
}

/** Keys from 0 on, the first ones the most popular. */
function createZipf(random: () => number): () => number {
  const sums = new Float64Array(returningKeys);
  let sum = 0;
  for (let rank = 0; rank < returningKeys; rank += 1) {
    sum += 1 / (rank + 1) ** zipfExponent;
    sums[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = returningKeys - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Numbers from 0 up to 1, the same ones each time (a linear congruential generator, Numerical Recipes). */
function createRandom(): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function print(rows: readonly AdmissionRow[]): void {
  console.log('Hits of returning keys | of all requests, in percent\n');
  for (const { title, cacheBytes, ratios } of rows) {
    console.log(`${title}, ${cacheBytes / 1e6} MB`);
    for (const [name, { returning, all }] of Object.entries(ratios)) {
      const shares = [returning, all].map((share) => (100 * share).toFixed(1).padStart(5));
      console.log(`  ${name.padEnd(30)} ${shares.join(' | ')}`);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print(run());
