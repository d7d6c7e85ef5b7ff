/** The worker's page: one render job from its template to the bytes of an image file. */
import type { PlanFigures, RenderJob, RenderOutcome } from '#wire/render-job.ts';
import { errorText } from '#wire/error-text.ts';
import { withDrawables } from './assets/drawable-cache.ts';
import { lendOwnFonts } from './assets/lend-fonts.ts';
import { FontFileError } from './assets/own-font-file.ts';
import { layoutScene } from './layout/layout.ts';
import { DrawingsMissing, filesOf, SourceError } from './load-drawables.ts';
import { requireAffordable } from './paint/cost/limit.ts';
import { pictureSize } from './paint/picture-size.ts';
import { drawOverPlan, drawWhole } from './incremental/draw.ts';
import { reportLayers } from './report.ts';
import { buildScene } from './scene.ts';
import { parseTemplate } from './template-cache.ts';
import { endWork, jobMs, startWork, TooExpensiveError } from './work-limit.ts';
import type { DisplayItem, DisplayList } from './display-list.ts';

/** Renders one job. Never throws: what goes wrong is a value, because an error loses its class and fields on the wire. */
export async function render(job: RenderJob): Promise<RenderOutcome> {
  try {
    return await renderJob(job);
  } catch (error) {
    if (error instanceof DrawingsMissing) {
      const { message: detail, drawings, cpuMs } = error;
      return { ok: false, code: 'NEEDS_DRAWINGS', detail, drawings, cpuMs };
    }
    if (error instanceof SourceError) {
      const { message: detail, source, layer } = error;
      return { ok: false, code: 'BAD_IMAGE', detail, source, layer };
    }
    if (error instanceof TooExpensiveError) {
      const { message: detail, layer } = error;
      return {
        ok: false,
        code: 'TOO_EXPENSIVE',
        detail,
        ...(layer === undefined ? {} : { layer }),
      };
    }
    if (error instanceof FontFileError) {
      return { ok: false, code: 'FONT_LOST', detail: error.message };
    }
    return { ok: false, code: 'INTERNAL', detail: errorText(error) };
  }
}

/** A job that makes a plan paints three times: one that takes longer by `paintCost` is drawn whole, without one. */
const plannedUsMax = 250_000;

/** Renders one job; what it throws is in `render`. */
export function renderJob(job: RenderJob): Promise<RenderOutcome & { ok: true }> {
  return withDrawables(() => renderWithDrawables(job));
}

async function renderWithDrawables(job: RenderJob): Promise<RenderOutcome & { ok: true }> {
  startWork(job.spentMs);
  try {
    const outcome = await draw(job);
    return { ...outcome, cpuMs: jobMs() };
  } finally {
    endWork();
  }
}

async function draw(job: RenderJob): Promise<RenderOutcome & { ok: true }> {
  const started = performance.now();
  const template = parseTemplate(job.templateKey, job.templateJson);
  const files = filesOf(job);
  const scene = buildScene(template, new Map(job.values), lendOwnFonts(job.fonts));
  const { displayList: all, warnings, degraded } = layoutScene(scene, files.images);
  // A plan is the picture of all layers.
  const isWhole = job.layers === undefined;
  const displayList = isWhole ? all : onlyLayers(all, job.layers ?? []);
  const { us: paintUs } = requireAffordable(displayList, job.scale);
  const layoutMs = performance.now() - started;
  const plan: PlanFigures = {};
  const file =
    (isWhole && paintUs <= plannedUsMax
      ? await drawOverPlan(job, displayList, files, plan)
      : undefined) ?? (await drawWhole(job, displayList, files, warnings));
  const { bytes, drawn, ...stages } = file;
  const { widthPx, heightPx } = pictureSize(displayList, job.scale);
  const timings = { layoutMs, ...stages };
  const outcome = { bytes, widthPx, heightPx, degraded, warnings, timings, drawn, plan };
  if (job.wantsReport !== true) return { ok: true, ...outcome };
  const report = await reportLayers({
    scene,
    list: displayList,
    files,
    scale: job.scale,
    warnings,
  });
  return { ok: true, ...outcome, report };
}

// Cuts a display list down to single layers, for an editor that moves one under the pointer.

/**
 * The list with these layers alone, at their places on a transparent ground. A layer of a group keeps the group's
 * turn, opacity and clip; a group that is asked for keeps all that is in it.
 */
function onlyLayers(list: DisplayList, ids: readonly string[]): DisplayList {
  return { ...list, background: undefined, items: pick(list.items, new Set(ids)) };
}

function pick(items: readonly DisplayItem[], ids: ReadonlySet<string>): DisplayItem[] {
  return items.flatMap((item) => {
    if (ids.has(item.layer)) return [item];
    if (item.content.kind !== 'group') return [];
    const inside = pick(item.content.items, ids);
    return inside.length === 0 ? [] : [{ ...item, content: { kind: 'group', items: inside } }];
  });
}
