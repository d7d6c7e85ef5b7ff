/** An order for one image: its inputs, and what derives from them (key, entity tag, image sources), each computed once. */
import { defaultText } from '#language/values/list-value.ts';
import { manifest } from '../foundation/product.ts';
import type { Template } from '#language/schema/template.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { defaultOptions } from './request.ts';
import type { RenderOptions } from './request.ts';
import { countdownKeyOf, framesKeyOf, momentKeyOf, settleMoment } from './moment.ts';
import { drawnSources } from './images/drawn-sources.ts';
import { noTables } from './table-values.ts';
import { resolveVariables } from './values.ts';
import type { ResolvedValues } from './values.ts';
import { AppError } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { hash } from 'node:crypto';
import { clockUseOf } from '#language/clock/clock-use.ts';
import { framesOf } from '#language/animation/frames.ts';
import type { RenderJob } from '#wire/render-job.ts';

/** How a render treats parts that cannot be drawn. */
export interface OrderRules {
  /** In place of the template's own setting. */
  onImageError?: Template['onImageError'];
  /** An SVG layer that cannot be drawn is an error; absent: the layer is left out. */
  requiresSvgs?: true;
  /** An animation with fewer frames than designed is an error. */
  requiresAllFrames?: true;
}

/** Everything in it but the rules is part of `key`, except the bytes of the images. */
export class RenderOrder {
  readonly template: PublishedTemplate;
  readonly options: RenderOptions;
  readonly values: ResolvedValues;
  readonly rules: OrderRules;
  #key: string | undefined;
  #sources: readonly string[] | undefined;

  constructor(
    template: PublishedTemplate,
    options: RenderOptions,
    values: ResolvedValues,
    rules: OrderRules = {},
  ) {
    this.template = template;
    this.options = settleMoment(template, options, values);
    this.values = values;
    this.rules = rules;
  }

  /** See `renderKey`. Previews never ask for it. */
  get key(): string {
    this.#key ??= renderKey(this.template, this.options, this.values);
    return this.#key;
  }

  /**
   * The key of a default image without its time, for a template that needs a clock: where nothing can be drawn, an image of
   * a moment ago stands in. It has the deadline and what the reader decides, so that nobody sees the clock of somebody else.
   */
  get timelessKey(): string | undefined {
    const { template, options, values } = this;
    const { timeMs, untilMs: _, ...timeless } = options;
    if (timeMs === undefined || !hasDefaults(template, values)) return undefined;
    const key = renderKey(template, timeless, values);
    return JSON.stringify([key, countdownKeyOf({ template, options, values })]);
  }

  /** The image sources that the template draws with these values; see `drawnSources`. Bound when first needed. */
  get sources(): readonly string[] {
    this.#sources ??= drawnSources(this.template, this.values, this.options);
    return this.#sources;
  }

  get hasRemoteSources(): boolean {
    return this.sources.some(isRemote);
  }

  /** The entity tag, as far as it is known before anything is drawn: that of a render without remote images. */
  get pureETag(): string | undefined {
    return this.hasRemoteSources ? undefined : renderETag(this.key, []);
  }

  /** Whether an image that fails is drawn as its variable's default, or not at all; else the render fails. */
  get toleratesImageErrors(): boolean {
    return (this.rules.onImageError ?? this.template.document.onImageError) === 'default';
  }
}

/** The order of a template's default image, which reads no table; by default in the template's own format and quality at scale 1. */
export function defaultOrder(
  template: PublishedTemplate,
  options: RenderOptions = defaultOptions({ uid: template.uid, format: undefined }, template),
  rules: OrderRules = {},
): RenderOrder {
  const values = resolveVariables(template, { parameters: [], isTruncated: false }, noTables);
  return new RenderOrder(template, options, values, rules);
}

/**
 * The default image in the format of a link, for its reader. A countdown keeps the deadline of the link: that of the
 * template would be wrong. `values` are those of the link, read where the clock needs them.
 */
export function defaultOrderForReader(
  template: PublishedTemplate,
  { format, client, startedMs }: RenderOptions,
  values: () => ResolvedValues,
  rules: OrderRules,
): RenderOrder {
  const options = defaultOptions({ uid: template.uid, format }, template);
  const { read, names } = clockUseOf(template.document);
  if (names.size === 0) return defaultOrder(template, options, rules);
  const order = defaultOrder(template, { ...options, client, startedMs }, rules);
  if (read.size === 0) return order;
  const ofLink = new Map(order.values);
  for (const [name, value] of values()) if (read.has(name)) ofLink.set(name, value);
  return new RenderOrder(template, { ...options, client, startedMs }, ofLink, rules);
}

