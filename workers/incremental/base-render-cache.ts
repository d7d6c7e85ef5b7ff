/** Keeps the base renders of a host, bounded in bytes, and decides when to make one. */
import { hash } from 'node:crypto';
import type { RenderJob } from '#wire/render-job.ts';
import { isDrawingSource } from '#wire/svg-drawing.ts';
import { parseTemplate } from '../bind-scene.ts';
import {
  findPart,
  hasPart,
  keepPart,
  nextDroppedPart,
  baseRendersBytesMax,
} from '../shared/parts.ts';
import { countRequest, requestsOf } from '../shared/requests.ts';
import { fromPlain, toPlain } from './base-render.ts';
import type { BaseRender } from './base-render.ts';

/**
 * Share of lists in the 256 MiB heap of a thread: base renders take hardly any other heap. A usual list takes 20 KB.
 */
const listsBytesMax = 64 * 1024 * 1024;
/** Weight of a byte of a list, so that one bound covers the heap and other memory, which is larger. */
const listWeight = Math.max(1, baseRendersBytesMax / listsBytesMax);
/** Requests of a key before a base render is made: a key requested once may never be requested again. */
const requestsWorthMaking = 2;

/** What is kept for a key for which no base render can be made. */
const none = { isNone: true };

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
    const kept = findBaseRender(key);
    if (kept !== undefined) yield kept;
  }
}

/** Returns the base render that is kept for a key. */
export function findBaseRender(key: string): BaseRender | undefined {
  const kept = findPart(partKey(key), (value) => (value === 'none' ? none : fromPlain(value)));
  return kept === undefined || 'isNone' in kept ? undefined : kept;
}

/** The key under which a base render is kept, and claimed by the thread that makes it. */
export function partKey(key: string): string {
  return `base ${key}`;
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
    const count = requestsOf(key);
    const countMin = Math.max(requestsWorthMaking, requestsOfNextDropped());
    return !hasPart(partKey(key)) && (now || count >= countMin);
  });
}

/** Returns the requests of the base render that is dropped next; 0 if one of average size still fits. */
function requestsOfNextDropped(): number {
  const next = nextDroppedPart();
  return next === undefined ? 0 : requestsOf(next.slice(partKey('').length));
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
  const bytes = base === undefined ? 1 : weightOf(base);
  const part = { kind: 'base', key: partKey(key), bytes } as const;
  if (base === undefined || bytes > baseRendersBytesMax) {
    keepPart(
      { ...part, bytes: 1 },
      none,
      () => 'none',
      () => none,
    );
    return false;
  }
  keepPart(part, Object.assign(base, { key }), toPlain, fromPlain);
  return true;
}
