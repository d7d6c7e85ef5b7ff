/** The wire between the service and its render hosts: a job and its outcome, as plain data. */
import type { OrganizationFontFile } from './font-facts.ts';
import type { RenderMoment } from './render-moment.ts';

/** Output formats of renders. */
export const renderFormats = ['png', 'jpeg', 'webp', 'avif', 'gif'] as const;
export type RenderFormat = (typeof renderFormats)[number];

/** Device pixels per design pixel, for `_scale`. */
export const renderScales = [1, 2, 3] as const;
export type RenderScale = (typeof renderScales)[number];

/** Device pixels per design pixel of previews that are shown smaller than they are. */
export const previewScales = [0.125, 0.25, 0.5] as const;
export type JobScale = RenderScale | (typeof previewScales)[number];

/** Formats of source images, detected by magic bytes, never by a content type. */
export const sourceFormats = ['png', 'jpeg', 'webp', 'gif', 'bmp', 'avif', 'tiff', 'ico'] as const;
export type SourceFormat = (typeof sourceFormats)[number];

/**
 * One image file, fetched or stored, with the facts of its header.
 *
 * `bytes` is read-only: every job with the image has the same buffer. `widthPx` and `heightPx` are those of the file,
 * before the EXIF rotation; `orientation` is the EXIF value 1 … 8 (1 if absent). `digest` is a SHA-256 in lower-case
 * hexadecimal, of the bytes or of the SVG of a drawing: equal digests are equal images. `pixelRatio` is the pixels for
 * one design pixel, if not 1: an SVG is drawn larger than its size, so that it stays sharp. `decodeBytes` is the
 * estimated memory of decoding besides the resulting image; absent for assets, which store only the sides.
 */
export interface SourceImage {
  digest: string;
  format: SourceFormat;
  widthPx: number;
  heightPx: number;
  orientation: number;
  pixelRatio?: number;
  /** The image is the drawing of an SVG with `foreignObject`, whose HTML is not drawn. */
  hasForeignObject?: true;
  decodeBytes?: number;
  bytes: Uint8Array;
}

/**
 * A font family of an organization. Templates use `name`, case-insensitive. Render hosts use `alias`, which
 * names the organization and the files: equal aliases draw equal pixels.
 */
export interface OrganizationFontFamily {
  name: string;
  alias: string;
  files: OrganizationFontFile[];
}

/** Prefix of every alias; no family name of a template may begin with it. */
export const organizationFontPrefix = 'own-font:';

/** One frame of an animation: the values and times that replace those of its job, and its duration. */
export interface JobFrame {
  delayMs: number;
  timeMs?: number;
  /** Milliseconds since the start of the template's motion. */
  motionMs?: number;
  values?: Readonly<Record<string, string>>;
}

/**
 * One complete render: a worker needs no other data.
 *
 * `templateKey` names an immutable document; a worker parses `templateJson` once per key. `values` has the resolved
 * value of every variable, in the template's order. `images` maps each image source that the template draws with them
 * to its file, as written after binding (`asset:…`, `https://…`), and each drawing of SVG layers by `drawingSource`.
 */
export interface RenderJob extends RenderMoment {
  templateKey: string;
  templateJson: string;
  values: ReadonlyMap<string, string>;
  images: [source: string, image: SourceImage][];
  format: RenderFormat;
  /** 1 … 100, for lossy formats; PNG ignores it. */
  quality: number;
  scale: JobScale;
  /** The language of the link, in place of the document's. */
  lang?: string;
  /**
   * The frames of an animated file, at least one, and how often they play (0: without end); absent: one image. If a
   * countdown or a motion is too expensive, it has fewer frames, unless it `needsAll`.
   */
  animation?: { frames: JobFrame[]; plays: number; needsAll?: boolean };
  /** The organization's families that the template names; `templateKey` names their files, too. */
  fonts?: OrganizationFontFamily[];
  /** Template for the log, with version 0 for a draft; absent for a job of the service. Not sent to processes. */
  subject?: {
    template: string;
    version: number;
    /** Digests of the images that the values of the request name and no default of the template does. */
    callerImages?: () => string[];
  };
  /** Only these layers, by id, on a transparent background; absent: all. */
  layers?: string[];
  /** The outcome has a report of every layer. */
  wantsReport?: boolean;
  /** Whether the report measures contrasts; absent: it does. */
  hasContrast?: boolean;
  /**
   * The outcome has the proof of a row. `bytes` is set only if the file had to be made: it may exceed `fileBytesMax`,
   * or it draws an image for the first time. `more` has the values of further rows with the same images.
   */
  proof?: { fileBytesMax: number; more?: [name: string, value: string][][] };
  /**
   * `bytes` is a PDF in place of an image file: one page, with one point for each device pixel. `scale` is the
   * resolution of raster parts; `format` and `quality` are ignored.
   */
  pdf?: true;
  /** Make a base render with this job; absent: with the template's second job. An `unkept` one serves only this job. */
  makesBaseRender?: boolean | 'unkept';
  /** Failed drawings by their sources, each with its problem: `takes longer than 2 s to draw, the limit`. */
  svgProblems?: [source: string, problem: string][];
  /** CPU time of the image before this job: its drawings and earlier rounds; absent: 0. */
  spentMs?: number;
  /** CPU time that the image may take; absent: `renderMsMax` of `templateLimits`. */
  msMax?: number;
}

/** The request for the drawing of an SVG layer: markup from its root on, without comments, and its exact size. */
export type SvgDrawing = Pick<SourceImage, 'widthPx' | 'heightPx'> & { svg: string };

