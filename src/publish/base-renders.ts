/** Makes the base render of a template in each render host. */
import type { RenderJob } from '#wire/render-job.ts';
import type { Deadline } from '../foundation/deadline.ts';
import type { Render } from '../render/cache.ts';
import { toJob } from '../render/draw.ts';
import type { RenderParts } from '../render/draw.ts';
import { loadJobImages } from '../render/images/job-images.ts';
import { defaultOrder } from '../render/order.ts';
import { outcomeError } from '../render/outcome-errors.ts';
import { runJob } from '../render/run-job.ts';
import type { PooledRender, RenderPool } from '../scheduling/pool.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';

/**
 * Makes the base render of a template's default image in each render host, unless the hosts are busy. `first` is the
 * default image, if one host has already drawn it and made its base render; absent: one host does so first, because a
 * document that ends its host must not end all of them. An image that has no base render is drawn in no further host. Throws the errors of loading its images, and those of `outcomeError`.
 */
export async function makeBaseRenders(
  template: PublishedTemplate,
  parts: RenderParts,
  deadline: Deadline,
  first?: Pick<Render, 'drawn'>,
): Promise<void> {
  const { loader, pool, stats } = parts;
  if (first?.drawn === 'whole') return;
  const order = defaultOrder(template, undefined, { makesBaseRender: true });
  const images = await loadJobImages(order, new Map(), loader, deadline.signal);
  const job = toJob(order, images);
  const draw = async (): Promise<Pick<Render, 'drawn'>> => {
    const run = (each: RenderJob): Promise<PooledRender> => pool.run(each, deadline);
    const { outcome } = await runJob(run, job, template, parts, deadline.signal);
    if (!outcome.ok) throw outcomeError(images, outcome);
    stats.countBaseRender(outcome);
    return outcome;
  };
  const { drawn } = first?.drawn === 'plan' ? first : await draw();
  if (drawn === 'whole') return;
  // Several jobs at a time go to several hosts.
  await Promise.all(Array.from({ length: pool.hostCount }, draw));
}

/** Upper bound of the publications that the warmer has not seen yet: some hundred milliseconds of them. */
const publicationsMax = 1000;

/** Keys of the templates that publications have drawn in each thread of a pool, the oldest first. */
const published = new WeakMap<RenderPool, Set<string>>();

/** Notes that a publication has made the base renders of a template. */
export function noteMadeByPublication({ templateKey }: PublishedTemplate, pool: RenderPool): void {
  const keys = published.get(pool) ?? new Set();
  published.set(pool, keys.add(templateKey));
  const [oldest] = keys;
  if (keys.size > publicationsMax && oldest !== undefined) keys.delete(oldest);
}

/** Whether a publication has made the base renders of a template; true once for each publication. */
export function isMadeByPublication({ templateKey }: PublishedTemplate, pool: RenderPool): boolean {
  return published.get(pool)?.delete(templateKey) ?? false;
}
