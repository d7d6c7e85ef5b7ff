/** Reads the parts of a render link besides its values: path, version, size, format, quality, scale and language. */
import { frameCount } from '#language/animation/frames.ts';
import { renderTimeMs } from '#language/clock/clock-use.ts';
import { uidSource } from '#language/uid.ts';
import type { JobScale, RenderFormat, RenderScale } from '#wire/render-job.ts';
import type { RenderMoment } from '#wire/render-moment.ts';
import { eitherOf, formatByName, formatNames, outputFormats } from '#language/formats.ts';
import { AppError } from '../foundation/errors.ts';
import type { Query } from '../http/query.ts';
import { firstValue, parametersMax } from '../http/query.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { sizeNames, templateInSize } from '../store/template-sizes.ts';
import {
  animatedParser,
  formatParser,
  framesParser,
  langParser,
  qualityParser,
  scaleParser,
} from './link/option-parsers.ts';
import type { OptionParser } from './link/option-parsers.ts';
import {
  badOption,
  findLinkProblem,
  forbidden,
  qualityOf,
  templateOptions,
} from './link/options.ts';

/** `{uid}` or `{uid}.{extension}` of a render link. */
export interface RenderPath {
  uid: string;
  /** The format of the extension, which takes precedence over `_format`. */
  format: RenderFormat | undefined;
}

/** The resolved options of a render. */
export interface RenderOptions extends RenderMoment {
  format: RenderFormat;
  /** 1 … 100. A lossless format always has its default, so that equal images have equal keys. */
  quality: number;
  scale: JobScale;
  /** Replaces the document's language; absent if equal. */
  lang?: string;
  /** Frames of an animated file, before equal frames are merged; absent for a still image. */
  frames?: number;
  /** The first open of the contact, ms since the epoch, for an evergreen countdown that has begun. */
  startedMs?: number | undefined;
}

/** The part of the template store that a render needs. */
export interface PublishedTemplates {
  findPublished(uid: string, version?: number): PublishedTemplate | undefined;
}

const pathPattern = new RegExp(String.raw`^(${uidSource})(?:\.([A-Za-z0-9]{1,8}))?$`);

const knownExtensions = eitherOf(formatNames.map((name) => `.${name}`));

