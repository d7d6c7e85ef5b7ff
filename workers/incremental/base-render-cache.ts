/** Keeps the base renders of one render process, bounded in bytes, and decides when one is worth making. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import type { RenderJob } from '#wire/render-job.ts';
import { isDrawingSource } from '#wire/svg-drawing.ts';
import { processOptions } from '../process-options.ts';
import { parseTemplate } from '../bind-scene.ts';
import { freeBaseRender } from './base-render.ts';
import type { BaseRender } from './base-render.ts';

/** Bytes of rows, bands, underlays and lists: twenty base renders of 1200 × 630, more than a campaign uses at once. */
const baseRendersBytesMaxDefault = 128 * 1024 * 1024;
const { baseRendersBytesMax = baseRendersBytesMaxDefault } = processOptions;
const baseRendersMax = 1000;
/**
 * Part of the 256 MiB heap of a process: nearly all of the heap that base renders take is lists. A usual list takes 20
 * KB.
 */
const listsBytesMax = 64 * 1024 * 1024;
/** Weight of a byte of a list: the heap is smaller than native memory, and one weighted bound then covers both. */
const listWeight = Math.max(1, baseRendersBytesMax / listsBytesMax);
/** Keys whose requests are counted, some 100 bytes each. */
const requestedMax = 10_000;
/** Requests after which all counts are halved, so that keys of last week do not keep new ones out. */
const agingPeriod = 10_000;
/** A key that was requested once may never come again. */
const requestsWorthMaking = 2;

/** A base render, or that none can be made. */
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
 * The first key names a document at one scale, format, quality and language with exactly these images, colours, numbers and
 * booleans; the second names the document with any. A campaign with one photo or colour finds its base render by the
 * first key, a campaign with a portrait for each contact by the second.
 */
export function baseRenderKeys(job: RenderJob): BaseRenderKeys {
  const lang = job.lang === undefined ? '' : ` ${job.lang}`;
  const general = `${job.templateKey} ${job.scale} ${job.format} ${job.quality}${lang}`;
  return [`${general} ${hash('sha256', specificParts(job).join(' '))}`, general];
}

/** Digests of the job's images, and its values other than texts. */
function specificParts(job: RenderJob): string[] {
  const { variables } = parseTemplate(job.templateKey, job.templateJson);
  // A job contains a drawing only if its process does not have it.
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
 * Returns the key that a base render is worth making for: one requested twice, the general key first, so that the first
 * render of a key has no extra cost. With `now` one request is enough. When the memory is full, a key must have more
 * requests than the base render that would be evicted, so that requests for each quality and size twice evict nothing.
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
  // A copy: setting an entry makes it the newest, so iterating over the cache itself would not end.
  for (const [each, count] of [...requests.entries()].toReversed()) {
    requests.set(each, Math.floor(count / 2));
  }
}

/** Requests of the base render that is evicted next; 0 while one of the usual size still fits. */
function requestsOfNextEvicted(): number {
  const usualBytes = baseRenders.calculatedSize / Math.max(1, baseRenders.size);
  if (baseRenders.calculatedSize + usualBytes <= baseRendersBytesMax) return 0;
  const [oldest] = baseRenders.rkeys();
  return oldest === undefined ? 0 : (requests.get(oldest) ?? 0);
}

/** Bytes of a base render, weighted for the bound. */
function weightOf({ sizeBytes, listBytes }: BaseRender): number {
  return sizeBytes + Math.ceil(listBytes * listWeight);
}

/**
 * Keeps a base render, or the fact that none can be made; one above the bound counts as none. Returns whether one was
 * kept.
 */
export function keepBaseRender(key: string, base: BaseRender | undefined): boolean {
  const isKept = base !== undefined && weightOf(base) <= baseRendersBytesMax;
  baseRenders.set(key, isKept ? base : 'none');
  return isKept;
}

/** Bytes of the kept base renders, weighted for the bound. */
export function baseRendersBytes(): number {
  return baseRenders.calculatedSize;
}
