/** An order for one image: its inputs, and lazily derived data (key, entity tag, image sources). */
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
import { unreadDeadline } from '#language/clock/deadline.ts';
import { framesOf } from '#language/animation/frames.ts';
import type { RenderJob } from '#wire/render-job.ts';

/** How a render treats parts that cannot be drawn, and what it makes beside its image. */
export interface OrderRules {
  /** Replaces the setting of the template. */
  onImageError?: Template['onImageError'];
  /** An SVG layer that cannot be drawn is an error; absent: the layer is left out. */
  requiresSvgs?: true;
  /** An animation with fewer frames than designed is an error. */
  requiresAllFrames?: true;
  /** The process that renders the image makes a base render of it. */
  makesBaseRender?: true;
}

/** All of an order except its rules is part of `key`; the bytes of images are not. */
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

  /** See `renderKey`. Previews do not need it. */
  get key(): string {
    this.#key ??= renderKey(this.template, this.options, this.values);
    return this.#key;
  }

  /**
   * The key of a default image without its time, for a template with a clock: under overload, a recent image replaces
   * one that cannot be rendered. The key includes the deadline and the reader, so that no reader gets the countdown of
   * another one.
   */
  get timelessKey(): string | undefined {
    const { template, options, values } = this;
    const { timeMs, untilMs: _, ...timeless } = options;
    if (timeMs === undefined || !hasDefaults(template, values)) return undefined;
    const key = renderKey(template, timeless, values);
    return JSON.stringify([key, countdownKeyOf({ template, options, values })]);
  }

  /** The image sources of the template with these values; see `drawnSources`. Computed at the first read. */
  get sources(): readonly string[] {
    this.#sources ??= drawnSources(this.template, this.values, this.options);
    return this.#sources;
  }

  get hasRemoteSources(): boolean {
    return this.sources.some(isRemote);
  }

  /** The entity tag, if it is known before the render; undefined for a render with remote images. */
  get pureETag(): string | undefined {
    return this.hasRemoteSources ? undefined : renderETag(this.key, []);
  }

  /** Whether an image that fails is replaced by its variable's default or left out; else the render fails. */
  get toleratesImageErrors(): boolean {
    return (this.rules.onImageError ?? this.template.document.onImageError) === 'default';
  }
}

/** The order of a template's default image, which reads no table. Default options: the template's, at scale 1. */
export function defaultOrder(
  template: PublishedTemplate,
  options: RenderOptions = defaultOptions({ uid: template.uid, format: undefined }, template),
  rules: OrderRules = {},
): RenderOrder {
  const values = resolveVariables(template, { parameters: [], isTruncated: false }, noTables);
  return new RenderOrder(template, options, values, rules);
}

/**
 * The order of the default image in the format of a link, for its reader. A countdown keeps the deadline of the link,
 * because the template's would be wrong. `values` returns the values of the link; called only if the clock reads any.
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
  for (const [name, value] of values()) {
    if (read.has(name) || name === unreadDeadline) ofLink.set(name, value);
  }
  return new RenderOrder(template, { ...options, client, startedMs }, ofLink, rules);
}

/** Whether all values are the defaults, except for values that the clock reads. */
function hasDefaults({ document, variables }: PublishedTemplate, values: ResolvedValues): boolean {
  const { read } = clockUseOf(document);
  for (const [name, variable] of variables) {
    if (!read.has(name) && values.get(name) !== defaultText(variable)) return false;
  }
  return true;
}

/** The default image of a template that is about to be published: every layer must be drawn. */
export function drawableOrder(template: PublishedTemplate, rules: OrderRules = {}): RenderOrder {
  const isMoving = template.document.animation !== undefined;
  return defaultOrder(template, undefined, {
    ...rules,
    requiresSvgs: true,
    ...(isMoving ? { requiresAllFrames: true } : {}),
  });
}

/** The default GIF of an animated template; undefined for any other, and if its format is GIF already. */
export function animatedOrder(template: PublishedTemplate): RenderOrder | undefined {
  const { uid, document } = template;
  if (document.animation === undefined || document.output?.format === 'gif') return undefined;
  const options = defaultOptions({ uid, format: 'gif' }, template);
  return defaultOrder(template, options, { requiresAllFrames: true });
}

// Loops of renders that fetch the images of other renders.

/**
 * Throws BAD_REQUEST for a render that needs to fetch images, if a fetch of another render requested it (RFC 8586). One
 * render may contain the image of another render, but a longer chain could be a loop.
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

/** Increased when render hosts render the same job differently within one package version. */
const drawingRevision = 13;

const engine = `${manifest.version}-${drawingRevision}`;

/**
 * The key of a render: SHA-256, 64 hexadecimal digits, over the engine, the document with its organization, the options
 * and every variable's resolved value in the template's order. Values are written as JSON, so different values give
 * different texts. Unknown parameters and the order of parameters do not change the key. A value equal to its default
 * counts as omitted.
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
  // Without a language and a clock, the key is the same as before these features existed.
  if (lang !== undefined || moment !== undefined) canonical.push([lang ?? '', moment ?? 0]);
  const frames = framesKeyOf({ template, options });
  if (frames !== undefined) canonical.push(frames);
  return hash('sha256', JSON.stringify(canonical), 'hex');
}

/**
 * The entity tag of a render, with its quotes, from the key and the digests of its remote images in drawing order. Weak
 * (RFC 9110, 8.8.1), because a process with a base render encodes the same pixels in other bytes than one without.
 */
export function renderETag(key: string, remoteDigests: readonly string[]): string {
  const source = [key, ...remoteDigests].join('\n');
  // 128 bits rule out collisions and keep the header short.
  return `W/"${hash('sha256', source, 'base64url').slice(0, 22)}"`;
}

// Frames and sources of a render.

/** The frames of an animated file. */
export function frameSequence(
  { document }: Pick<PublishedTemplate, 'document'>,
  { frames, timeMs }: RenderOptions,
): RenderJob['animation'] {
  return frames === undefined ? undefined : framesOf(document, timeMs, frames);
}

/** Whether a source is fetched, so that its bytes may change under the same name. */
export function isRemote(source: string): boolean {
  return !/^(asset|data):/i.test(source);
}
