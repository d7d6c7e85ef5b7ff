/** Loads the source images of a render, and replaces failed ones by defaults if the order tolerates that. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText } from '#wire/error-text.ts';
import type { SourceImage } from '#wire/render-job.ts';
import { defaultText } from '#language/values/list-value.ts';
import { AppError } from '../../foundation/errors.ts';
import type { ImageLoader, LoadedImage } from '../../images/load-images.ts';
import { ImageError } from '../../images/image-error.ts';
import { DrawingCpu } from '../../images/svg/drawing-cpu.ts';
import { StoreError } from '../../store/database/store-error.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { imageOrigins } from './origins.ts';
import type { ImageOrigin, OriginFinder } from './origins.ts';
import { isRemote } from '../order.ts';
import { drawnSources } from './drawn-sources.ts';
import type { RenderOrder } from '../order.ts';
import type { ResolvedValues } from '../values.ts';

/** The source images of a render, and the values for its bindings. */
export interface JobImages {
  /** As given, or with defaults in place of images that failed. */
  values: ResolvedValues;
  /** By source after binding, in drawing order, without failed images. */
  images: [source: string, image: SourceImage][];
  /** Digests of the remote images (`SourceImage.digest`), in drawing order. */
  remoteDigests: string[];
  /** When the first image is due, ms on the loader's clock; Infinity without images and for `data:` URLs. */
  freshUntilMs: number;
  /** Layers whose image failed and is replaced by its default or left out, each with the message of the error. */
  failedLayers: ReadonlyMap<string, string>;
  /** Reason of the first failure, in one word for the log and the metrics; undefined without failures. */
  failure: string | undefined;
  /** Finds the layers and variables of a source with `values`. */
  originOfImage: OriginFinder;
}

/** Rounds of loading: the images of the values, then the defaults of those that failed. */
const roundsMax = 2;

/**
 * Loads all images of a render concurrently. `failedSources` have failed in an earlier attempt, with these errors, and
 * are not loaded again.
 *
 * By default the first failure is thrown: BAD_REQUEST that names the variable, or OVERLOADED when this service has too
 * many images to fetch. With `onImageError: "default"`, the variables of all failed images get their defaults, which are
 * then loaded. An image without another default is left out, and so is one that fails in this further round: each round
 * binds the document again on the thread that answers.
 */
export async function loadJobImages(
  order: RenderOrder,
  failedSources: ReadonlyMap<string, AppError>,
  loader: Pick<ImageLoader, 'loadImage'>,
  signal: AbortSignal,
  drawingCpu = new DrawingCpu(),
): Promise<JobImages> {
  const { template, values } = order;
  const failed = new Map(failedSources);
  const failedLayers = new Map<string, string>();
  let current = values;
  for (let round = 1; ; round += 1) {
    const drawn =
      current === values ? order.sources : drawnSources(template, current, order.options);
    const originOf = imageOrigins(order, current);
    const loaded = await loadSources(order, originOf, drawn, failed, loader, {
      drawingCpu,
      signal,
    });
    const origins = drawn
      .filter((source) => failed.has(source))
      .map((source): [string, ImageOrigin] => [source, originOf(source)]);
    for (const [source, { layers }] of origins) {
      const sentence = failed.get(source)?.message ?? '';
      for (const id of layers) if (!failedLayers.has(id)) failedLayers.set(id, sentence);
    }
    const next = withDefaults(
      template,
      current,
      origins.map(([, origin]) => origin),
    );
    if (next === current || round === roundsMax) {
      const [first] = failed.values();
      const failure = first && (first.reason ?? 'images');
      return {
        ...summarize(loaded),
        values: current,
        failedLayers,
        failure,
        originOfImage: originOf,
      };
    }
    current = next;
    // What both rounds bind is not one turn of the event loop.
    await nextTurn();
  }
}

