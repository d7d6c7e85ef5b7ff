/** The worker's page: one render job from its template to the bytes of an image file. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { RenderJob, RenderOutcome } from '#shared/render-job.ts';
import { layoutScene } from './layout/layout.ts';
import { SourceError } from './load-drawables.ts';
import { pictureSize } from './paint/picture-size.ts';
import { drawOverPlan, drawWhole } from './plan/draw.ts';
import { buildScene } from './scene.ts';
import { parseTemplate } from './template-cache.ts';

/**
 * Renders one job. Never throws: what goes wrong is a value, because an error loses its class and
 * fields between threads. The bytes of a success are transferred to the caller, not copied.
 */
export default async function render(job: RenderJob): Promise<RenderOutcome> {
  try {
    const outcome = await renderJob(job);
    const transfer = { [transferableSymbol]: outcome.bytes.buffer, [valueSymbol]: outcome };
    return move(transfer) as unknown as RenderOutcome;
  } catch (error) {
    if (error instanceof SourceError) {
      const { message: detail, source, layer } = error;
      return { ok: false, code: 'BAD_IMAGE', detail, source, layer };
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ok: false, code: 'INTERNAL', detail };
  }
}

export async function renderJob(job: RenderJob): Promise<RenderOutcome & { ok: true }> {
  const started = performance.now();
  const template = parseTemplate(job.templateKey, job.templateJson);
  const images = new Map(job.images);
  const scene = buildScene(template, new Map(job.values));
  const { displayList, warnings, degraded } = layoutScene(scene, images);
  const layoutMs = performance.now() - started;
  const file =
    (await drawOverPlan(job, displayList, images)) ??
    (await drawWhole(job, displayList, images, warnings));
  const { bytes, drawn, ...stages } = file;
  const { widthPx, heightPx } = pictureSize(displayList, job.scale);
  const timings = { layoutMs, ...stages };
  return { ok: true, bytes, widthPx, heightPx, degraded, warnings, timings, drawn };
}
