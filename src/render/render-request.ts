/** What a render link asks for beside its values: path, version, format, quality and scale. */
import type { RenderFormat, RenderScale } from '#shared/render-job.ts';
import { renderFormats, renderScales } from '#shared/render-job.ts';
import { templateLimits } from '#shared/template-limits.ts';
import { AppError } from '../errors.ts';
import type { Query } from '../http/query.ts';
import { firstValue, parametersMax, parseQuery } from '../http/query.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import { checkLinkOptions, qualityOf, templateOptions } from './link-options.ts';

/** `{uid}` or `{uid}.{extension}` of a render link. */
export interface RenderPath {
  uid: string;
  /** The extension's format; it wins over `_format`. */
  format: RenderFormat | undefined;
}

/** How the picture is to be made. */
export interface RenderOptions {
  format: RenderFormat;
  /** 1 … 100; always 100 for PNG, which loses nothing, so that equal pictures have equal keys. */
  quality: number;
  scale: RenderScale;
}

/** The part of the template store that a render needs. */
export interface PublishedTemplates {
  findPublished(uid: string, version?: number): PublishedTemplate | undefined;
}

const pathPattern = /^([A-Za-z0-9_-]{1,64})(?:\.([A-Za-z0-9]{1,8}))?$/;

/** Formats by what links end in. */
export const formatByExtension: ReadonlyMap<string, RenderFormat> = new Map([
  ['png', 'png'],
  ['jpg', 'jpeg'],
  ['jpeg', 'jpeg'],
  ['webp', 'webp'],
  ['avif', 'avif'],
]);

const knownExtensions = [...formatByExtension.keys()]
  .map((extension) => `.${extension}`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

/** Reads the last path segment. Throws NOT_FOUND for what can be no template. */
export function parseRenderPath(segment: string): RenderPath {
  const [, uid, extension] = pathPattern.exec(segment) ?? [];
  const format = formatByExtension.get(extension?.toLowerCase() ?? '');
  if (uid === undefined) {
    throw new AppError(
      'NOT_FOUND',
      `Template not found: a link ends in the template's uid, with ${knownExtensions} if wanted.`,
      { reason: 'path' },
    );
  }
  if (extension !== undefined && format === undefined) {
    throw new AppError(
      'NOT_FOUND',
      `Templates have no .${extension} file: end the link in ${knownExtensions}, or without an extension.`,
      { reason: 'extension' },
    );
  }
  return { uid, format };
}

/** Reads the query. Throws BAD_REQUEST for one with more parameters than any template has variables. */
export function parseRenderQuery(raw: string): Query {
  const query = parseQuery(raw);
  if (query.isTruncated) {
    throw new AppError(
      'BAD_REQUEST',
      `The link has more than ${parametersMax} parameters; leave out those that the template does not use.`,
      { reason: 'query' },
    );
  }
  return query;
}

/**
 * The published version that a link draws: the newest, or the one that `_version` names. A variable of
 * the newest version that is called `_version` wins over the option. Throws NOT_FOUND, or BAD_REQUEST for
 * a `_version` that is no positive whole number.
 */
export function findTemplate(
  templates: PublishedTemplates,
  path: RenderPath,
  query: Query,
): PublishedTemplate {
  const newest = templates.findPublished(path.uid);
  if (newest === undefined) {
    throw new AppError('NOT_FOUND', `Template not found: "${path.uid}" is not published here.`, {
      reason: 'template',
    });
  }
  const text = optionText(query, '_version', newest);
  if (text === undefined) return newest;
  // The head's limit bounds the digits; a number beyond all versions is one that does not exist.
  const version = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  if (version === undefined) {
    throw badOption('_version', 'a published version number: 1, 2, 3 …');
  }
  const pinned = Number.isSafeInteger(version)
    ? templates.findPublished(path.uid, version)
    : undefined;
  if (pinned === undefined) {
    throw new AppError(
      'NOT_FOUND',
      `Template not found: "${path.uid}" has no published version ${version}.`,
      { reason: 'version' },
    );
  }
  return pinned;
}

/**
 * Resolves `_format`, `_quality` and `_scale` over the template's settings and the defaults; a variable of
 * the same name wins. Throws BAD_REQUEST that names the option, also for one that the template forbids.
 */
export function resolveOptions(
  path: RenderPath,
  query: Query,
  template: PublishedTemplate,
): RenderOptions {
  const { document } = template;
  const own = templateOptions(document);
  const format = path.format ?? parseFormat(optionText(query, '_format', template)) ?? own.format;
  const quality = parseQuality(optionText(query, '_quality', template));
  const scale = parseScale(optionText(query, '_scale', template));
  if (document.width * document.height * scale * scale > templateLimits.pixelsMax) {
    throw badOption(
      '_scale',
      `a smaller one: this template is ${document.width} × ${document.height}, and an image has at most ${templateLimits.pixelsMax} pixels`,
    );
  }
  const options: RenderOptions = {
    format,
    // PNG loses nothing: what a link asks for changes no pixel.
    quality: (format === 'png' ? undefined : quality) ?? qualityOf(document, format),
    scale,
  };
  checkLinkOptions(options, template);
  return options;
}

/** The options of a template's default picture. */
export function defaultOptions(path: RenderPath, template: PublishedTemplate): RenderOptions {
  return resolveOptions(path, { parameters: [], isTruncated: false }, template);
}

function optionText(query: Query, name: string, template: PublishedTemplate): string | undefined {
  if (template.variables.has(name)) return undefined;
  const text = firstValue(query, name)?.trim();
  return text === '' ? undefined : text;
}

function parseFormat(text: string | undefined): RenderFormat | undefined {
  if (text === undefined) return undefined;
  const format = formatByExtension.get(text.toLowerCase());
  if (format === undefined) throw badOption('_format', `one of ${renderFormats.join(', ')}`);
  return format;
}

function parseQuality(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const quality = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (quality < 1 || quality > 100) throw badOption('_quality', 'a whole number from 1 to 100');
  return quality;
}

function parseScale(text: string | undefined): RenderScale {
  if (text === undefined) return 1;
  const scale = renderScales.find((known) => String(known) === text);
  if (scale === undefined) throw badOption('_scale', `one of ${renderScales.join(', ')}`);
  return scale;
}

/** The value is not repeated: it may be long, and the caller has it. */
function badOption(name: string, expected: string): AppError {
  return new AppError('BAD_REQUEST', `The option ${name} must be ${expected}.`, {
    reason: 'option',
  });
}
