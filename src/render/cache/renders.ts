/** Finished renders in memory, bounded in bytes. */
import type { RenderFormat } from '#wire/render-job.ts';
import type { Reply } from '../../http/reply.ts';
import type { CacheFigures } from '../../foundation/metric-families.ts';
import { steadyNowMs } from '../../foundation/clocks.ts';
import type { PublishedLink } from '../../store/template-link.ts';
import { BoundedCache } from './bounded-cache.ts';
import type { StageTimes } from '../../scheduling/stats.ts';

/** A finished picture and what its answer says about it. Shared by every answer: nobody writes to `bytes`. */
export interface Render {
  bytes: Uint8Array<ArrayBuffer>;
  format: RenderFormat;
  /** Undefined when the picture is degraded: it is then not kept, here or elsewhere. */
  etag: string | undefined;
  /** Why an image is missing from a degraded picture, in one word for the log and the metrics. */
  cause?: string;
  /** For `X-Render-Warnings`; empty when there is nothing to warn of. */
  warnings: string;
  /** How long making it took, for `Server-Timing` and the log. */
  stages: StageTimes;
  drawn: 'whole' | 'plan';
  /** When the remote images in it should be asked for again, ms since the epoch; Infinity without any. */
  freshUntilMs: number;
  /** The answers of the last template that it was a hit for, made by `answer` with the first hit. */
  hitReplies?: HitReplies;
}

/** The answers of a kept render under the links of one template, ready to be sent any number of times. */
export interface HitReplies {
  link: PublishedLink;
  ok: Reply;
  notModified: Reply;
}

/** What an entry costs beside its picture and key, bytes: 0.6 KB of objects and maps, 1.1 KB of ready answers (measured). */
const entryBytes = 2048;

/**
 * Keeps a render until more recently used ones take its space or its remote images are due. Degraded renders are not
 * stored.
 */
export class RenderCache {
  readonly #renders: BoundedCache<Render>;

  /** `nowMs` is the clock of `freshUntilMs`. */
  constructor(bytesMax: number, nowMs: () => number = steadyNowMs) {
    this.#renders = new BoundedCache({
      bytesMax,
      entryBytes: (render, key) =>
        render.bytes.byteLength + render.warnings.length + key.length + entryBytes,
      isDue: ({ freshUntilMs }) => freshUntilMs !== Infinity && freshUntilMs <= nowMs(),
    });
  }

  /** The render of `key`. */
  find(key: string): Render | undefined {
    return this.#renders.get(key);
  }

  store(key: string, render: Render): void {
    if (render.etag !== undefined) this.#renders.set(key, render);
  }

  /** For the metrics. */
  get figures(): CacheFigures {
    return this.#renders.figures;
  }
}