/** Codes of warnings; `docs/api.md` has a row for each. */
export const warningCodes = [
  'TEXT_OVERFLOWS',
  'TEXT_TRUNCATED',
  'GLYPH_MISSING',
  'FONT_MISSING',
  'AXIS_MISSING',
  'IMAGE_FAILED',
  'VALUE_OUT_OF_RANGE',
  'FORMAT_FAILED',
  'CODE_FAILED',
  'CODE_TOO_SMALL',
  'CODE_UNREADABLE',
  'SVG_FAILED',
  'SVG_UNSUPPORTED',
  'LAYER_SKIPPED',
  'LOW_CONTRAST',
  'FIRST_FRAME_EMPTY',
  'FRAMES_LEFT_OUT',
] as const;

/** A difference between a delivered render and its template, such as text that does not fit. */
export interface RenderWarning {
  code: (typeof warningCodes)[number];
  /** The layer's id, if the warning is about one layer. */
  layer?: string;
  /** One sentence, not necessarily ASCII. */
  detail: string;
  /** For `GLYPH_MISSING`: the characters, each once. */
  characters?: string[];
  /** For `LOW_CONTRAST`: the contrast that the letters need. */
  contrastMin?: number;
}

/** A rectangle in design pixels and its rotation in degrees clockwise about its centre. */
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

/** Report of one drawn layer, for designers. */
export interface LayerReport {
  id: string;
  /** The group of the layer; absent on the canvas. */
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
    /** The end of the text that is not drawn, if it is known. */
    cut?: string;
    missingGlyphs: string[];
    /** Families of the fallback order, in this order, that draw letters which the first family lacks; absent if none. */
    fallbackFonts?: string[];
    /** Least contrast of letters with their background (WCAG 2.2, 1.4.3): 1 … 21; absent without a single colour. */
    contrast?: number;
    /** The contrast that these letters need, if they have less. */
    contrastMin?: number;
  };
  image?: {
    source: string;
    /** Size of the image after the EXIF rotation, design pixels. */
    naturalWidth: number;
    naturalHeight: number;
    /** The whole image in design pixels; it may exceed its box. */
    placed: { x: number; y: number; width: number; height: number };
    /** Drawn with more device pixels than its file has. */
    upscaled: boolean;
  };
  warnings: { code: string; detail: string }[];
}

/** Result of the proof of a row, beside its warnings. */
export interface RowProof {
  /** Texts that are smaller than designed: the font size as drawn and as designed, in design pixels. */
  shrunk: { layer: string; fontSize: number; designed: number }[];
}

/** The proof of one of the further rows of a job; `fileBytes` is 0 where no file was made. */
export interface ProvedRow {
  proof: RowProof;
  warnings: RenderWarning[];
  fileBytes: number;
}

/** Milliseconds of each stage in the worker, for `Server-Timing` and the metrics. */
export interface RenderTimings {
  layoutMs: number;
  decodeMs: number;
  paintMs: number;
  encodeMs: number;
}

/** Figures of base renders in one job, for the metrics. */
export interface BaseRenderFigures {
  /** Milliseconds of making a base render, if the job made one. */
  buildMs?: number;
  /** Whether it was kept; false if a part of the template cannot be drawn, or the base render is too large. */
  isKept?: boolean;
  /** Damaged share of the image's pixels, 0 to 1, for an image over a base render. */
  damageRatio?: number;
}

/**
 * The outcome of a job. A value, never a thrown error: errors lose class and fields on the wire.
 *
 * The receiver owns `bytes` of a success, which fills its whole buffer. `degraded` is true if a part of the image
 * differs from its template (an image drawn as its default or not at all), so that the answer must not be cached.
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
      /** CPU time of the job in all threads; absent if it was not measured. */
      cpuMs?: number;
      /** `whole`: from scratch; `plan`: over a base render. */
      drawn: 'whole' | 'plan';
      baseRender: BaseRenderFigures;
      /** In paint order, groups before their layers; if the job has `wantsReport`. */
      report?: LayerReport[];
      /** If the job has `proof`. */
      proof?: RowProof;
      /** Proofs of the further rows of `proof`; null for a row that needs a separate job. */
      moreProofs?: (ProvedRow | null)[];
    }
  | {
      ok: false;
      /**
       * `TOO_EXPENSIVE`: by counts, which are the same at every moment. `TOO_SLOW`: by the measured CPU time.
       * `FONT_LOST`: the file of an organization's font is missing or damaged, and was not used.
       */
      code: 'BAD_IMAGE' | 'TOO_EXPENSIVE' | 'TOO_SLOW' | 'FONT_LOST' | 'INTERNAL';
      /**
       * For `BAD_IMAGE`: the problem, as the end of a sentence after the image's name (`is damaged: …`). For
       * `TOO_EXPENSIVE` and `TOO_SLOW`: the cost, as the end of a sentence after "The image"; `layer` is the most
       * expensive one.
       */
      detail: string;
      /** For `BAD_IMAGE`: the image source, as in `RenderJob.images`. */
      source?: string;
      layer?: string;
      cpuMs?: number;
    }
  | {
      /** The job must be run again with these drawings in `images`, or with their problems in `svgProblems`. */
      ok: false;
      code: 'NEEDS_DRAWINGS';
      detail: string;
      drawings: SvgDrawing[];
      cpuMs: number;
    };

/** The outcome of a job with all its drawings. */
export type SettledOutcome = Exclude<RenderOutcome, { code: 'NEEDS_DRAWINGS' }>;