/** Reads the last path segment. Throws NOT_FOUND for an invalid uid or an unknown extension. */
export function parseRenderPath(segment: string): RenderPath {
  const [, uid, extension] = pathPattern.exec(segment) ?? [];
  const format = formatByName.get(extension?.toLowerCase() ?? '');
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

/** Throws BAD_REQUEST for a query with more parameters than any template has variables. */
export function refuseTruncated({ isTruncated }: Query): void {
  if (!isTruncated) return;
  throw new AppError(
    'BAD_REQUEST',
    `The link has more than ${parametersMax} parameters; leave out those that the template does not use.`,
    { reason: 'query' },
  );
}

/**
 * The published version for a link: the newest, or the one that `_version` names. If the newest version has a variable
 * called `_version`, the parameter sets the variable. Throws NOT_FOUND, or BAD_REQUEST for a `_version` that is no
 * positive whole number.
 */
export function findTemplate(
  templates: PublishedTemplates,
  path: RenderPath,
  query: Query,
): PublishedTemplate {
  const newest = templates.findPublished(path.uid);
  if (newest === undefined) throw notPublished(path.uid);
  const text = optionText(query, '_version', newest);
  if (text === undefined) return newest;
  // The size limit of the head bounds the digits. An unsafe integer counts as a version that does not exist.
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
 * The template in the size that `_size` names, or unchanged without `_size`. A variable of that name takes precedence.
 * Throws BAD_REQUEST for an unknown size, and if the template forbids the option.
 */
export function chooseSize(template: PublishedTemplate, query: Query): PublishedTemplate {
  const name = optionText(query, '_size', template);
  if (name === undefined) return template;
  const { linkOptions } = template;
  if (linkOptions?.includes('size') === false) throw forbidden('size', linkOptions);
  const sized = templateInSize(template, name);
  if (sized !== undefined) return sized;
  const names = sizeNames(template);
  throw badOption(
    '_size',
    names.length === 0
      ? 'left out: this template has no sizes'
      : `one of ${names.join(', ')}, or left out for the template's own width and height`,
  );
}

/** The template in the size that `_size` names; unchanged if it has no such size or forbids the option. */
export function repairSize(template: PublishedTemplate, query: Query): PublishedTemplate {
  const name = optionText(query, '_size', template);
  if (name === undefined || template.linkOptions?.includes('size') === false) return template;
  return templateInSize(template, name) ?? template;
}

/** NOT_FOUND, also for a template of another organization. */
export function notPublished(uid: string): AppError {
  return new AppError('NOT_FOUND', `Template not found: "${uid}" is not published here.`, {
    reason: 'template',
  });
}

/**
 * Resolves the options of a link, with the template's settings and the defaults for absent ones. A variable of the same
 * name takes precedence. Throws BAD_REQUEST that names the option, also for one that the template forbids.
 */
export function resolveOptions(
  path: RenderPath,
  query: Query,
  template: PublishedTemplate,
  nowMs?: number,
): RenderOptions {
  const options = completeOptions(readOptions(path, query, template, refuse), template, nowMs);
  const problem = findLinkProblem(options, template);
  if (problem !== undefined) throw problem.error;
  return options;
}

/** Resolves the options as `resolveOptions` does, but does not throw: options that it refuses count as absent. */
export function repairOptions(
  path: RenderPath,
  query: Query,
  template: PublishedTemplate,
  nowMs?: number,
): RenderOptions {
  const link = readOptions(path, query, template, ignore);
  for (;;) {
    const options = completeOptions(link, template, nowMs);
    const option = findLinkProblem(options, template)?.option;
    if (option === undefined) return options;
    const given = option === 'frames' && link.frames.length === 0 ? link.animated : link[option];
    // Each round removes one option of the link, so the loop ends.
    if (given.shift() === undefined) return options;
  }
}

/** The valid options of a link, by precedence in each list; an empty list for an absent option. */
interface LinkOptions {
  /** The format of the extension, then that of `_format`. */
  format: RenderFormat[];
  quality: number[];
  scale: RenderScale[];
  lang: string[];
  frames: number[];
  animated: boolean[];
}

/** Called with the error of an invalid option. If it returns, the option is left out. */
type OnInvalid = (error: AppError) => void;

const refuse: OnInvalid = (error) => {
  throw error;
};

const ignore: OnInvalid = () => undefined;

function readOptions(
  path: RenderPath,
  query: Query,
  template: PublishedTemplate,
  onInvalid: OnInvalid,
): LinkOptions {
  const read = <Value>(
    { name, parse, expected }: OptionParser<Value>,
    report: OnInvalid = onInvalid,
  ): Value[] => {
    const text = optionText(query, name, template);
    if (text === undefined) return [];
    const value = parse(text);
    if (value === undefined) report(badOption(name, expected));
    return value === undefined ? [] : [value];
  };
  const { format } = path;
  return {
    format: format === undefined ? read(formatParser) : [format, ...read(formatParser, ignore)],
    quality: read(qualityParser),
    scale: read(scaleParser),
    lang: read(langParser),
    frames: read(framesParser),
    animated: read(animatedParser),
  };
}

function completeOptions(
  link: LinkOptions,
  { document }: PublishedTemplate,
  nowMs = Date.now(),
): RenderOptions {
  const {
    format: [format],
    quality: [quality],
    scale: [scale = 1],
    lang: [lang],
  } = link;
  const used = format ?? templateOptions(document).format;
  const timeMs = renderTimeMs(document, nowMs);
  const frames = frameCount(document, used, link.animated[0] === true, link.frames[0], scale);
  return {
    format: used,
    // The quality of a lossless format changes no pixel.
    quality: (outputFormats[used].isLossless ? undefined : quality) ?? qualityOf(document, used),
    scale,
    ...(lang === undefined || lang === document.lang ? {} : { lang }),
    ...(timeMs === undefined ? {} : { timeMs }),
    ...(frames === undefined ? {} : { frames }),
  };
}

/** The options of a template's default image. */
export function defaultOptions(path: RenderPath, template: PublishedTemplate): RenderOptions {
  return resolveOptions(path, { parameters: [], isTruncated: false }, template);
}

function optionText(query: Query, name: string, template: PublishedTemplate): string | undefined {
  if (template.variables.has(name)) return undefined;
  const text = firstValue(query, name)?.trim();
  return text === '' ? undefined : text;
}
