/** The picture that a plan keeps: the template with a job's pictures and its own defaults. */
import type { RenderJob, SourceImage } from '#wire/render-job.ts';
import { isDrawingSource } from '#wire/svg-drawing.ts';
import { lendOwnFonts } from '../assets/lend-fonts.ts';
import type { DisplayList } from '../display-list.ts';
import { layoutScene } from '../layout/layout.ts';
import { buildScene } from '../scene.ts';
import { parseTemplate } from '../template-cache.ts';

/** Which of a job's values a plan has beside its pictures: none, or all that are no texts. */
export type PlanKind = 'general' | 'specific';

/**
 * Lays out the job with every text variable's default in place of its value, and in a general plan every other
 * default, too: a long name or a colour in the first job must not make the damage of all that follow large. An image
 * that only the defaults would show is left out, as any picture of the template will do.
 */
export function layoutPlan(
  job: RenderJob,
  images: ReadonlyMap<string, SourceImage>,
  kind: PlanKind,
): DisplayList {
  const template = parseTemplate(job.templateKey, job.templateJson);
  const values = new Map(job.values);
  for (const { name, type, value } of template.variables) {
    if (type === 'text' || (kind === 'general' && type !== 'image')) values.set(name, value);
  }
  return layoutScene(buildScene(template, values, lendOwnFonts(job.fonts)), images).displayList;
}

/** What tells the specific plans of a template apart: the job's pictures, and its values that are no texts. */
export function specificParts(job: RenderJob): string[] {
  const { variables } = parseTemplate(job.templateKey, job.templateJson);
  const values = new Map(job.values);
  // A job brings a drawing when its thread happens not to have it.
  const images = job.images.filter(([source]) => !isDrawingSource(source));
  const parts = images.map(([, { digest }]) => digest);
  for (const { name, type } of variables) {
    if (type !== 'text' && type !== 'image') parts.push(JSON.stringify([name, values.get(name)]));
  }
  return parts;
}
