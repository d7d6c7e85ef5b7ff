/** The settings of the caches, and their sizes by the memory of the machine. */
import { totalmem } from 'node:os';
import { Type } from '#shared/schema-types.ts';

const mebibyte = 1024 * 1024;

/** Sizes that are not set follow the memory, as `cacheSizes` says. */
export const cacheSchema = Type.Object({
  rendersBytesMax: Type.Optional(
    Type.Integer({
      env: 'PLATEN_CACHE_RENDERS_MB',
      minimum: 1,
      maximum: 65_536,
      factor: mebibyte,
      expected: 'mebibytes from 1 to 65536',
      description:
        'Memory for finished renders. Default: an eighth of the memory that the process may use, from 64 to 4096; the rest is for the threads, for fetched images and for peaks.',
    }),
  ),
  linksBytesMax: Type.Optional(
    Type.Integer({
      env: 'PLATEN_CACHE_LINKS_MB',
      minimum: 1,
      maximum: 4096,
      factor: mebibyte,
      expected: 'mebibytes from 1 to 4096',
      description:
        'Memory for links that were answered, about 1,500 a mebibyte, so that they need not be read again. Default: a sixteenth of that for renders, from 8 to 256: some five links for each picture of 50 KB.',
    }),
  ),
  plansBytesMax: Type.Optional(
    Type.Integer({
      env: 'PLATEN_CACHE_PLANS_MB',
      minimum: 1,
      maximum: 65_536,
      factor: mebibyte,
      expected: 'mebibytes from 1 to 65536',
      description:
        'Memory of each thread for plans: templates made ready, 4 to 10 mebibytes each at 1200 × 630. Default: a 128th of the memory that the process may use, at most a 32nd over all threads, from 32 to 256.',
    }),
  ),
});

/** Bytes that the caches may take. */
export interface CacheSizes {
  rendersBytesMax: number;
  linksBytesMax: number;
  /** In each thread. */
  plansBytesMax: number;
  /** Files of assets that were read from the database. */
  assetsBytesMax: number;
  /** Files from links, where the images' own setting says nothing else. */
  sourcesBytesMax: number;
}

/** Fills in what is not set, for a process with so many render threads that may use `memoryBytes`. */
export function cacheSizes(
  set: Partial<CacheSizes>,
  memoryBytes: number,
  threads: number,
): CacheSizes {
  const rendersBytesMax =
    set.rendersBytesMax ?? clamp(memoryBytes / 8, 64 * mebibyte, 4096 * mebibyte);
  const linksBytesMax =
    set.linksBytesMax ?? clamp(rendersBytesMax / 16, 8 * mebibyte, 256 * mebibyte);
  const plansBytesMax =
    set.plansBytesMax ??
    clamp(Math.min(memoryBytes / 128, memoryBytes / 32 / threads), 32 * mebibyte, 256 * mebibyte);
  const assetsBytesMax = clamp(memoryBytes / 64, 32 * mebibyte, 256 * mebibyte);
  const sourcesBytesMax = clamp(memoryBytes / 32, 32 * mebibyte, 1024 * mebibyte);
  return { rendersBytesMax, linksBytesMax, plansBytesMax, assetsBytesMax, sourcesBytesMax };
}

/** Bytes that this process may use: the machine's, or what its control group leaves of them. */
export function usableMemoryBytes(): number {
  // 0 or more than there is stands for no limit (Node's documentation of `constrainedMemory`).
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function clamp(bytes: number, bytesMin: number, bytesMax: number): number {
  return Math.floor(Math.min(bytesMax, Math.max(bytesMin, bytes)));
}
