/** Keeps the plans of one worker thread, bounded in bytes, and says when one is worth making. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RenderJob } from '#shared/render-job.ts';
import { threadData } from '../thread-data.ts';
import type { Plan } from './plan.ts';

/** Bytes of rows, bands and bases: twenty plans of a 1200 × 630 picture, more than a campaign uses at once. */
const plansBytesMaxDefault = 128 * 1024 * 1024;
const { plansBytesMax = plansBytesMaxDefault } = threadData;
const plansMax = 1000;
/** Keys remembered to have been asked for once, some 100 bytes each. */
const seenMax = 10_000;

/** A plan, or that none can be made. */
type Entry = Plan | 'none';

const plans = new LRUCache<string, Entry>({
  max: plansMax,
  maxSize: plansBytesMax,
  sizeCalculation: (entry) => (entry === 'none' ? 1 : entry.sizeBytes),
  dispose: (entry) => {
    if (entry !== 'none') entry.base?.drawable.canvas.dispose();
  },
});
const seen = new LRUCache<string, true>({ max: seenMax });

/**
 * What plans are made for, the better fitting first: a document at one scale, format and quality with
 * these very pictures, and the document whatever its pictures. A campaign with a photo of its own finds
 * its plan by the first, one with a portrait for each reader by the second.
 */
export function planKeys(job: RenderJob): [specific: string, general: string] {
  const general = `${job.templateKey} ${job.scale} ${job.format} ${job.quality}`;
  const digests = job.images.map(([, { digest }]) => digest).join(' ');
  return [`${general} ${hash('sha256', digests)}`, general];
}

/** The plan of this key, when there is one. */
export function findPlan(key: string): Plan | undefined {
  const entry = plans.get(key);
  return entry === 'none' ? undefined : entry;
}

/**
 * Of the keys without a plan, the one that a plan is worth making for: asked for before, the general
 * one first; `plansNow` counts as that. So the first render of a key pays for nothing but itself.
 */
export function keyWorthPlanning(
  [specific, general]: [string, string],
  plansNow: boolean,
): string | undefined {
  const wasSeen = (key: string): boolean => plansNow || seen.has(key);
  const worth = [general, specific].find((key) => wasSeen(key) && !plans.has(key));
  seen.set(general, true);
  seen.set(specific, true);
  return worth;
}

/** Keeps a plan, or that none can be made; one larger than the cache counts as none. True when a plan was kept. */
export function keepPlan(key: string, plan: Plan | undefined): boolean {
  const isKept = plan !== undefined && plan.sizeBytes <= plansBytesMax;
  plans.set(key, isKept ? plan : 'none');
  return isKept;
}
