/** Remembers which render a raw URL led to, so that the same link is answered without being read again. */
import type { Exchange } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import type { CacheFigures } from '../../foundation/metric-families.ts';
import type { PublishedLink } from '../../store/template-link.ts';
import { BoundedCache } from './bounded-cache.ts';
import { hitReply } from '../answer.ts';
import type { RenderCache } from './renders.ts';

/** One link that was answered. It names the render by key, so that it keeps no picture alive, and no document. */
interface Alias {
  link: PublishedLink;
  key: string;
}

/** What an alias costs beside its URL, bytes: objects, the key, the maps' own room (measured). */
const aliasBytes = 400;

/**
 * Raw URLs (path and query as sent) to renders.
 */
export class UrlAliases {
  readonly #aliases: BoundedCache<Alias>;
  readonly #cache: RenderCache;

  constructor(cache: RenderCache, bytesMax: number) {
    this.#cache = cache;
    this.#aliases = new BoundedCache({
      bytesMax,
      // The server reads URLs as Latin-1: a byte a character.
      entryBytes: (_, url) => url.length + aliasBytes,
      isDue: ({ link }) => !link.isCurrent,
    });
  }

  /**
   * The answer of a link that was answered before, GET or HEAD; undefined when it is not known, a newer
   * version is published, the template is archived, or the render is gone or due.
   */
  answer(exchange: Exchange): Reply | undefined {
    const alias = this.#aliases.get(exchange.url);
    if (alias === undefined) return undefined;
    const render = this.#cache.find(alias.key);
    if (render === undefined) {
      this.#aliases.delete(exchange.url);
      return undefined;
    }
    return hitReply(exchange, alias.link, render);
  }

  /** Remembers an open link. One that needs a key or a signature is checked each time. */
  remember(exchange: Exchange, link: PublishedLink, key: string): void {
    if (link.linkAuth !== 'open') return;
    this.#aliases.set(exchange.url, { link, key });
  }

  /** For the metrics. */
  get figures(): CacheFigures {
    return this.#aliases.figures;
  }
}
