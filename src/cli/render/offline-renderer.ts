/** The service's renderer for one picture: one thread of the same pool, the same image loader, no cache that outlives it. */
import type { SourceImage } from '#wire/render-job.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/config.ts';
import { Deadline } from '../../foundation/deadline.ts';
import { createImageLoader } from '../../images/load-images.ts';
import { createLog } from '../../foundation/log.ts';
import { drawRender } from '../../render/draw.ts';
import type { RenderWorkshop } from '../../render/draw.ts';
import type { Render } from '../../render/cache/renders.ts';
import { RenderCache } from '../../render/cache/renders.ts';
import { RenderOrder } from '../../render/order.ts';
import type { RenderOptions } from '../../render/request.ts';
import { RenderStats } from '../../scheduling/stats.ts';
import { startRenderThreads } from '../../scheduling/threads.ts';
import type { ResolvedValues } from '../../render/values.ts';
import type { OfflineTemplate } from './offline-template.ts';
import { workDirectory } from '../user-cache.ts';

/** Milliseconds that the thread may take to end what it is doing. */
const closeTimeoutMs = 2000;
/** Room for the one picture; what does not fit is drawn all the same. */
const cacheBytesMax = 1024 * 1024;

/** What can be done with a thread: a new deadline, as long as a render request has, is for each piece of work. */
type ThreadWork<Result> = (
  pool: RenderWorkshop['pool'],
  deadline: () => Deadline,
  fontConfigFile: string,
) => Promise<Result>;

/** Starts one thread as the service does, waits until it has rendered, and ends it after `work`. */
export async function withOfflineThread<Result>(
  config: Config,
  work: ThreadWork<Result>,
): Promise<Result> {
  const log = createLog((level, line) => {
    if (level === 'error') process.stderr.write(`${line}\n`);
  });
  const threads = await startRenderThreads(
    {
      ...config,
      render: { ...config.render, threads: 1 },
      templates: { ...config.templates, dataDirectory: workDirectory(config) },
    },
    log,
  );
  const deadline = (): Deadline => new Deadline(performance.now() + config.render.timeoutMs);
  try {
    await threads.ready;
    return await work(threads.pool, deadline, threads.fontConfigFile);
  } finally {
    await threads.pool.close(closeTimeoutMs);
  }
}

/**
 * Draws one picture whole, as a service draws the first one of a template; later ones it draws over a plan, which gives the
 * same pixels, and in PNG and JPEG other bytes. Throws an `AppError`: BAD_REQUEST for an image that cannot be had, TIMEOUT, INTERNAL.
 */
export function drawOffline(
  { published, assets }: OfflineTemplate,
  options: RenderOptions,
  values: ResolvedValues,
): Promise<Render> {
  const findAsset = (_organizationUid: string, id: string): SourceImage | undefined =>
    assets.get(id);
  return withOfflineWorkshop(loadConfig(), findAsset, (workshop, deadline) => {
    const order = new RenderOrder(published, options, values);
    return drawRender(order, workshop, deadline());
  });
}

/** Starts one thread and a loader that finds assets with `findAsset`, and ends both after `work`. */
export function withOfflineWorkshop<Result>(
  config: Config,
  findAsset: (organizationUid: string, id: string) => SourceImage | undefined,
  work: (workshop: RenderWorkshop, deadline: () => Deadline) => Promise<Result>,
): Promise<Result> {
  const { decodesBytesMax: _threads, ...imageLimits } = config.images;
  return withOfflineThread(config, async (pool, deadline, svgFontConfigFile) => {
    const workshop: RenderWorkshop = {
      pool,
      loader: createImageLoader({ ...imageLimits, svgFontConfigFile, findAsset }),
      cache: new RenderCache(cacheBytesMax),
      use: { count: () => undefined, noteAsset: () => undefined },
      // They were laid out a moment ago.
      fonts: { restoreFiles: () => false },
      stats: new RenderStats(),
    };
    try {
      return await work(workshop, deadline);
    } finally {
      await workshop.loader.close();
    }
  });
}
