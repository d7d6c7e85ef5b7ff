/** Caches assets: images for renders, and uploaded files for answers. */
import { LRUCache } from 'lru-cache';
import type { SourceImage } from '#wire/render-job.ts';
import { SharedCache } from '../../foundation/shared-cache.ts';

/** Maximum number of cached images. At 64 KiB each they fill the cache's bytes. */
const cacheAssetsMax = 4096;

/** Creates the cache of images for renders, by organization and digest. */
export function createImageCache(bytesMax: number, onEvict: () => void): SharedCache<SourceImage> {
  return new SharedCache({
    sizeMax: bytesMax,
    sizeOf: ({ bytes }, key) =>
      Math.max(Math.floor(bytesMax / cacheAssetsMax), key.length + bytes.byteLength),
    onRemoved: (_image, isEvicted) => {
      if (isEvicted) onEvict();
    },
  });
}

/** A file with its media type. Its bytes are never modified. */
export interface AssetFile {
  bytes: Buffer;
  type: string;
}

/** Maximum number of files with a weak reference. */
const sharedMax = 1024;

/**
 * Keeps the files read last, because reading and checking a file from the database takes 2 ms per MB. A file that is
 * not kept is shared while an answer sends it, so that a thousand readers use one copy.
 */
export class AssetFiles {
  readonly #kept: SharedCache<AssetFile>;
  readonly #shared = new LRUCache<string, { bytes: WeakRef<Buffer>; type: string }>({
    max: sharedMax,
  });

  constructor(bytesMax: number) {
    this.#kept = new SharedCache({
      sizeMax: bytesMax,
      sizeOf: (file, key) => key.length + file.bytes.byteLength,
    });
  }

  /** Size of the kept files in bytes. */
  get bytes(): number {
    return this.#kept.size;
  }

  find(
    organizationUid: string,
    key: string,
    read: () => AssetFile | undefined,
  ): AssetFile | undefined {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const shared = this.#shared.get(key);
    const bytes = shared?.bytes.deref();
    const file =
      shared === undefined || bytes === undefined ? read() : { bytes, type: shared.type };
    if (file === undefined) return undefined;
    this.#kept.set(organizationUid, key, file);
    this.#shared.set(key, { bytes: new WeakRef(file.bytes), type: file.type });
    return file;
  }

  delete(key: string): void {
    this.#kept.delete(key);
    this.#shared.delete(key);
  }

  clear(): void {
    this.#kept.clear();
    this.#shared.clear();
  }
}
