/** Finished renders in memory, bounded in bytes. */
import { LRUCache } from 'lru-cache';
import type { RenderFormat } from '#shared/render-job.ts';

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
  /** For `Server-Timing`: how long making it took. */
  timing: string;
  /** When the remote images in it should be asked for again, ms since the epoch; Infinity without any. */
  freshUntilMs: number;
}

/** Renders kept at most: at 4 KiB each they fill a gigabyte, and smaller ones would be a strange service. */
const entriesMax = 262_144;

/** What an entry costs beside its picture and key: objects, headers, the map's own room (estimated). */
const entryBytes = 512;

/**
 * A cache that gives a render back until it is pushed out by fresher ones or its remote images are due.
 * Degraded renders are not stored.
 */
export class RenderCache {
  readonly #renders: LRUCache<string, Render>;
  readonly #nowMs: () => number;

  /** `nowMs` is the wall clock, as `freshUntilMs` is. */
  constructor(bytesMax: number, nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
    this.#renders = new LRUCache({
      max: entriesMax,
      maxSize: bytesMax,
      sizeCalculation: (render, key) =>
        render.bytes.byteLength + render.warnings.length + key.length + entryBytes,
    });
  }

  find(key: string): Render | undefined {
    const render = this.#renders.get(key);
    if (render === undefined) return undefined;
    if (render.freshUntilMs === Infinity || render.freshUntilMs > this.#nowMs()) return render;
    this.#renders.delete(key);
    return undefined;
  }

  store(key: string, render: Render): void {
    if (render.etag !== undefined) this.#renders.set(key, render);
  }

  /** Bytes in use, as counted. */
  get bytes(): number {
    return this.#renders.calculatedSize;
  }

  get entries(): number {
    return this.#renders.size;
  }
}
