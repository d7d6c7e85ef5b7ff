/** Limits of the options of a link: the template's `linkOptions`, and the encodes that a link may choose. */
import { defaultFormat, outputFormat } from '#language/formats.ts';
import { frameCount, valueFramesFit } from '#language/animation/frames.ts';
import { renderScales } from '#wire/render-job.ts';
import type { RenderFormat, RenderJob } from '#wire/render-job.ts';
import { linkFramesMax } from '#language/limits/frame-work.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { LinkOption } from '#language/schema/access.ts';
import type { Template } from '#language/schema/template.ts';
import { AppError } from '../../foundation/errors.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';

type RenderOptions = Pick<RenderJob, 'format' | 'quality' | 'scale' | 'lang'> & { frames?: number };

/** The options of a link without options: those of the template's `output`. */
export function templateOptions(document: Template): RenderOptions {
  const format = document.output?.format ?? defaultFormat;
  return { format, quality: qualityOf(document, format), scale: 1 };
}

/**
 * The quality of a link without `_quality`. A template has one quality for all formats: one for JPEG may exceed the
 * limit of AVIF by link.
 */
export function qualityOf({ output }: Template, format: RenderFormat): number {
  const { isLossless, defaultQuality, linkLimits } = outputFormat(format);
  if (isLossless || output?.quality === undefined) return defaultQuality;
  if (linkLimits === undefined || output.format === format) return output.quality;
  return Math.min(output.quality, linkLimits.qualityMax);
}

export type OptionName = 'format' | 'quality' | 'scale' | 'lang' | 'frames';

/** Options that a template may forbid and `findLinkProblem` checks; `chooseSize` checks the size. */
const optionNames = ['format', 'quality', 'scale', 'lang', 'frames'] as const;

/** Why a link is refused, and the option that causes it. */
export interface LinkProblem {
  option: OptionName;
  error: AppError;
}

/**
 * The first option that the access of the template forbids in its links, or that makes the image too large or its
 * encode too expensive. An option that equals the template's setting counts as absent, such as `.png` for a PNG
 * template.
 */
export function findLinkProblem(
  options: RenderOptions,
  template: PublishedTemplate,
): LinkProblem | undefined {
  const { document, linkOptions } = template;
  const { width, height } = document;
  if (width * height * options.scale * options.scale > templateLimits.pixelsMax) {
    const expected = `a smaller one: this template is ${width} × ${height}, and an image has at most ${templateLimits.pixelsMax} pixels`;
    return { option: 'scale', error: badOption('_scale', expected) };
  }
  const { frames = 1, scale } = options;
  const { animationCanvasPixelsMax } = templateLimits;
  if (frames > 1 && frames * width * height * scale * scale > animationCanvasPixelsMax) {
    const option = scale > 1 ? 'scale' : 'frames';
    const expected = `a smaller one: ${frames} frames of ${width * scale} × ${height * scale} have more than ${animationCanvasPixelsMax / 1e6} megapixels`;
    return { option, error: badOption(`_${option}`, expected) };
  }
  const framesMost = frames > 1 ? linkFramesMax(document) : frames;
  if (frames > framesMost) {
    const expected = `at most ${framesMost}: each frame of this template chooses images and compares values again`;
    return { option: 'frames', error: badOption('_frames', expected) };
  }
  if (linkOptions !== undefined) {
    const templateDefaults = templateOptions(document);
    const used = {
      format: options.format !== templateDefaults.format,
      quality: options.quality !== qualityOf(document, options.format),
      scale: options.scale !== templateDefaults.scale,
      lang: options.lang !== undefined,
      frames: options.frames !== frameCount(document, options.format, false, undefined, scale),
    };
    const option = optionNames.find((name) => used[name] && !linkOptions.includes(name));
    if (option !== undefined) return { option, error: forbidden(option, linkOptions) };
  }
  const problem = encodeProblem(options, document);
  if (problem === undefined) return undefined;
  const { option, expected } = problem;
  const name = option === 'format' ? '_format or extension' : `_${option}`;
  return { option, error: badOption(name, expected) };
}

/** BAD_REQUEST for an invalid option. The message does not contain the value, which may be long. */
export function badOption(name: string, expected: string): AppError {
  return new AppError('BAD_REQUEST', `The option ${name} must be ${expected}.`, {
    reason: 'option',
  });
}

/** The largest `_scale` that links of a template may have in the template's format. */
export function linkScaleMax({
  document,
  linkOptions,
}: Pick<PublishedTemplate, 'document' | 'linkOptions'>): number {
  const templateDefaults = templateOptions(document);
  const isFree = linkOptions?.includes('scale') ?? true;
  const pixels = document.width * document.height;
  const fitting = renderScales.filter(
    (scale) =>
      pixels * scale * scale <= templateLimits.pixelsMax &&
      encodeProblem({ ...templateDefaults, scale }, document) === undefined &&
      valueFramesFit(document, scale),
  );
  return isFree ? Math.max(1, ...fitting) : 1;
}

/** An encode that is too expensive, with the option that causes it. */
export interface EncodeProblem {
  option: OptionName;
  /** Continues "must be" or "expected". */
  expected: string;
}

/**
 * Why a link may not have this encode; undefined if it may. The template's `output` at scale 1 is allowed, because it
 * was checked when the template was saved.
 */
export function encodeProblem(
  { format, quality, scale }: RenderOptions,
  document: Template,
): EncodeProblem | undefined {
  const { name, linkLimits } = outputFormat(format);
  if (linkLimits === undefined) return undefined;
  const { pixelsMax } = linkLimits;
  const templateDefaults = templateOptions(document);
  const templateQuality = templateDefaults.format === format ? templateDefaults.quality : 0;
  const qualityMax = Math.max(linkLimits.qualityMax, templateQuality);
  if (quality > qualityMax) {
    return {
      option: 'quality',
      expected: `at most ${qualityMax} for ${name}: a link chooses no more, unless the template's own output does`,
    };
  }
  const pixels = document.width * document.height * scale * scale;
  const isSaved =
    templateDefaults.format === format &&
    scale === templateDefaults.scale &&
    quality <= templateQuality;
  if (pixels <= pixelsMax || isSaved) return undefined;
  const size = `${document.width * scale} × ${document.height * scale}`;
  const limit = `${name} by link has at most ${pixelsMax / 1e6} megapixels, and this image is ${size}`;
  if (scale !== 1) return { option: 'scale', expected: `a smaller one: ${limit}` };
  return templateDefaults.format === format
    ? {
        option: 'quality',
        expected: `at most ${templateQuality}, the template's own: ${limit}`,
      }
    : { option: 'format', expected: `another one: ${limit}` };
}

/** Names of options that a link sets in two ways. */
const shownOptions: Partial<Record<LinkOption, string>> = {
  format: '_format (or an extension)',
  frames: '_frames (or _animated)',
};

/** BAD_REQUEST for an option that links of a template may not have. */
export function forbidden(name: LinkOption, allowed: readonly string[]): AppError {
  const option = shownOptions[name] ?? `_${name}`;
  const rule =
    allowed.length === 0
      ? 'links of this template take no options'
      : `links of this template take ${allowed.map((each) => `_${each}`).join(' and ')} only`;
  return new AppError(
    'BAD_REQUEST',
    `The option ${option} is not allowed: ${rule} (its "linkOptions"). Leave it out.`,
    { reason: 'option' },
  );
}
