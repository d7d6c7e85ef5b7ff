/** The table of output formats. All code that lists formats or needs a property of one reads this table. */
import { renderFormats } from '#wire/render-job.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import { templateLimits } from './limits/template-limits.ts';

/** The properties of an output format. */
interface OutputFormat {
  /** Display name. */
  name: string;
  mediaType: string;
  /** Extensions of links and files; options also accept them as names. The service writes the first. */
  extensions: readonly [string, ...string[]];
  /** Quality at which text edges stay clean at 96 dpi and files stay small. Templates and links can override it. */
  defaultQuality: number;
  /** Whether quality changes no pixel. Links and previews then ignore it. */
  isLossless: boolean;
  hasAlpha: boolean;
  /** Whether files can be spliced from bands, so that a render encodes only the changed bands. */
  isIncremental: boolean;
  /** Whether a file may have several frames. `asked`: only if the link asks for them. */
  animates: 'always' | 'asked' | 'never';
  /**
   * Limits of a link for a template whose `output` does not set this format. Absent: only the limits of all renders.
   */
  linkLimits?: { pixelsMax: number; qualityMax: number };
  /**
   * First estimate of a render at scale 1, in ms, before the organization has renders in this format. Basis: a banner
   * of 1200 × 630 with one text changed, on a core of 2020.
   */
  firstMs: number;
  /**
   * Upper bound of the encoder's CPU time, in ms per megapixel, at a quality of 1 … 100. Without sharp colour, for
   * noise in all four channels; for PNG, random black and white. Measured by `bench/stages/encode-cost.ts`.
   */
  megapixelMs: (quality: number) => number;
  /** Whether an encode is too slow for an editor. The studio then edits in PNG, which has the same pixels. */
  isSlow: boolean;
}

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
    // Above a quality of 80, the encoder keeps noise that it drops below.
    megapixelMs: (quality) => 80 + 3.6 * quality + 17.5 * Math.max(0, quality - 80),
    isSlow: true,
  },
  gif: {
    name: 'GIF',
    mediaType: 'image/gif',
    extensions: ['gif'],
    // Colours that fit into the colour table are exact, and quality has no effect.
    defaultQuality: 100,
    isLossless: true,
    hasAlpha: true,
    isIncremental: false,
    animates: 'always',
    linkLimits: { pixelsMax: templateLimits.linkGifPixelsMax, qualityMax: 100 },
    firstMs: 60,
    // For noise, the search for a colour table takes most of this time.
    megapixelMs: () => 400,
    isSlow: true,
  },
} as const satisfies Record<RenderFormat, OutputFormat>;

/** The format of a template without `output`. */
export const defaultFormat = 'png' satisfies RenderFormat;

/** A name of a format in links and options: one of its extensions. */
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

/** The row of a format, with the type that all formats share. */
export function outputFormat(format: RenderFormat): OutputFormat {
  return outputFormats[format];
}

/** The extension of files that the service writes, without a dot. */
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

/** Joins words: `png, jpeg or webp`. */
export function eitherOf(words: readonly string[]): string {
  return words.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}
