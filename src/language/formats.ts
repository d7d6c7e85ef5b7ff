/** The output formats, one row each: whatever lists formats or asks for a property of one reads it here. */
import { renderFormats } from '#wire/render-job.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import { templateLimits } from './limits/template-limits.ts';

/** What the service knows of an output format. */
interface OutputFormat {
  /** For people. */
  name: string;
  mediaType: string;
  /** Extensions of links and files, all of them names of the format in options, too. The service writes the first. */
  extensions: readonly [string, ...string[]];
  /** Quality where text edges stay clean at 96 dpi and files stay small; a template or a link may say otherwise. */
  defaultQuality: number;
  /** Quality changes no pixel: links and previews ignore it. */
  isLossless: boolean;
  hasAlpha: boolean;
  /** Files can be spliced from bands, so that a render encodes what changed and nothing else. */
  isIncremental: boolean;
  /** Whether a file may have several frames; `always` where a link need not ask for them. */
  animates: 'always' | 'asked' | 'never';
  /** What a link may choose for a template whose `output` does not; absent: as much as any render may have. */
  linkLimits?: { pixelsMax: number; qualityMax: number };
  /**
   * Milliseconds of a render at scale 1 as long as nothing is known of the organization's renders in the format: a
   * banner of 1200 × 630 with one text changed, on a core of 2020.
   */
  firstMs: number;
  /**
   * Upper bound of the encoder's processor milliseconds a megapixel at a quality of 1 … 100, without sharp colour, for
   * noise in all four channels; for PNG random black and white. Measured by `bench/stages/encode-cost.ts`.
   */
  megapixelMs: (quality: number) => number;
  /** An encode takes longer than an editor may wait: the studio edits in PNG, which has the same pixels. */
  isSlow: boolean;
}

/** The rows. */
export const outputFormats = {
  png: {
    name: 'PNG',
    mediaType: 'image/png',
    extensions: ['png'],
    defaultQuality: 100,
    isLossless: true,
    hasAlpha: true,
    isIncremental: true,
    animates: 'asked',
    firstMs: 10,
    megapixelMs: () => 100,
    isSlow: false,
  },
  jpeg: {
    name: 'JPEG',
    mediaType: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    defaultQuality: 85,
    isLossless: false,
    hasAlpha: false,
    isIncremental: true,
    animates: 'never',
    firstMs: 5,
    // Noise in full colour resolution takes no longer.
    megapixelMs: () => 85,
    isSlow: false,
  },
  webp: {
    name: 'WebP',
    mediaType: 'image/webp',
    extensions: ['webp'],
    defaultQuality: 82,
    isLossless: false,
    hasAlpha: true,
    isIncremental: false,
    animates: 'asked',
    linkLimits: { pixelsMax: templateLimits.linkWebpPixelsMax, qualityMax: 100 },
    firstMs: 40,
    megapixelMs: (quality) => 105 + 1.75 * quality,
    isSlow: true,
  },
  avif: {
    name: 'AVIF',
    mediaType: 'image/avif',
    extensions: ['avif'],
    defaultQuality: 60,
    isLossless: false,
    hasAlpha: true,
    isIncremental: false,
    animates: 'never',
    linkLimits: {
      pixelsMax: templateLimits.linkAvifPixelsMax,
      qualityMax: templateLimits.linkAvifQualityMax,
    },
    firstMs: 60,
    // Above 80 the encoder keeps noise that it drops below.
    megapixelMs: (quality) => 80 + 3.6 * quality + 17.5 * Math.max(0, quality - 80),
    isSlow: true,
  },
  gif: {
    name: 'GIF',
    mediaType: 'image/gif',
    extensions: ['gif'],
    // The colours that fit into the table are exact, and quality has no part in it.
    defaultQuality: 100,
    isLossless: true,
    hasAlpha: true,
    isIncremental: false,
    animates: 'always',
    linkLimits: { pixelsMax: templateLimits.linkGifPixelsMax, qualityMax: 100 },
    firstMs: 60,
    // Most of it is the search for the colours of noise.
    megapixelMs: () => 400,
    isSlow: true,
  },
} as const satisfies Record<RenderFormat, OutputFormat>;

/** The format of a template without `output`. */
export const defaultFormat = 'png' satisfies RenderFormat;

/** A format as links and options name it: by one of its extensions. */
export type FormatName = (typeof outputFormats)[RenderFormat]['extensions'][number];

/** Formats whose files can be spliced from bands. */
export type IncrementalFormat = {
  [Format in RenderFormat]: (typeof outputFormats)[Format]['isIncremental'] extends true
    ? Format
    : never;
}[RenderFormat];

/** Formats whose files may have several frames. */
export type AnimatedFormat = {
  [Format in RenderFormat]: (typeof outputFormats)[Format]['animates'] extends 'never'
    ? never
    : Format;
}[RenderFormat];

/** Whether a file of the format may have several frames. */
export function isAnimated(format: RenderFormat): format is AnimatedFormat {
  return outputFormats[format].animates !== 'never';
}

/** A format's row, as any format may have it. */
export function outputFormat(format: RenderFormat): OutputFormat {
  return outputFormats[format];
}

/** The extension that the service writes, without a dot. */
export function extensionOf(format: RenderFormat): string {
  return outputFormats[format].extensions[0];
}

/** Formats by their names in links and options. */
export const formatByName: ReadonlyMap<string, RenderFormat> = new Map(
  renderFormats.flatMap((format) => outputFormats[format].extensions.map((name) => [name, format])),
);

/** All names, in the order of the formats: png, jpg, jpeg … */
export const formatNames: readonly FormatName[] = renderFormats.flatMap(
  (format) => outputFormats[format].extensions,
);

/** Puts words into a sentence: `png, jpeg or webp`. */
export function eitherOf(words: readonly string[]): string {
  return words.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}
