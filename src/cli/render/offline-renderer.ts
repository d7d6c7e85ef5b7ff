/** The service's renderer for one command: a pool with one process, and the image loader. */
import { WarmRenders } from '../../render/warm-renders.ts';
import type { SourceImage } from '#wire/render-job.ts';
import type { Config } from '../../settings.ts';
import { loadConfig } from '../../settings.ts';
import { AppError } from '../../foundation/errors.ts';
import { Deadline } from '../../foundation/deadline.ts';
import { createImageLoader } from '../../images/load-images.ts';
import type { FindAsset } from '../../images/load-images.ts';
import { createLog } from '../../foundation/log.ts';
import { drawRender } from '../../render/draw.ts';
import type { RenderParts } from '../../render/draw.ts';
import type { Render } from '../../render/cache.ts';
import { RenderCache } from '../../render/cache.ts';
import { animatedOrder, drawableOrder, RenderOrder } from '../../render/order.ts';
import type { RenderOptions } from '../../render/request.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { allSizes } from '../../store/template-sizes.ts';
import { RenderStats } from '../../scheduling/stats.ts';
import { startRenderPool } from '../../scheduling/warm-up.ts';
import type { ResolvedValues } from '../../render/values.ts';
import type { OfflineTemplate } from './offline-template.ts';
import { workDirectory } from '../files.ts';

/** Maximum time until the process ends, in ms. */
const closeTimeoutMs = 2000;
/** Bytes of the cache that a renderer requires, for one image. A larger image is still rendered. */
const cacheBytesMax = 1024 * 1024;

/** Work with a process. `deadline` creates a deadline with the timeout of a request. */
type OfflineWork<Result> = (
  pool: RenderParts['pool'],
  deadline: () => Deadline,
  fontConfigFile: string,
) => Promise<Result>;

/** Starts one process like the service, waits until it is ready, and ends it after `work`. */
export async function withOfflinePool<Result>(
  config: Config,
  work: OfflineWork<Result>,
): Promise<Result> {
  const log = createLog((level, line) => {
    if (level === 'error') process.stderr.write(`${line}\n`);
  });
  const renderer = await startRenderPool(
    {
      ...config,
      render: { ...config.render, threadCount: 1 },
      templates: { ...config.templates, dataDirectory: workDirectory(config) },
    },
    log,
  );
  const deadline = (): Deadline => new Deadline(performance.now() + config.render.timeoutMs);
  try {
    await renderer.ready;
    return await work(renderer.pool, deadline, renderer.fontConfigFile);
  } finally {
    await renderer.pool.close(closeTimeoutMs);
  }
}

/**
 * Renders one image without a base render, like the first image of a template in a service. A service renders later
 * images from a base render, with the same pixels and other bytes in PNG and JPEG. Throws an `AppError`: BAD_REQUEST
 * for a source image that cannot be loaded, TIMEOUT, INTERNAL.
 */
export function drawOffline(
  { published, assets }: OfflineTemplate,
  options: RenderOptions,
  values: ResolvedValues,
): Promise<Render> {
  const findAsset = (_organizationUid: string, id: string): SourceImage | undefined =>
    assets.get(id);
  return withOfflineParts(loadConfig(), findAsset, (parts, deadline) => {
    const order = new RenderOrder(published, options, values);
    return drawRender(order, parts, deadline());
  });
}

/** Starts one process, and a loader that finds assets with `findAsset`. Ends both after `work`. */
export function withOfflineParts<Result>(
  config: Config,
  findAsset: FindAsset,
  work: (parts: RenderParts, deadline: () => Deadline) => Promise<Result>,
): Promise<Result> {
  const { decodesBytesMax: _decodesBytesMax, ...imageLimits } = config.images;
  return withOfflinePool(config, async (pool, deadline, svgFontConfigFile) => {
    const parts: RenderParts = {
      pool,
      loader: createImageLoader({ ...imageLimits, svgFontConfigFile, findAsset }),
      cache: new RenderCache(cacheBytesMax),
      use: { count: () => undefined, noteAsset: () => undefined },
      // The font files exist since the start of the process.
      fonts: { restoreFiles: () => Promise.resolve('deleted') },
      warm: new WarmRenders(() => []),
      stats: new RenderStats(),
    };
    try {
      return await work(parts, deadline);
    } finally {
      await parts.loader.close();
    }
  });
}

/**
 * The causes why default images cannot be rendered, by uid of the draft. As in the service, a timeout is one of them.
 */
export function findUndrawable(
  templates: readonly PublishedTemplate[],
  findAsset: FindAsset,
): Promise<ReadonlyMap<string, string>> {
  return withOfflineParts(loadConfig(), findAsset, async (parts, deadline) => {
    const causes = new Map<string, string>();
    for (const template of templates) {
      try {
        for (const [, sized] of allSizes(template)) {
          await drawRender(drawableOrder(sized), parts, deadline());
          const animated = animatedOrder(sized);
          if (animated !== undefined) await drawRender(animated, parts, deadline());
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'INTERNAL') throw error;
        causes.set(template.uid, error.message);
      }
    }
    return causes;
  });
}
