/** Keeps the plans of one render process, bounded in bytes, and says when one is worth making. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RenderJob } from '#wire/render-job.ts';
import { processOptions } from '../process-options.ts';
import { specificParts } from './layout-plan.ts';
import type { Plan } from './base-render.ts';

/** Bytes of rows, bands, bases and lists: twenty plans of a 1200 × 630 picture, more than a campaign uses at once. */
const plansBytesMaxDefault = 128 * 1024 * 1024;
const { plansBytesMax = plansBytesMaxDefault } = processOptions;
const plansMax = 1000;
/** Of the 256 MiB of heap that a thread has: nearly all that plans take of it are lists. A usual one takes 20 KB. */
const listsBytesMax = 64 * 1024 * 1024;
/** A byte of a list counts for more, by as much as there is less room for it: one bound holds for both. */
const listWeight = Math.max(1, plansBytesMax / listsBytesMax);
/** Keys of which it is remembered how often they were asked for, some 100 bytes each. */
const askedMax = 10_000;
/** Requests after which all counts are halved: what was asked for last week keeps nothing out. */
const agingPeriod = 10_000;
/** A key that was asked for once may be the only one of its kind. */
const timesWorthPlanning = 2;

/** A plan, or that none can be made. */
type Entry = Plan | 'none';

const plans = new LRUCache<string, Entry>({
  max: plansMax,
  maxSize: plansBytesMax,
  sizeCalculation: (entry) => (entry === 'none' ? 1 : roomOf(entry)),
  dispose: (entry) => {
    if (entry !== 'none') entry.base?.drawable.canvas.dispose();
  },
});
const asked = new LRUCache<string, number>({ max: askedMax });
let asksUntilAging = agingPeriod;

/**
 * What plans are made for, the better fitting first: a document at one scale, format and quality with these very
 * pictures, colours, numbers and switches, and the document whatever they are. A campaign with a photo or a colour of
 * its own finds its plan by the first, one with a portrait for each reader by the second.
 */
export function planKeys(job: RenderJob): [specific: string, general: string] {
  const general = `${job.templateKey} ${job.scale} ${job.format} ${job.quality}`;
  return [`${general} ${hash('sha256', specificParts(job).join(' '))}`, general];
}

/** The plan of this key, when there is one. Counts how often the key is asked for, by a job that is run `again` once. */
export function findPlan(key: string, again = false): Plan | undefined {
  if (!again) countAsk(key);
  const entry = plans.get(key);
  return entry === 'none' ? undefined : entry;
}

/**
 * Of the keys without a plan, the one that a plan is worth making for: asked for twice, the general
 * one first; `plansNow` counts as that. So the first render of a key pays for nothing but itself. When the plans
 * fill their memory, a key must have been asked for more often than the one whose plan would go: nobody flushes a
 * campaign's plans by asking for each quality and size twice.
 */
export function keyWorthPlanning(
  [specific, general]: [string, string],
  plansNow: boolean,
): string | undefined {
  return [general, specific].find((key) => {
    const times = asked.get(key) ?? 0;
    return (
      !plans.has(key) && (plansNow || times >= Math.max(timesWorthPlanning, timesOfNextToGo()))
    );
  });
}

function countAsk(key: string): void {
  asked.set(key, (asked.get(key) ?? 0) + 1);
  asksUntilAging -= 1;
  if (asksUntilAging > 0) return;
  asksUntilAging = agingPeriod;
  // Of a copy: what is set becomes the newest, and an iteration over the cache itself would meet it for ever.
  for (const [each, times] of [...asked.entries()].toReversed()) {
    asked.set(each, Math.floor(times / 2));
  }
}

/** How often the plan was asked for that goes for the next one; 0 while there is room for one of the usual size. */
function timesOfNextToGo(): number {
  const usualBytes = plans.calculatedSize / Math.max(1, plans.size);
  if (plans.calculatedSize + usualBytes <= plansBytesMax) return 0;
  const [oldest] = plans.rkeys();
  return oldest === undefined ? 0 : (asked.get(oldest) ?? 0);
}

/** What a plan takes of the room for all of them. */
function roomOf({ sizeBytes, listBytes }: Plan): number {
  return sizeBytes + Math.ceil(listBytes * listWeight);
}

/** Keeps a plan, or that none can be made; one larger than the cache counts as none. True when a plan was kept. */
export function keepPlan(key: string, plan: Plan | undefined): boolean {
  const isKept = plan !== undefined && roomOf(plan) <= plansBytesMax;
  plans.set(key, isKept ? plan : 'none');
  return isKept;
}

/** Bytes of the plans that are kept, as they are counted. */
export function plansBytes(): number {
  return plans.calculatedSize;
}
