/** Decodes an image before it is stored, because a header says nothing about the pixels. */
import type { RenderJob, SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import type { Deadline } from '../foundation/deadline.ts';
import { AppError } from '../foundation/errors.ts';
import { ImageError } from '../images/image-error.ts';
import type { RenderPool } from '../scheduling/pool.ts';

/** Side of the rendered image in pixels. Every decoder reads the whole file for it. */
const sidePx = 64;

const source = 'upload';

const template: Template = {
  format: 1,
  name: 'upload',
  width: sidePx,
  height: sidePx,
  variables: [],
  layers: [
    {
      id: 'image',
      type: 'image',
      x: 0,
      y: 0,
      width: sidePx,
      height: sidePx,
      src: source,
      fit: 'fill',
    },
  ],
};

const templateJson = JSON.stringify(template);

/**
 * Renders `image` once like a template: in a render process, in the organization's share of the queue, within the
 * memory limit of decodes. Rejects with an `ImageError`, `decode` for a damaged image and `too_large` for one that takes
 * too long, and with the errors of `RenderPool.run`.
 */
export async function checkImage(
  image: SourceImage,
  organizationUid: string,
  pool: Pick<RenderPool, 'run'>,
  deadline: Deadline,
): Promise<void> {
  const { outcome } = await pool.run(checkJob(image, organizationUid), deadline);
  if (outcome.ok) return;
  if (outcome.code === 'BAD_IMAGE') throw new ImageError('decode', outcome.detail);
  if (outcome.code === 'TOO_EXPENSIVE') throw new ImageError('too_large', outcome.detail);
  throw new AppError('INTERNAL', 'The image could not be checked.', {
    reason: 'worker',
    detail: outcome.detail,
  });
}

function checkJob(image: SourceImage, organizationUid: string): RenderJob {
  return {
    // The queue reads the organization from it.
    templateKey: `${organizationUid}:upload`,
    templateJson,
    values: new Map(),
    images: [[source, image]],
    format: 'png',
    quality: 100,
    scale: 1,
    // A render of single layers makes no base render, which would serve one upload only.
    layers: ['image'],
  };
}
