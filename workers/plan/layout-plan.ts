/** The picture that a plan keeps: the template with a job's pictures and its own texts. */
import type { RenderJob, SourceImage } from '#shared/render-job.ts';
import { lendOwnFonts } from '../assets/lend-fonts.ts';
import type { DisplayList } from '../display-list.ts';
import { layoutScene } from '../layout/layout.ts';
import { buildScene } from '../scene.ts';
import { parseTemplate } from '../template-cache.ts';

/**
 * Lays out the job with every text variable's default in place of its value: a long name in the first
 * job must not make the damage of all that follow large. An image that only the defaults would show is
 * left out, as any picture of the template will do.
 */
export function layoutPlan(job: RenderJob, images: ReadonlyMap<string, SourceImage>): DisplayList {
  const template = parseTemplate(job.templateKey, job.templateJson);
  const values = new Map(job.values);
  for (const { name, type, value } of template.variables) {
    if (type === 'text') values.set(name, value);
  }
  return layoutScene(buildScene(template, values, lendOwnFonts(job.fonts)), images).displayList;
}
