/** Keeps the base renders of one render process, bounded in bytes, and decides when one is worth making. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RenderJob } from '#wire/render-job.ts';
import { isDrawingSource } from '#wire/svg-drawing.ts';
import { processOptions } from '../process-options.ts';
import { parseTemplate } from '../template-cache.ts';
import type { BaseRender } from './base-render.ts';

/** Bytes of rows, bands, underlays and lists: twenty base renders of 1200 × 630, more than a campaign uses at once. */
const baseRendersBytesMaxDefault = 128 * 1024 * 1024;
const { plansBytesMax: baseRendersBytesMax = baseRendersBytesMaxDefault } = processOptions;
const baseRendersMax = 1000;
/** Of the 256 MiB of heap of a process: nearly all that base renders take of it are lists. A usual list takes 20 KB. */
const listsBytesMax = 64 * 1024 * 1024;
/** Weight of a byte of a list, because the heap is smaller than native memory: one bound then holds for both. */
const listWeight = Math.max(1, baseRendersBytesMax / listsBytesMax);
/** Keys whose requests are counted, some 100 bytes each. */
const requestedMax = 10_000;
/** Requests after which all counts are halved, so that the keys of last week keep nothing out. */
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
    if (entry !== 'none') entry.underlay?.drawable.canvas.dispose();
  },
});
const requests = new LRUCache<string, number>({ max: requestedMax });
let requestsUntilAging = agingPeriod;

/** Keys of the base renders that may serve a job, the better match first. */
export type BaseRenderKeys = readonly [specific: string, general: string];

/**
 * A document at one scale, format and quality with exactly these images, colours, numbers and booleans, and the
 * document whatever they are. A campaign with its own photo or colour finds its base render by the first key, one with
 * a portrait for each reader by the second.
 */
export function baseRenderKeys(job: RenderJob): BaseRenderKeys {
  const general = `${job.templateKey} ${job.scale} ${job.format} ${job.quality}`;
  return [`${general} ${hash('sha256', specificParts(job).join(' '))}`, general];
}

/** Digests of the job's images, and its values that are not texts. */
function specificParts(job: RenderJob): string[] {
  const { variables } = parseTemplate(job.templateKey, job.templateJson);
  // A job brings a drawing only when its process does not have it.
  const images = job.images.filter(([source]) => !isDrawingSource(source));
  const parts = images.map(([, { digest }]) => digest);
  for (const { name, type } of variables) {
    if (type !== 'text' && type !== 'image')
      parts.push(JSON.stringify([name, job.values.get(name)]));
  }
  return parts;
}

/** The base renders that are kept for these keys. Counts the requests of each key, unless the job is run `again`. */
export function* keptBaseRenders(keys: readonly string[], again = false): Generator<BaseRender> {
  for (const key of keys) {
    if (!again) countRequest(key);
    const entry = baseRenders.get(key);
    if (entry !== undefined && entry !== 'none') yield entry;
  }
}

/**
 * The key that a base render is worth making for: requested twice, the general one first, so that the first render of a
 * key pays for nothing but itself. With `now` one request is enough. When the memory is full, a key must have been
 * requested more often than the base render that would be evicted: asking for each quality and size twice flushes
 * nothing.
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
  // A copy: an entry that is set becomes the newest, and an iteration over the cache itself would not end.
  for (const [each, count] of [...requests.entries()].toReversed()) {
    requests.set(each, Math.floor(count / 2));
  }
}

/** Requests of the base render that is evicted next; 0 while there is capacity for one of the usual size. */
function requestsOfNextEvicted(): number {
  const usualBytes = baseRenders.calculatedSize / Math.max(1, baseRenders.size);
  if (baseRenders.calculatedSize + usualBytes <= baseRendersBytesMax) return 0;
  const [oldest] = baseRenders.rkeys();
  return oldest === undefined ? 0 : (requests.get(oldest) ?? 0);
}

/** Bytes of a base render as the bound counts them. */
function weightOf({ sizeBytes, listBytes }: BaseRender): number {
  return sizeBytes + Math.ceil(listBytes * listWeight);
}

/** Keeps a base render, or that none can be made; one above the bound counts as none. True when one was kept. */
export function keepBaseRender(key: string, base: BaseRender | undefined): boolean {
  const isKept = base !== undefined && weightOf(base) <= baseRendersBytesMax;
  baseRenders.set(key, isKept ? base : 'none');
  return isKept;
}

/** Bytes of the base renders that are kept, as the bound counts them. */
export function baseRendersBytes(): number {
  return baseRenders.calculatedSize;
}
