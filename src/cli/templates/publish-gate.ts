/** Draws the default pictures of drafts that no service is asked to publish, so that none goes public that cannot be drawn. */
import type { SourceImage } from '#wire/render-job.ts';
import { loadConfig } from '../../config/config.ts';
import { AppError } from '../../foundation/errors.ts';
import { drawRender } from '../../render/draw.ts';
import { drawableOrder } from '../../render/order.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { withOfflineWorkshop } from '../render/offline-renderer.ts';

/** Why default pictures cannot be drawn, by uid. What takes too long is not published either, as in the service. */
export function findUndrawable(
  templates: readonly PublishedTemplate[],
  findAsset: (organizationUid: string, id: string) => SourceImage | undefined,
): Promise<ReadonlyMap<string, string>> {
  return withOfflineWorkshop(loadConfig(), findAsset, async (workshop, deadline) => {
    const causes = new Map<string, string>();
    for (const template of templates) {
      try {
        await drawRender(drawableOrder(template), workshop, deadline());
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'INTERNAL') throw error;
        causes.set(template.uid, error.message);
      }
    }
    return causes;
  });
}