/** Whether all values but those that the clock reads are the defaults. */
function hasDefaults({ document, variables }: PublishedTemplate, values: ResolvedValues): boolean {
  const { read } = clockUseOf(document);
  for (const [name, variable] of variables) {
    if (!read.has(name) && values.get(name) !== defaultText(variable)) return false;
  }
  return true;
}

/** The default image of a template that is about to be published: every layer must be drawn. */
export function drawableOrder(template: PublishedTemplate): RenderOrder {
  const isMoving = template.document.animation !== undefined;
  return defaultOrder(template, undefined, {
    requiresSvgs: true,
    ...(isMoving ? { requiresAllFrames: true } : {}),
  });
}

/** The default GIF of a template that says how it moves; undefined for any other, and for one whose image is a GIF. */
export function animatedOrder(template: PublishedTemplate): RenderOrder | undefined {
  const { uid, document } = template;
  if (document.animation === undefined || document.output?.format === 'gif') return undefined;
  const options = defaultOptions({ uid, format: 'gif' }, template);
  return defaultOrder(template, options, { requiresAllFrames: true });
}

// Ends chains of renders that fetch one another's images.

/**
 * Throws BAD_REQUEST for a render that would fetch images on behalf of another render's fetch (RFC 8586). An
 * image of one render may stand in another; a chain longer than that could come back to its beginning.
 */
export function refuseLoop(exchange: Exchange, order: RenderOrder): void {
  if (!exchange.isLooped || !order.hasRemoteSources) return;
  throw new AppError(
    'BAD_REQUEST',
    'This render was asked for as an image of another render (CDN-Loop), and needs images by address itself: upload them as assets.',
    { reason: 'loop' },
  );
}

// The key of a render: equal keys mean equal images. The entity tag derives from it.

/** Raised whenever the workers draw the same job differently within one package version. */
const drawingRevision = 11;

const engine = `${manifest.version}-${drawingRevision}`;

/**
 * The key of a render: SHA-256, 64 hexadecimal digits, over the engine, the document with its
 * organization, the options and every variable's resolved value in the template's order. Values are
 * written as JSON, so that no two lists of values read alike; unknown parameters and their order have no
 * part in it, and a value equal to its default is the same as an omitted one.
 */
export function renderKey(
  template: PublishedTemplate,
  options: RenderOptions,
  values: ResolvedValues,
): string {
  const { format, quality, scale, lang } = options;
  const moment = momentKeyOf({ template, options, values });
  const { unseen } = clockUseOf(template.document);
  const seen = unseen.size === 0 ? values : [...values].filter(([name]) => !unseen.has(name));
  const canonical: unknown[] = [engine, template.templateKey, format, quality, scale, [...seen]];
  // A link without a language, of a template without a clock, keeps the key that it had before there were any.
  if (lang !== undefined || moment !== undefined) canonical.push([lang ?? '', moment ?? 0]);
  const frames = framesKeyOf({ template, options });
  if (frames !== undefined) canonical.push(frames);
  return hash('sha256', JSON.stringify(canonical), 'hex');
}

/**
 * The entity tag of a render, with its quotes: from the key alone when nothing remote is drawn, else from
 * the key and the digests of the remote images in drawing order. Weak (RFC 9110, 8.8.1), because a process
 * with a base render encodes the same pixels in other bytes than one without.
 */
export function renderETag(key: string, remoteDigests: readonly string[]): string {
  const source = [key, ...remoteDigests].join('\n');
  // 128 bits: collisions are out of reach, and the header stays short.
  return `W/"${hash('sha256', source, 'base64url').slice(0, 22)}"`;
}

// What a render draws.

/** The frames of an animated file. */
export function frameSequence(
  { document }: Pick<PublishedTemplate, 'document'>,
  { frames, timeMs }: RenderOptions,
): RenderJob['animation'] {
  return frames === undefined ? undefined : framesOf(document, timeMs, frames);
}

/** True for a source that is fetched: its bytes may change while its name does not. */
export function isRemote(source: string): boolean {
  return !/^(asset|data):/i.test(source);
}