/** BAD_REQUEST for an image that cannot be drawn; `problem` continues a sentence after the image's name. */
export function imageError(origin: ImageOrigin, problem: string, reason: string): AppError {
  const subject =
    origin.variables.length > 0
      ? `Invalid variable value: the image of "${origin.variables.join('", "')}"`
      : `The image of the template's layer "${origin.layers[0] ?? ''}"`;
  const { layers } = origin;
  // The problem may contain the host of the URL, which is data of a reader.
  const detail = origin.readsTables
    ? `, which a data table gives, cannot be used (${reason})`
    : ` ${problem}`;
  return new AppError('BAD_REQUEST', `${subject}${detail}.`, { reason, layers });
}

/** Loads the sources that have not failed. Adds failures to `failed`, or throws if the order does not tolerate them. */
async function loadSources(
  order: RenderOrder,
  originOf: OriginFinder,
  drawn: readonly string[],
  failed: Map<string, AppError>,
  loader: Pick<ImageLoader, 'loadImage'>,
  { drawingCpu, signal }: { drawingCpu: DrawingCpu; signal: AbortSignal },
): Promise<[source: string, loaded: LoadedImage][]> {
  const { organizationUid, uid: templateUid } = order.template;
  const sources = drawn.filter((source) => !failed.has(source));
  const requester = { organizationUid, templateUid, drawingCpu };
  const results = await Promise.allSettled(
    sources.map(async (source) => loader.loadImage(source, requester, signal)),
  );
  // `data:` images fail at once, and the search for the origins of failed ones binds all addresses.
  if (results.some(({ status }) => status === 'rejected')) await nextTurn();
  const loaded: [string, LoadedImage][] = [];
  for (const [index, source] of sources.entries()) {
    const result = results[index];
    if (result?.status === 'fulfilled') loaded.push([source, result.value]);
    else {
      const error = toAppError(result?.reason, originOf(source));
      if (!order.toleratesImageErrors || error.code !== 'BAD_REQUEST') throw error;
      failed.set(source, error);
    }
  }
  return loaded;
}

function summarize(
  loaded: readonly [source: string, loaded: LoadedImage][],
): Pick<JobImages, 'images' | 'remoteDigests' | 'freshUntilMs'> {
  const remote = loaded.filter(([source]) => isRemote(source)).map(([, image]) => image);
  return {
    images: loaded.map(([source, { image }]) => [source, image]),
    remoteDigests: remote.map(({ image }) => image.digest),
    freshUntilMs: Math.min(Infinity, ...loaded.map(([, { freshUntilMs }]) => freshUntilMs)),
  };
}

/** Replaces the values of the failed images' variables by their defaults; returns the same map if nothing changes. */
function withDefaults(
  template: PublishedTemplate,
  values: ResolvedValues,
  failed: readonly ImageOrigin[],
): ResolvedValues {
  let changed: Map<string, string> | undefined;
  for (const name of failed.flatMap(({ variables }) => variables)) {
    const variable = template.variables.get(name);
    // The default of a list has other items, so the image of an item is left out.
    const fallback = variable?.type === 'list' ? undefined : variable && defaultText(variable);
    if (fallback === undefined || values.get(name) === fallback) continue;
    changed ??= new Map(values);
    changed.set(name, fallback);
  }
  return changed ?? values;
}

function toAppError(error: unknown, origin: ImageOrigin): AppError {
  // The reason of the signal after the deadline.
  if (error instanceof AppError) return error;
  if (error instanceof StoreError && (error.code === 'AWAY' || error.code === 'ABSENT')) {
    const sentence = 'The file of an image is not on this node yet; ask again in a moment.';
    return new AppError('OVERLOADED', sentence, { reason: 'asset', retryAfterSeconds: 2 });
  }
  if (!(error instanceof ImageError)) {
    const detail = errorText(error);
    return new AppError('INTERNAL', 'An image could not be loaded.', { reason: 'images', detail });
  }
  if (error.reason !== 'overloaded') return imageError(origin, error.message, error.reason);
  return new AppError('OVERLOADED', 'Too many images are being fetched; ask again in a moment.', {
    reason: 'images',
    retryAfterSeconds: error.retryAfterSeconds ?? 1,
  });
}
