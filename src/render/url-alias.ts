/** Remembers which render a raw URL led to, so that the same link is answered without being read again. */
import { LRUCache } from 'lru-cache';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import type { RenderHeaders } from './answer.ts';
import { renderReply } from './answer.ts';
import type { RenderCache } from './render-cache.ts';

/** One link that was answered. It names the render by key, so that it keeps no picture alive. */
interface Alias {
  template: PublishedTemplate;
  key: string;
  headers: RenderHeaders;
}

/** Links remembered: some 100,000 of 150 characters. Beyond that the render cache still answers. */
const bytesMax = 64 * 1024 * 1024;
const aliasesMax = 200_000;

/** What an alias costs beside its URL: object, key and header arrays (estimated). */
const aliasBytes = 400;

/** Raw URLs (path and query as sent) to renders. */
export class UrlAliases {
  readonly #aliases = new LRUCache<string, Alias>({
    max: aliasesMax,
    maxSize: bytesMax,
    // V8 keeps a byte or two a character.
    sizeCalculation: (_, url) => 2 * url.length + aliasBytes,
  });
  readonly #cache: RenderCache;

  constructor(cache: RenderCache) {
    this.#cache = cache;
  }

  /**
   * The answer of a link that was answered before, GET or HEAD; undefined when it is not known, a newer
   * version is published, the template is archived, or the render is gone or due.
   */
  answer(exchange: Exchange): Reply | undefined {
    const url = urlOf(exchange);
    const alias = this.#aliases.get(url);
    if (alias === undefined) return undefined;
    const render = alias.template.isCurrent ? this.#cache.find(alias.key) : undefined;
    if (render === undefined) {
      this.#aliases.delete(url);
      return undefined;
    }
    return renderReply(exchange, render, alias.headers, 'alias');
  }

  /** Remembers an open link. One that needs a key or a signature is checked each time. */
  remember(
    exchange: Exchange,
    template: PublishedTemplate,
    key: string,
    headers: RenderHeaders,
  ): void {
    if (template.linkAuth !== 'open') return;
    this.#aliases.set(urlOf(exchange), { template, key, headers });
  }

  get entries(): number {
    return this.#aliases.size;
  }
}

function urlOf(exchange: Exchange): string {
  return exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`;
}
