/** Caches of assets: images for renders, and files as they were uploaded for answers. */
import { LRUCache } from 'lru-cache';
import type { SourceImage } from '#wire/render-job.ts';

/** Entries of the cache of images: at 64 KiB each they fill its bytes. */
const cacheAssetsMax = 4096;

/** Images for renders, by organization and digest. */
export function createImageCache(
  bytesMax: number,
  onEvict: () => void,
): LRUCache<string, SourceImage> {
  return new LRUCache({
    max: cacheAssetsMax,
    maxSize: bytesMax,
    sizeCalculation: (image, key) => key.length + image.bytes.byteLength,
    dispose: (_image, _key, reason) => {
      if (reason === 'evict') onEvict();
    },
  });
}

/** A file with its media type. Its bytes are never modified. */
export interface AssetFile {
  bytes: Buffer;
  type: string;
}

/** Files that are remembered without being kept. */
const sharedMax = 1024;

/**
 * Keeps files that were read last, because a read from the database takes 2 ms a megabyte with its check. One that is not
 * kept is shared as long as an answer sends it, so that a thousand readers hold one copy.
 */
export class AssetFiles {
  readonly #kept: LRUCache<string, AssetFile>;
  readonly #shared = new LRUCache<string, { bytes: WeakRef<Buffer>; type: string }>({
    max: sharedMax,
  });

  constructor(bytesMax: number) {
    this.#kept = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: (file, key) => key.length + file.bytes.byteLength,
    });
  }

  /** Bytes of the files that are kept. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  find(key: string, read: () => AssetFile | undefined): AssetFile | undefined {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const shared = this.#shared.get(key);
    const bytes = shared?.bytes.deref();
    const file =
      shared === undefined || bytes === undefined ? read() : { bytes, type: shared.type };
    if (file === undefined) return undefined;
    this.#kept.set(key, file);
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
