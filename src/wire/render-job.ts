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
 * Nobody writes to `bytes`: every job that draws the image carries the same buffer. `widthPx` and `heightPx` are as the file
 * stores them, before an EXIF turn; `orientation` is the EXIF value 1 … 8 (1 when absent).
 * `digest` is a SHA-256 in lower-case hexadecimal, of the bytes or of the SVG that they are a drawing of:
 * equal digests are equal pictures. `pixelRatio` is the pixels for one design pixel, when that is not 1: an
 * SVG is drawn larger than it says it is, so that it stays sharp. `decodeBytes` is the memory that decoding
 * takes beside the image that results, as estimated from the header; absent for assets, of which only the sides are kept.
 */
export interface SourceImage {
  digest: string;
  format: SourceFormat;
  widthPx: number;
  heightPx: number;
  orientation: number;
  pixelRatio?: number;
  /** It is the drawing of an SVG that has HTML in it, which is not drawn. */
  hasForeignObject?: true;
  decodeBytes?: number;
  bytes: Uint8Array;
}

/** An axis of a variable font (OpenType 1.9, `fvar`), in the axis' own units. */
export interface FontAxis {
  min: number;
  max: number;
  /** Where the font stands unless it is told otherwise. */
  initial: number;
}

/** A TrueType or OpenType file of an organization's own family; it was checked when it was stored. */
export interface OwnFontFile {
  path: string;
  /** SHA-256 of the file, lower-case hexadecimal. */
  digest: string;
  sizeBytes: number;
  /** 1 … 1000; of a variable font the one it stands at. */
  weight: number;
  italic: boolean;
  axes: Record<string, FontAxis>;
}

/**
 * A font family that an organization brought itself. Templates know it as `name`, whatever the case of its
 * letters; the threads as `alias`, which names the organization and the very files: equal aliases draw alike.
 */
export interface OwnFontFamily {
  name: string;
  alias: string;
  files: OwnFontFile[];
}

/** How every alias of an own family begins; nothing that a template names may. */
export const ownFontPrefix = 'own-font:';

/**
 * One render, complete: a worker needs nothing else and looks nothing up.
 *
 * `templateKey` names an immutable document; a worker parses `templateJson` once per key.
 * `values` holds the resolved value of every variable, in the template's order; `images` maps each image source that the template draws with these values, exactly
 * as written after binding (`asset:…`, `https://…`), to its file, and each known drawing of an SVG layer by
 * `drawingSource`.
 */
export interface RenderJob {
  templateKey: string;
  templateJson: string;
  values: ReadonlyMap<string, string>;
  images: [source: string, image: SourceImage][];
  format: RenderFormat;
  /** 1 … 100, for the formats that lose; PNG ignores it. */
  quality: number;
  scale: RenderScale;
  /** Own families that the template names; `templateKey` names their files, too. */
  fonts?: OwnFontFamily[];
  /** Whose render it is, for the log; absent for a job of the service itself. A draft has version 0. Not sent to processes. */
  subject?: {
    template: string;
    version: number;
    /** Digests of the images that the caller's values name, and no default of the template does. */
    callerImages?: () => string[];
  };
  /** Only these layers, by id, on a transparent ground; absent: all. */
  layers?: string[];
  /** The outcome tells of every layer. */
  wantsReport?: boolean;
  /** The process makes a base render of the template now; absent: with the second job. */
  makesBaseRender?: boolean;
  /** Drawings that cannot be had, by their sources, each with what is wrong: `takes longer than 2 s to draw, the limit`. */
  svgProblems?: [source: string, problem: string][];
  /** CPU time that the image took before this job: its drawings and earlier rounds; absent: 0. */
  spentMs?: number;
}

/**
 * An SVG layer's drawing, which no worker makes itself: markup from its root element on, without comments, and the
 * exact size in device pixels. Its file is a PNG among `RenderJob.images`, under `drawingSource`.
 */
export interface SvgDrawing {
  svg: string;
  widthPx: number;
  heightPx: number;
}

