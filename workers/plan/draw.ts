/** Draws a display list to a file: whole, or over a plan where there is one and it pays. */
import type { PlanFigures, RenderJob, RenderTimings, RenderWarning } from '#shared/render-job.ts';
import type { DisplayList } from '../display-list.ts';
import { encode } from '../encode/encode.ts';
import { decodedShare, loadDrawables } from '../load-drawables.ts';
import type { JobFiles } from '../load-drawables.ts';
import { paint } from '../paint/paint.ts';
import { layoutPlan } from './layout-plan.ts';
import type { PlanKind } from './layout-plan.ts';
import { findPlan, keepPlan, keyWorthPlanning, planKeys } from './plan-cache.ts';
import { damageRatio } from './damage.ts';
import { takePlanTurn } from './plan-turns.ts';
import type { Plan } from './plan.ts';
import { createPlan, damagedItems, findPlanDamage, isBanded, renderOverPlan } from './plan.ts';

/** A render's file, which belongs to the caller, and where its time went. */
export interface DrawnFile extends Omit<RenderTimings, 'layoutMs'> {
  bytes: Uint8Array<ArrayBuffer>;
  drawn: 'whole' | 'plan';
}

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
  // One more picture would change the size at which all are decoded.
  if (decodedShare(list, files.images, job.scale) < 1) return undefined;
  const keys = planKeys(job);
  const [, general] = keys;
  for (const key of keys) {
    const plan = findPlan(key, files.drawings.size > 0);
    const file = plan && (await drawDamage(plan, list, files, figures));
    if (file !== undefined) return file;
  }
  const { plansNow = false } = job;
  const key = keyWorthPlanning(keys, plansNow);
  // Threads that are told to plan have nobody waiting.
  const giveBack = key === undefined || plansNow ? () => undefined : takePlanTurn(key);
  if (key === undefined || giveBack === undefined) return undefined;
  try {
    const started = performance.now();
    const plan = await makePlan(job, files, key === general ? 'general' : 'specific');
    figures.isKept = keepPlan(key, plan);
    figures.buildMs = performance.now() - started;
    return plan && (await drawDamage(plan, list, files, figures));
  } finally {
    giveBack();
  }
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
  const painted = performance.now();
  const bytes = await encode(pixels, format, quality);
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
  // The defaults may show more pictures than the job does, and then these would be decoded smaller than a whole render's.
  if (decodedShare(list, files.images, scale) < 1) return undefined;
  const warnings: RenderWarning[] = [];
  const drawables = await loadDrawables(list, files, scale, warnings);
  // A warning belongs to every render that draws the layer, and a plan would swallow it.
  if (warnings.length > 0) return undefined;
  return createPlan(list, scale, paint(list, drawables, scale), format, quality);
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
