/** What a link may ask for beside its values: the template's `linkOptions`, and encodes that a link may choose. */
import { defaultQuality } from '#shared/encode-cost.ts';
import { renderScales } from '#shared/render-job.ts';
import type { RenderFormat, RenderJob } from '#shared/render-job.ts';
import { templateLimits } from '#shared/template-limits.ts';
import type { Template } from '#shared/template-schema.ts';
import { AppError } from '../errors.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';

/** How a file is made. */
type RenderOptions = Pick<RenderJob, 'format' | 'quality' | 'scale'>;

/** The options of a link that has none: what the template says of its own file. */
export function templateOptions(document: Template): RenderOptions {
  const format = document.output?.format ?? 'png';
  return { format, quality: qualityOf(document, format), scale: 1 };
}

/**
 * The quality of a link without `_quality`. A template has one number for all formats: chosen for JPEG, it may be
 * more than AVIF gets by link.
 */
export function qualityOf({ output }: Template, format: RenderFormat): number {
  if (format === 'png' || output?.quality === undefined) return defaultQuality[format];
  if (format !== 'avif' || output.format === 'avif') return output.quality;
  return Math.min(output.quality, templateLimits.linkAvifQualityMax);
}

/**
 * Throws BAD_REQUEST for an option that the template's newest version forbids in its links, or that makes an encode too
 * expensive. An option that only repeats what the template says counts as absent, and so does `.png` of a PNG template.
 */
export function checkLinkOptions(options: RenderOptions, template: PublishedTemplate): void {
  const { document, linkOptions } = template;
  if (linkOptions !== undefined) {
    const own = templateOptions(document);
    const used = {
      format: options.format !== own.format,
      quality: options.quality !== qualityOf(document, options.format),
      scale: options.scale !== own.scale,
    };
    for (const name of ['format', 'quality', 'scale'] as const) {
      if (used[name] && !linkOptions.includes(name)) throw forbidden(name, linkOptions);
    }
  }
  const problem = encodeProblem(options, document);
  if (problem !== undefined) {
    const name = problem.option === 'format' ? '_format or extension' : `_${problem.option}`;
    throw new AppError('BAD_REQUEST', `The option ${name} must be ${problem.expected}.`, {
      reason: 'option',
    });
  }
}

/** The largest `_scale` that links of a template may ask for, in its own format. */
export function linkScaleMax({
  document,
  linkOptions,
}: Pick<PublishedTemplate, 'document' | 'linkOptions'>): number {
  const own = templateOptions(document);
  const isFree = linkOptions?.includes('scale') ?? true;
  const pixels = document.width * document.height;
  const fitting = renderScales.filter(
    (scale) =>
      pixels * scale * scale <= templateLimits.pixelsMax &&
      encodeProblem({ ...own, scale }, document) === undefined,
  );
  return isFree ? Math.max(1, ...fitting) : 1;
}

/** An encode that takes too long, by the option that makes it so. */
export interface EncodeProblem {
  option: 'format' | 'quality' | 'scale';
  /** Continues "must be" or "expected". */
  expected: string;
}

/**
 * Why a caller may not have this encode; undefined where it may. What the template itself chooses in its `output`, at its
 * own size, was judged when it was saved.
 */
export function encodeProblem(
  { format, quality, scale }: RenderOptions,
  document: Template,
): EncodeProblem | undefined {
  if (format !== 'avif' && format !== 'webp') return undefined;
  const { linkAvifPixelsMax, linkAvifQualityMax, linkWebpPixelsMax } = templateLimits;
  const own = templateOptions(document);
  const ownQuality = own.format === format ? own.quality : 0;
  const qualityMax = Math.max(linkAvifQualityMax, ownQuality);
  if (format === 'avif' && quality > qualityMax) {
    return {
      option: 'quality',
      expected: `at most ${qualityMax} for AVIF: a link chooses no more, unless the template's own output does`,
    };
  }
  const pixelsMax = format === 'avif' ? linkAvifPixelsMax : linkWebpPixelsMax;
  const pixels = document.width * document.height * scale * scale;
  const isOwn = own.format === format && scale === own.scale && quality <= ownQuality;
  if (pixels <= pixelsMax || isOwn) return undefined;
  const name = format === 'avif' ? 'AVIF' : 'WebP';
  const size = `${document.width * scale} × ${document.height * scale}`;
  const limit = `${name} by link has at most ${pixelsMax / 1e6} megapixels, and this image is ${size}`;
  return scale === 1
    ? { option: 'format', expected: `another one: ${limit}` }
    : { option: 'scale', expected: `a smaller one: ${limit}` };
}

function forbidden(name: string, allowed: readonly string[]): AppError {
  const option = name === 'format' ? '_format (or an extension)' : `_${name}`;
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
