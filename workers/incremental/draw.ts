/** Draws a display list to a file: whole, or over a plan where there is one and it pays. */
import type { PlanFigures, RenderJob, RenderTimings, RenderWarning } from '#wire/render-job.ts';
import { chromaOf } from '../chroma.ts';
import type { DisplayList } from '../display-list.ts';
import { freeDrawables } from '../assets/drawable-cache.ts';
import { encode } from '../encode/encode.ts';
import { freeBytes } from '../pixels.ts';
import { requireEncodable } from '../encode/encode-limit.ts';
import { decodedShare, loadDrawables } from '../load-drawables.ts';
import type { JobFiles } from '../load-drawables.ts';
import { paint } from '../paint/paint.ts';
import { paintCost } from '../paint/cost/paint-cost.ts';
import { pictureSize } from '../paint/picture-size.ts';
import { leftMs, withWorkShare } from '../work-limit.ts';
import { layoutPlan } from './layout-plan.ts';
import type { PlanKind } from './layout-plan.ts';
import { findPlan, keepPlan, keyWorthPlanning, planKeys } from './base-render-cache.ts';
import { damageRatio } from './damage.ts';
import type { Plan } from './base-render.ts';
import {
  createPlan,
  damagedItems,
  findPlanDamage,
  isBanded,
  renderOverPlan,
} from './base-render.ts';

/** A render's file, which belongs to the caller, and where its time went. */
export interface DrawnFile extends Omit<RenderTimings, 'layoutMs'> {
  bytes: Uint8Array<ArrayBuffer>;
  drawn: 'whole' | 'plan';
}

/** Processor time of making a plan: 1200 × 630 takes 40 to 100 ms. What takes longer has none. */
const planMsMax = 500;
/** Processor time of drawing over a plan: 2 ms for a text of a 1200 × 630 banner, 100 ms for half of it at scale 3. */
const damageMsMax = 500;
/** Device pixels of a plan: 1200 × 630 at scale 3 has 6.8 million. */
const planPixelsMax = 8 * 1024 * 1024;

/**
 * The file of a job's list, painted and encoded as far as it differs from a plan; the second job of a
 * key makes the plan. Undefined when there is none, or when so much differs that drawing whole is
 * cheaper. What was done with plans is written into `figures`. Throws `SourceError` and `DrawingsMissing`.
 */
export async function drawOverPlan(
  job: RenderJob,
  list: DisplayList,
  files: JobFiles,
  figures: PlanFigures,
): Promise<DrawnFile | undefined> {
  if (!isBanded(job.format)) return undefined;
  const { widthPx, heightPx } = pictureSize(list, job.scale);
  if (widthPx * heightPx > planPixelsMax) return undefined;
  // One more picture would change the size at which all are decoded.
  if (decodedShare(list, files.images, job.scale) < 1) return undefined;
  const keys = planKeys(job);
  const [, general] = keys;
  for (const key of keys) {
    const plan = findPlan(key, files.drawings.size > 0);
    const file = plan && (await drawOver(plan, list, files, figures));
    if (file !== undefined) return file;
  }
  const key = keyWorthPlanning(keys, job.plansNow === true);
  if (key === undefined) return undefined;
  const started = performance.now();
  const kind = key === general ? 'general' : 'specific';
  // Most of the time is for the image, which is drawn whole where the plan fails.
  const shareMs = Math.min(planMsMax, leftMs() / 4);
  const plan = await withWorkShare(shareMs, () => makePlan(job, files, kind));
  freeDrawables();
  figures.isKept = keepPlan(key, plan);
  figures.buildMs = performance.now() - started;
  return plan && (await drawOver(plan, list, files, figures));
}

/** The file of a list, painted and encoded whole. Throws `SourceError` and `DrawingsMissing`; other failures end in `warnings`. */
export async function drawWhole(
  { format, quality, scale }: RenderJob,
  list: DisplayList,
  files: JobFiles,
  warnings: RenderWarning[],
): Promise<DrawnFile> {
  const started = performance.now();
  const drawables = await loadDrawables(list, files, scale, warnings);
  const decoded = performance.now();
  const pixels = paint(list, drawables, scale);
  freeDrawables();
  requireEncodable(pixels, format, quality);
  const painted = performance.now();
  const bytes = await encode(pixels, format, quality, chromaOf(list, format, quality));
  freeBytes(pixels.data);
  return {
    bytes,
    drawn: 'whole',
    decodeMs: decoded - started,
    paintMs: painted - decoded,
    encodeMs: performance.now() - painted,
  };
}

/** A plan of the job's template with the job's pictures; undefined when a part of it cannot be drawn. */
async function makePlan(
  job: RenderJob,
  files: JobFiles,
  kind: PlanKind,
): Promise<Plan | undefined> {
  const { format, quality, scale } = job;
  if (!isBanded(format)) return undefined;
  const list = layoutPlan(job, files.images, kind);
  // The defaults may cost more than the job's values do.
  if (paintCost(list, scale).us > planMsMax * 1000) return undefined;
  // The defaults may show more pictures than the job does, and then these would be decoded smaller than a whole render's.
  if (decodedShare(list, files.images, scale) < 1) return undefined;
  const warnings: RenderWarning[] = [];
  const drawables = await loadDrawables(list, files, scale, warnings);
  // A warning belongs to every render that draws the layer, and a plan would swallow it.
  if (warnings.length > 0) return undefined;
  return createPlan(list, scale, paint(list, drawables, scale), format, quality);
}

/** As `drawDamage`; undefined, too, when that takes so long that drawing whole is quicker. */
async function drawOver(
  plan: Plan,
  list: DisplayList,
  files: JobFiles,
  figures: PlanFigures,
): Promise<DrawnFile | undefined> {
  const file = await withWorkShare(damageMsMax, () => drawDamage(plan, list, files, figures));
  freeDrawables();
  return file;
}

async function drawDamage(
  plan: Plan,
  list: DisplayList,
  files: JobFiles,
  figures: PlanFigures,
): Promise<DrawnFile | undefined> {
  const started = performance.now();
  const damage = findPlanDamage(plan, list);
  if (damage === undefined) return undefined;
  const warnings: RenderWarning[] = [];
  const items = damagedItems(plan, damage, list);
  const drawables = await loadDrawables(list, files, plan.scale, warnings, items);
  // As for a plan: what cannot be drawn is told by a render that draws everything.
  if (warnings.length > 0) return undefined;
  const decoded = performance.now();
  const { bytes, paintMs } = renderOverPlan(plan, damage, list, drawables);
  const encodeMs = performance.now() - decoded - paintMs;
  figures.damageRatio = damageRatio(damage, list, plan.scale);
  return { bytes, drawn: 'plan', decodeMs: decoded - started, paintMs, encodeMs };
}
