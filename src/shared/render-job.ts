/** The wire between the threads: what the main thread asks of a worker, and what comes back. Plain data only. */

/** Image file formats that a render can be sent in. */
export const renderFormats = ['png', 'jpeg', 'webp', 'avif'] as const;
export type RenderFormat = (typeof renderFormats)[number];

/** Device pixels per design pixel that a link may ask for (contract section 1, `_scale`). */
export const renderScales = [1, 2, 3] as const;
export type RenderScale = (typeof renderScales)[number];

/** Image file formats that a source may have, told by magic bytes, never by a content type. */
export const sourceFormats = ['png', 'jpeg', 'webp', 'gif', 'bmp', 'avif', 'tiff', 'ico'] as const;
export type SourceFormat = (typeof sourceFormats)[number];

/**
 * One image file, as fetched or as stored, with what its header says.
 *
 * `bytes` is shared memory: every job that draws the image carries the same buffer, nobody writes
 * to it, and it is freed when the last holder drops it. `widthPx` and `heightPx` are as the file
 * stores them, before an EXIF turn; `orientation` is the EXIF value 1 … 8 (1 when absent).
 * `digest` is a SHA-256 in lower-case hexadecimal, of the bytes or of the SVG that they are a drawing of:
 * equal digests are equal pictures. `pixelRatio` is the pixels for one design pixel, when that is not 1: an
 * SVG is drawn larger than it says it is, so that it stays sharp. `decodeBytes` is the memory that decoding
 * takes, as estimated from the header; absent for assets, of which only the sides are kept.
 */
export interface SourceImage {
  digest: string;
  format: SourceFormat;
  widthPx: number;
  heightPx: number;
  orientation: number;
  pixelRatio?: number;
  decodeBytes?: number;
  bytes: Uint8Array<SharedArrayBuffer>;
}

/**
 * One render, complete: a worker needs nothing else and looks nothing up.
 *
 * `templateKey` names an immutable document; a worker parses `templateJson` once per key.
 * `values` holds every text-like variable's resolved value as pairs (a designer may name a variable
 * `__proto__`); `images` maps each image source that the template draws with these values, exactly
 * as written after binding (`asset:…`, `https://…`), to its file.
 */
export interface RenderJob {
  templateKey: string;
  templateJson: string;
  values: [name: string, value: string][];
  images: [source: string, image: SourceImage][];
  format: RenderFormat;
  /** 1 … 100, for the formats that lose; PNG ignores it. */
  quality: number;
  scale: RenderScale;
  /** The thread makes its plan of the template now, instead of when it is asked for a second picture of it. */
  plansNow?: boolean;
}

/** Something about a delivered render that its designer should know, such as text that does not fit. */
export interface RenderWarning {
  code:
    | 'TEXT_OVERFLOWS'
    | 'TEXT_TRUNCATED'
    | 'GLYPH_MISSING'
    | 'FONT_MISSING'
    | 'AXIS_MISSING'
    | 'IMAGE_FAILED'
    | 'VALUE_OUT_OF_RANGE'
    | 'CODE_FAILED'
    | 'CODE_TOO_SMALL'
    | 'SVG_FAILED'
    | 'LAYER_SKIPPED';
  /** The layer's id, when one layer is concerned. */
  layer?: string;
  /** One plain sentence; printable ASCII is not promised. */
  detail: string;
}

/** Milliseconds that each stage took inside the worker, for `Server-Timing` and the metrics. */
export interface RenderTimings {
  layoutMs: number;
  decodeMs: number;
  paintMs: number;
  encodeMs: number;
}

/**
 * What a worker answers. A value, never a thrown error: errors lose class and fields between threads.
 *
 * `bytes` of a success is owned by the receiver: it was transferred, and fills its whole buffer.
 * `degraded` is true when a part of the picture is not what the template asks for (an image drawn
 * as its default or not at all), so that the answer must not be kept.
 */
export type RenderOutcome =
  | {
      ok: true;
      bytes: Uint8Array<ArrayBuffer>;
      widthPx: number;
      heightPx: number;
      degraded: boolean;
      warnings: RenderWarning[];
      timings: RenderTimings;
      /** Whether the picture was drawn whole, or only where it differs from its thread's plan. */
      drawn: 'whole' | 'plan';
    }
  | {
      ok: false;
      code: 'BAD_IMAGE' | 'INTERNAL';
      /** For `BAD_IMAGE`: what is wrong, to follow the image's name in a sentence (`is damaged: …`). */
      detail: string;
      /** For `BAD_IMAGE`: the image source, as in `RenderJob.images`. */
      source?: string;
      layer?: string;
    };
