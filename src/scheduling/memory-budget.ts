/** Divides the memory that the service may use: processes first, caches from the rest. */
import { totalmem } from 'node:os';

const mebibyte = 1024 * 1024;

/** Maximum bytes of the caches. */
export interface CacheSizes {
  rendersBytesMax: number;
  /** Aliases of answered links, about 1,500 a MiB: some five for each render of 50 KB. */
  linksBytesMax: number;
  /** Base renders, in each render thread. */
  baseRendersBytesMax: number;
  /** Files of assets read from the database. */
  assetsBytesMax: number;
  /** Files from links. */
  sourcesBytesMax: number;
  /** Decoded images, in each render thread. */
  drawablesBytesMax: number;
  /** Image files and templates sent to a render thread, in each thread. */
  partsBytesMax: number;
  /**
   * Heap size from which V8 collects the whole heap of a render thread: a higher value saves CPU time, and keeps freed
   * pixels longer.
   */
  collectFromBytes: number;
}

/**
 * The main process without its caches: code, heap, connections and responses in progress. Measured under the mixed load
 * of docs/operations.md.
 */
export const frontBytes = 128 * mebibyte;

/**
 * A render thread without its caches: 66 MB at its start, and the memory of one render. The largest sample template at
 * scale 3 has 10.5 megapixels: 42 MB painted, and as much again read back for its encoder.
 */
export const renderProcessBytes = 192 * mebibyte;

/** The minimum for one render thread. Below it the service logs a warning at its start. */
export const memoryBytesMin = 400 * mebibyte;

/** Minimum of the caches of the main process together. */
const sharedCachesBytesMin = 42 * mebibyte;
/** Minimum of the caches of one render thread together. */
const processCachesBytesMin = 32 * mebibyte;

/**
 * Returns the number of render threads that fit into the memory beside the smallest caches: at most one a core, and
 * at least one.
 */
export function renderProcessesFor(memoryBytes: number, cores: number): number {
  const forProcesses = memoryBytes - frontBytes - sharedCachesBytesMin;
  const fitting = Math.floor(forProcesses / (renderProcessBytes + processCachesBytesMin));
  return Math.max(1, Math.min(cores, fitting));
}

/** Returns the sizes of the caches without a `set` value, for this many render threads in `memoryBytes`. */
export function cacheSizes(
  set: Partial<Pick<CacheSizes, 'rendersBytesMax' | 'baseRendersBytesMax'>>,
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
    baseRendersBytesMax: set.baseRendersBytesMax ?? sized(ofProcessBytes, 16, 48),
    assetsBytesMax: sized(sharedBytes / 64, 8, 256),
    sourcesBytesMax: sized(sharedBytes / 32, 16, 1024),
    drawablesBytesMax: sized(ofProcessBytes / 2, 8, 32),
    partsBytesMax: sized(ofProcessBytes / 4, 8, 16),
    collectFromBytes: sized(ofProcessBytes * 2, 24, 96),
  };
}

/** Upper bounds of the parts of the memory, in bytes. */
export interface MemoryBudget {
  front: number;
  frontCaches: number;
  /** All processes together. */
  renderProcesses: number;
  /** All processes together. */
  renderProcessCaches: number;
  sum: number;
}

/** Returns the budget of a configuration. */
export function memoryBudget(caches: CacheSizes, processes: number): MemoryBudget {
  const { rendersBytesMax, linksBytesMax, assetsBytesMax, sourcesBytesMax } = caches;
  const parts = {
    front: frontBytes,
    frontCaches: rendersBytesMax + linksBytesMax + assetsBytesMax + sourcesBytesMax,
    renderProcesses: processes * renderProcessBytes,
    renderProcessCaches:
      processes * (caches.baseRendersBytesMax + caches.drawablesBytesMax + caches.partsBytesMax),
  };
  return { ...parts, sum: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0) };
}

/** Returns a sentence if the memory is not sufficient for the budget, else undefined. */
export function memoryProblem(memoryBytes: number, { sum }: MemoryBudget): string | undefined {
  if (memoryBytes < memoryBytesMin) {
    return `The service may use ${inMebibytes(memoryBytes)} of memory and needs at least ${inMebibytes(memoryBytesMin)}: large renders will fail until it has more.`;
  }
  if (sum <= memoryBytes) return undefined;
  return `These settings need ${inMebibytes(sum)} of memory and there are ${inMebibytes(memoryBytes)}: set PLATEN_THREADS and PLATEN_CACHE_… lower, or give it more.`;
}

/** Bytes of answers that clients have not read yet, in all connections; a part of `frontBytes`. */
export function unreadBytesMax(memoryBytes: number): number {
  return sized(memoryBytes / 16, 32, 256);
}

/** Maximum bytes of decoding: of one image, and of all at a time. An AVIF of 12 megapixels and 10 bits takes 330 MB. */
export function decodeLimits(memoryBytes: number): { image: number; all: number } {
  return {
    image: Math.min(340_000_000, Math.floor(memoryBytes / 4)),
    all: Math.min(1024 * mebibyte, Math.floor(memoryBytes / 4)),
  };
}

/** Whole bytes, clamped to bounds in MiB. */
function sized(bytes: number, mebibytesMin: number, mebibytesMax: number): number {
  return Math.floor(Math.min(mebibytesMax * mebibyte, Math.max(mebibytesMin * mebibyte, bytes)));
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`;
}

/** Bytes that this process may use: those of the machine, or the limit of its control group if that is less. */
export function usableMemoryBytes(): number {
  // 0, or more than the machine has, means no limit (Node's documentation of `constrainedMemory`).
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
