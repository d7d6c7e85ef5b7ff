/** An order for one image: what it is rendered from, and what follows from that (key, entity tag, image sources), each computed once. */
import type { Template } from '#language/schema/template.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { drawnSources, isRemote } from './image-origins.ts';
import { renderETag, renderKey } from './key.ts';
import { defaultOptions } from './request.ts';
import type { RenderOptions } from './request.ts';
import { resolveVariables } from './values.ts';
import type { ResolvedValues } from './values.ts';
import { AppError } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';

/** How a render treats parts that cannot be drawn. */
export interface OrderRules {
  /** In place of the template's own setting. */
  onImageError?: Template['onImageError'];
  /** An SVG layer that cannot be drawn is an error; absent: the layer is left out. */
  requiresSvgs?: true;
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
    this.options = options;
    this.values = values;
    this.rules = rules;
  }

  /** See `renderKey`. Previews never ask for it. */
  get key(): string {
    this.#key ??= renderKey(this.template, this.options, this.values);
    return this.#key;
  }

  /** The image sources that the template draws with these values; see `drawnSources`. Bound when first needed. */
  get sources(): readonly string[] {
    this.#sources ??= drawnSources(this.template, this.values);
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

/** The order of a template's default image; by default in the template's own format and quality at scale 1. */
export function defaultOrder(
  template: PublishedTemplate,
  options: RenderOptions = defaultOptions({ uid: template.uid, format: undefined }, template),
  rules: OrderRules = {},
): RenderOrder {
  const values = resolveVariables(template, { parameters: [], isTruncated: false });
  return new RenderOrder(template, options, values, rules);
}

/** The default image of a template that is about to be published: every layer must be drawn. */
export function drawableOrder(template: PublishedTemplate): RenderOrder {
  return defaultOrder(template, undefined, { requiresSvgs: true });
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