/** What a render may warn of; `docs/api.md` has a row for each. */
export const warningCodes = [
  'TEXT_OVERFLOWS',
  'TEXT_TRUNCATED',
  'GLYPH_MISSING',
  'FONT_MISSING',
  'AXIS_MISSING',
  'IMAGE_FAILED',
  'VALUE_OUT_OF_RANGE',
  'CODE_FAILED',
  'CODE_TOO_SMALL',
  'SVG_FAILED',
  'SVG_UNSUPPORTED',
  'LAYER_SKIPPED',
  'LOW_CONTRAST',
] as const;

/** Something about a delivered render that its designer should know, such as text that does not fit. */
export interface RenderWarning {
  code: (typeof warningCodes)[number];
  /** The layer's id, when one layer is concerned. */
  layer?: string;
  /** One plain sentence; printable ASCII is not promised. */
  detail: string;
  /** Of `GLYPH_MISSING`: the characters, each once. */
  characters?: string[];
}

/** A rectangle and its turn, design pixels and degrees clockwise about its centre. */
export interface ReportBox {
  x: number;
  y: number;
  width: number;
  height: number;
  rotation: number;
}

/** One line of a text as it is drawn: its left edge and its baseline, design pixels of the canvas before rotation. */
export interface ReportLine {
  text: string;
  x: number;
  y: number;
  width: number;
}

/** What became of one drawn layer, for whoever designs it. */
export interface LayerReport {
  id: string;
  /** The group that it is in; absent for a layer of the canvas. */
  group?: string;
  type: string;
  box: ReportBox;
  text?: {
    /** As bound, before it was cut to fit. */
    text: string;
    lines: ReportLine[];
    /** After shrinking, design pixels. */
    fontSize: number;
    overflow: 'none' | 'overflows' | 'truncated';
    /** The end of the text that is not drawn, where it can be told. */
    cut?: string;
    missingGlyphs: string[];
    /** Least contrast of its letters with what is behind them (WCAG 2.2, 1.4.3): 1 … 21; absent for letters of no single colour. */
    contrast?: number;
  };
  image?: {
    source: string;
    /** As it is shown by itself, design pixels. */
    naturalWidth: number;
    naturalHeight: number;
    /** The whole picture as placed, design pixels; it may reach over its box. */
    placed: { x: number; y: number; width: number; height: number };
    /** It is drawn with more device pixels than its file has. */
    upscaled: boolean;
  };
  warnings: { code: string; detail: string }[];
}

/** Milliseconds that each stage took inside the worker, for `Server-Timing` and the metrics. */
export interface RenderTimings {
  layoutMs: number;
  decodeMs: number;
  paintMs: number;
  encodeMs: number;
}

/** Figures of base renders in one job, for the metrics. */
export interface BaseRenderFigures {
  /** Milliseconds that making a base render took, in a job that made one. */
  buildMs?: number;
  /** Whether it was kept; false when a part of the template cannot be drawn, or the base render is too large. */
  isKept?: boolean;
  /** Damaged share of the image's pixels, 0 to 1, of an image rendered over a base render. */
  damageRatio?: number;
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
      /** CPU time that the job took of all threads; absent where nobody measured it. */
      cpuMs?: number;
      /** `whole`: from scratch; `plan`: over a base render. */
      drawn: 'whole' | 'plan';
      baseRender: BaseRenderFigures;
      /** In paint order, groups before what is in them; when the job wants it. */
      report?: LayerReport[];
    }
  | {
      ok: false;
      /** `FONT_LOST`: the laid-out file of an organization's font is missing or damaged, and was not used. */
      code: 'BAD_IMAGE' | 'TOO_EXPENSIVE' | 'FONT_LOST' | 'INTERNAL';
      /**
       * For `BAD_IMAGE`: what is wrong, to follow the image's name in a sentence (`is damaged: …`). For
       * `TOO_EXPENSIVE`: what takes how much, to follow "The image"; `layer` is the most expensive one.
       */
      detail: string;
      /** For `BAD_IMAGE`: the image source, as in `RenderJob.images`. */
      source?: string;
      layer?: string;
    }
  | {
      /** The job is to be run again with these drawings among its images, or among its `svgProblems`. */
      ok: false;
      code: 'NEEDS_DRAWINGS';
      detail: string;
      drawings: SvgDrawing[];
      /** CPU time that the job took. */
      cpuMs: number;
    };

/** What a job comes to once it has the drawings that it needs. */
export type SettledOutcome = Exclude<RenderOutcome, { code: 'NEEDS_DRAWINGS' }>;
