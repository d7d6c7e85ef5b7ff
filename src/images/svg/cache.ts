/** Remembers the drawings of SVG layers, and what is known of SVGs that are slow or cannot be drawn, in bounded memory. */
import { LRUCache } from 'lru-cache';
import type { SourceImage } from '#wire/render-job.ts';
import type { ImageError } from '../image-error.ts';

/** A layer's drawing, and the CPU time that it took. */
export interface KeptDrawing {
  image: SourceImage;
  cpuMs: number;
}

/** Logos have some 20 KB, so that these are a thousand; what a thread draws with it keeps decoded by itself. */
const drawingsBytesMax = 32 * 1024 * 1024;
/** Entry, keys and map slots beside the bytes. */
const entryBytes = 512;

/** Creates the cache of drawings by `drawingSource`. */
export function createDrawingCache(): LRUCache<string, KeptDrawing> {
  return new LRUCache({
    maxSize: drawingsBytesMax,
    sizeCalculation: ({ image }, source) => image.bytes.byteLength + 2 * source.length + entryBytes,
  });
}

/** What earlier attempts told of an SVG. */
export interface SvgRecord {
  /** It takes at least so much CPU time. */
  cpuMs: number;
  /** It cannot be drawn. */
  error?: ImageError;
}

const recordsMax = 10_000;
/** What is told of the SVG itself stays true, but for a machine that becomes faster. */
const recordMs = 10 * 60 * 1000;
/** Of an error that passes. */
export const passingRecordMs = 10_000;

/** Creates the memory of SVGs by their digests. A hostile one costs its time once, and then nothing for as long as this lasts. */
export function createSvgRecords(): LRUCache<string, SvgRecord> {
  return new LRUCache({ max: recordsMax, ttl: recordMs });
}
