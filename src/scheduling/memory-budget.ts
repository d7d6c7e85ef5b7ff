/** Divides the memory that the service may use: processes first, caches from what they leave. */
import { totalmem } from 'node:os';

const mebibyte = 1024 * 1024;

/** Bytes that the caches may take. */
export interface CacheSizes {
  rendersBytesMax: number;
  /** Links that were answered, about 1,500 a mebibyte: some five for each render of 50 KB. */
  linksBytesMax: number;
  /** Base renders, in each render process. */
  plansBytesMax: number;
  /** Files of assets that were read from the database. */
  assetsBytesMax: number;
  /** Files from links, where the images' own setting says nothing else. */
  sourcesBytesMax: number;
  /** Decoded images, in each render process. */
  drawablesBytesMax: number;
  /** Image files and templates that were sent to a render process, in each. */
  partsBytesMax: number;
  /** Heap from which on V8 collects all of a render process: later saves CPU time, and lets freed pixels wait. */
  collectFromBytes: number;
}

/**
 * The process that answers, without its caches: code, heap, connections and answers on their way. Measured under the
 * mixed load of docs/operations.md.
 */
export const frontBytes = 128 * mebibyte;

/**
 * A render process without its caches: 66 MB when it starts, and what one render takes. The largest sample template
 * at scale 3 has 10.5 megapixels: 42 MB painted, and as much again read back for its encoder.
 */
export const renderProcessBytes = 192 * mebibyte;

/** The least that one render process works in. Below it the start warns. */
export const memoryBytesMin = 400 * mebibyte;

/** The least that the caches of the process that answers take together. */
const sharedCachesBytesMin = 42 * mebibyte;
/** The same of one render process. */
const processCachesBytesMin = 32 * mebibyte;

/** Render processes that fit into the memory beside the smallest caches: one a core at most, and at least one. */
export function renderProcessesFor(memoryBytes: number, cores: number): number {
  const forProcesses = memoryBytes - frontBytes - sharedCachesBytesMin;
  const fitting = Math.floor(forProcesses / (renderProcessBytes + processCachesBytesMin));
  return Math.max(1, Math.min(cores, fitting));
}

/** Sizes of the caches that are not `set`, for so many render processes in `memoryBytes`. */
export function cacheSizes(
  set: Partial<CacheSizes>,
  memoryBytes: number,
  processes: number,
): CacheSizes {
  const spareBytes = Math.max(0, memoryBytes - frontBytes - processes * renderProcessBytes);
  const sharedBytes = Math.max(0, spareBytes - processes * processCachesBytesMin);
  const rendersBytesMax = set.rendersBytesMax ?? sized(sharedBytes / 8, 16, 4096);
  const ofProcessBytes = Math.min(spareBytes / 64, spareBytes / 16 / processes);
  return {
    rendersBytesMax,
    linksBytesMax: sized(rendersBytesMax / 16, 2, 256),
    plansBytesMax: set.plansBytesMax ?? sized(ofProcessBytes, 16, 48),
    assetsBytesMax: set.assetsBytesMax ?? sized(sharedBytes / 64, 8, 256),
    sourcesBytesMax: set.sourcesBytesMax ?? sized(sharedBytes / 32, 16, 1024),
    drawablesBytesMax: set.drawablesBytesMax ?? sized(ofProcessBytes / 2, 8, 32),
    partsBytesMax: set.partsBytesMax ?? sized(ofProcessBytes / 4, 8, 16),
    collectFromBytes: sized(ofProcessBytes * 2, 24, 96),
  };
}

/** Where the memory goes at most, bytes. */
export interface MemoryBudget {
  front: number;
  frontCaches: number;
  /** All together. */
  renderProcesses: number;
  /** All together. */
  renderProcessCaches: number;
  sum: number;
}

/** The budget of a configuration. `sourcesBytesMax` is the bound of the images' cache in use. */
export function memoryBudget(caches: CacheSizes, processes: number): MemoryBudget {
  const { rendersBytesMax, linksBytesMax, assetsBytesMax, sourcesBytesMax } = caches;
  const parts = {
    front: frontBytes,
    frontCaches: rendersBytesMax + linksBytesMax + assetsBytesMax + sourcesBytesMax,
    renderProcesses: processes * renderProcessBytes,
    renderProcessCaches:
      processes * (caches.plansBytesMax + caches.drawablesBytesMax + caches.partsBytesMax),
  };
  return { ...parts, sum: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0) };
}

/** What is wrong with so much memory for a budget, in one sentence; undefined when it is enough. */
export function memoryProblem(memoryBytes: number, { sum }: MemoryBudget): string | undefined {
  if (memoryBytes < memoryBytesMin) {
    return `The service may use ${inMebibytes(memoryBytes)} of memory and needs at least ${inMebibytes(memoryBytesMin)}: large renders will fail until it has more.`;
  }
  if (sum <= memoryBytes) return undefined;
  return `These settings need ${inMebibytes(sum)} of memory and there are ${inMebibytes(memoryBytes)}: set PLATEN_THREADS, PLATEN_CACHE_… and PLATEN_IMAGES_CACHE_MIB lower, or give it more.`;
}

/** Bytes that decoding may take: of one image, and of all at a time. An AVIF of 12 megapixels and 10 bits takes 330 MB. */
export function decodeLimits(memoryBytes: number): { image: number; all: number } {
  return {
    image: Math.min(340_000_000, Math.floor(memoryBytes / 4)),
    all: Math.min(1024 * mebibyte, Math.floor(memoryBytes / 4)),
  };
}

/** Whole bytes between two bounds in mebibytes. */
function sized(bytes: number, mebibytesMin: number, mebibytesMax: number): number {
  return Math.floor(Math.min(mebibytesMax * mebibyte, Math.max(mebibytesMin * mebibyte, bytes)));
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`;
}

/** Bytes that this process may use: the machine's, or what its control group leaves of them. */
export function usableMemoryBytes(): number {
  // 0 or more than there is stands for no limit (Node's documentation of `constrainedMemory`).
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
