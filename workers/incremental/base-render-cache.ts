/** Keeps the base renders of one render process, bounded in bytes, and decides when to make one. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import type { RenderJob } from '#wire/render-job.ts';
import { isDrawingSource } from '#wire/svg-drawing.ts';
import { processOptions } from '../process-options.ts';
import { parseTemplate } from '../bind-scene.ts';
import { freeBaseRender } from './base-render.ts';
import type { BaseRender } from './base-render.ts';

/** Upper bound of the bytes of rows, bands, underlays and lists: twenty base renders of 1200 × 630. */
const baseRendersBytesMaxDefault = 128 * 1024 * 1024;
const { baseRendersBytesMax = baseRendersBytesMaxDefault } = processOptions;
const baseRendersMax = 1000;
/**
 * Share of lists in the 256 MiB heap of a process: base renders take hardly any other heap. A usual list takes 20 KB.
 */
const listsBytesMax = 64 * 1024 * 1024;
/** Weight of a byte of a list, so that one bound covers the heap and native memory, which is larger. */
const listWeight = Math.max(1, baseRendersBytesMax / listsBytesMax);
/** Upper bound of the keys whose requests are counted, about 100 bytes each. */
const requestedMax = 10_000;
/** Number of requests after which all counts are halved, so that old keys do not keep new keys out. */
const agingPeriod = 10_000;
/** Requests of a key before a base render is made: a key requested once may never be requested again. */
const requestsWorthMaking = 2;

/** A base render; `'none'` if none can be made. */
type Entry = BaseRender | 'none';

const baseRenders = new LRUCache<string, Entry>({
  max: baseRendersMax,
  maxSize: baseRendersBytesMax,
  sizeCalculation: (entry) => (entry === 'none' ? 1 : weightOf(entry)),
  dispose: (entry) => {
    if (entry !== 'none') freeBaseRender(entry);
  },
});
const requests = new LRUCache<string, number>(entryLimit(requestedMax));
let requestsUntilAging = agingPeriod;

/** Keys of the base renders that may serve a job, the closer match first. */
export type BaseRenderKeys = readonly [specific: string, general: string];

/**
 * The first key identifies a document at one scale, format, quality and language with exactly these images, colours,
 * numbers and booleans; the second key does not include these values. A campaign with one photo or colour finds its
 * base render by the first key. A campaign with a portrait for each contact finds it by the second.
 */
export function baseRenderKeys(job: RenderJob): BaseRenderKeys {
  const lang = job.lang === undefined ? '' : ` ${job.lang}`;
  const general = `${job.templateKey} ${job.scale} ${job.format} ${job.quality}${lang}`;
  return [`${general} ${hash('sha256', specificParts(job).join(' '))}`, general];
}

/** Digests of the job's images, and its values other than texts. */
function specificParts(job: RenderJob): string[] {
  const { variables } = parseTemplate(job.templateKey, job.templateJson);
  // A job contains a drawing only if its process does not have this drawing.
  const images = job.images.filter(([source]) => !isDrawingSource(source));
  const parts = images.map(([, { digest }]) => digest);
  for (const { name, type } of variables) {
    if (type !== 'text' && type !== 'image')
      parts.push(JSON.stringify([name, job.values.get(name)]));
  }
  return parts;
}

/**
 * Returns the base renders that are kept for these keys. Counts the requests of each key, unless the job runs `again`.
 */
export function* keptBaseRenders(keys: readonly string[], again = false): Generator<BaseRender> {
  for (const key of keys) {
    if (!again) countRequest(key);
    const entry = baseRenders.get(key);
    if (entry !== undefined && entry !== 'none') yield entry;
  }
}

/**
 * Returns the key for which to make a base render: a key requested twice, the general key first. The first render of a
 * key thus has no extra cost. With `now` one request is enough. When the memory is full, a key needs at least as many
 * requests as the base render that would be evicted.
 */
export function keyWorthMaking(
  [specific, general]: BaseRenderKeys,
  now: boolean,
): string | undefined {
  return [general, specific].find((key) => {
    const count = requests.get(key) ?? 0;
    const countMin = Math.max(requestsWorthMaking, requestsOfNextEvicted());
    return !baseRenders.has(key) && (now || count >= countMin);
  });
}

function countRequest(key: string): void {
  requests.set(key, (requests.get(key) ?? 0) + 1);
  requestsUntilAging -= 1;
  if (requestsUntilAging > 0) return;
  requestsUntilAging = agingPeriod;
  // The loop iterates over a copy: setting an entry makes it the newest, so a loop over the cache would not end.
  for (const [each, count] of [...requests.entries()].toReversed()) {
    requests.set(each, Math.floor(count / 2));
  }
}

/** Returns the requests of the base render that is evicted next; 0 if one of average size still fits. */
function requestsOfNextEvicted(): number {
  const usualBytes = baseRenders.calculatedSize / Math.max(1, baseRenders.size);
  if (baseRenders.calculatedSize + usualBytes <= baseRendersBytesMax) return 0;
  const [oldest] = baseRenders.rkeys();
  return oldest === undefined ? 0 : (requests.get(oldest) ?? 0);
}

/** Returns the bytes of a base render, weighted for the bound. */
function weightOf({ sizeBytes, listBytes }: BaseRender): number {
  return sizeBytes + Math.ceil(listBytes * listWeight);
}

/**
 * Keeps a base render, or the fact that none can be made. A base render above the bound counts as none. Returns whether
 * a base render was kept.
 */
export function keepBaseRender(key: string, base: BaseRender | undefined): boolean {
  const isKept = base !== undefined && weightOf(base) <= baseRendersBytesMax;
  baseRenders.set(key, isKept ? base : 'none');
  return isKept;
}

/** Returns the bytes of the kept base renders, weighted for the bound. */
export function baseRendersBytes(): number {
  return baseRenders.calculatedSize;
}
