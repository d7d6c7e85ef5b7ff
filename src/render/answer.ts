/** Builds the response to a finished render, with the headers of the contract. */
import { clockUseOf } from '#language/clock/clock-use.ts';
import { extensionOf, outputFormats } from '#language/formats.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import {
  forOneClient,
  limitCaching,
  matchesETag,
  renderCacheControl,
  substituteCacheControl,
} from '../http/reply.ts';
import type { CacheFigures } from '../foundation/metric-families.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reply, ReplyNotes } from '../http/reply.ts';
import { readyHead } from '../http/response-head.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { PublishedLink } from '../store/template-link.ts';
import { audienceHeaders } from './image-request.ts';
import { BoundedCache } from './cache.ts';
import type { HitReplies, NamedWarning, Render, RenderCache } from './cache.ts';
import { linkNotes, renderNotes, valueNotes, withNotes } from './link/notes.ts';
import { changesAt } from './moment.ts';
import type { ValueNotes } from './parse-value.ts';
import { warningsHeader } from './warnings.ts';
import type { RenderOrder } from './order.ts';
import { timingText } from '../scheduling/stats.ts';

/**
 * Headers with which any page, email client or canvas may show the image, and no client guesses another type. Search
 * engines do not list the image, which may contain a reader's name.
 */
const openHeaders: readonly string[] = [
  'X-Robots-Tag',
  'noindex',
  'X-Content-Type-Options',
  'nosniff',
  'Access-Control-Allow-Origin',
  '*',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

/**
 * 200 with a cached render, or 304 if the client has it. The first hit builds the responses; a render keeps them for
 * the link that used it last.
 */
export function hitReply(exchange: Exchange, link: PublishedLink, render: Render): Reply {
  exchange.organizationUid = link.organizationUid;
  let replies = render.hitReplies;
  if (replies?.link !== link) {
    replies = createHitReplies(link, render);
    render.hitReplies = replies;
  }
  return hasCopy(exchange, render) ? replies.notModified : replies.ok;
}

function createHitReplies(link: PublishedLink, render: Render): HitReplies {
  const ok = ready(keptReply(link, render));
  return { link, ok, notModified: ready(unchangedReply(link, render)) };
}

/** The same response with a prepared head. */
function ready(reply: Reply): Reply {
  return { ...reply, headers: [], head: readyHead(reply.status, reply.headers) };
}

/** 200 with a cached render, which is never degraded. */
function keptReply(link: PublishedLink, render: Render): Reply {
  const headers = [...renderHeaders(link, render), 'Server-Timing', 'cache;desc=hit'];
  return { status: 200, headers, body: render.bytes, cacheState: 'alias', notes: linkNotes(link) };
}

/** 304 for a cached render. */
function unchangedReply(link: PublishedLink, { etag = '' }: Render): Reply {
  const headers = notModifiedHeaders(link, etag, 'cache;desc=hit');
  return { status: 304, headers, cacheState: 'alias', notes: linkNotes(link) };
}

function hasCopy(exchange: Exchange, { etag }: Render): boolean {
  return etag !== undefined && matchesETag(exchange.ifNoneMatch, etag);
}

/** 200 with a new render, or 304 if the client has it. */
function freshReply(
  exchange: Exchange,
  template: PublishedTemplate,
  render: Render,
  cacheState: 'miss' | 'warm' | 'shared',
): Reply {
  const totalMs = performance.now() - exchange.startedMs;
  const timing = `cache;desc=${cacheState}, ${timingText({ ...render.stages, total: totalMs })}`;
  const notes = renderNotes(template, render);
  if (hasCopy(exchange, render)) {
    const headers = notModifiedHeaders(template, render.etag ?? '', timing);
    return { status: 304, headers, cacheState, notes };
  }
  return {
    status: 200,
    headers: [...renderHeaders(template, render), 'Server-Timing', timing],
    body: render.bytes,
    cacheState,
    notes,
    ...(render.cause === undefined ? {} : { cause: render.cause }),
  };
}

/** The responses to a request whose render key is known. */
export interface Answers {
  /** 304 if the client has this image, even if the cache does not; else undefined. */
  notModified(): Reply | undefined;
  /** 200 or 304. Remembers the link, so that it is not parsed again. */
  render(render: Render, cacheState: 'hit' | 'shared' | 'warm' | 'miss'): Reply;
}

/** Creates the responses to a request. `expires` is a Unix time in seconds. */
export function createAnswers(
  exchange: Exchange,
  order: RenderOrder,
  aliases: LinkMemory,
  { expires, notes: values }: { expires?: number | undefined; notes?: ValueNotes },
): Answers {
  const { template } = order;
  const notes = valueNotes(values);
  const limited = (reply: Reply): Reply => withNotes(untilExpiry(reply, expires, order), notes);
  return {
    notModified() {
      // Most clients have no image yet, and computing the tag takes a tenth of the time of a refusal.
      const etag = exchange.ifNoneMatch === '' ? undefined : order.pureETag;
      if (etag === undefined || !matchesETag(exchange.ifNoneMatch, etag)) return undefined;
      const headers = notModifiedHeaders(template, etag, 'cache;desc=revalidated');
      const reply = { status: 304, headers, notes: linkNotes(template) };
      return limited({ ...reply, cacheState: 'revalidated' });
    },
    render(render, cacheState) {
      // A later request for the link may need another time, or come after its end.
      const isTimeless = order.options.timeMs === undefined && expires === undefined;
      // A later request may find another row in the tables.
      const isRemembered = isTimeless && !template.readsTables;
      if (render.etag !== undefined && isRemembered) {
        aliases.remember(exchange, { link: template.link, key: order.key, notes });
      }
      if (cacheState !== 'hit') return limited(freshReply(exchange, template, render, cacheState));
      if (isTimeless) {
        return limited({ ...hitReply(exchange, template.link, render), cacheState });
      }
      const replyOf = hasCopy(exchange, render) ? unchangedReply : keptReply;
      return limited({ ...replyOf(template, render), cacheState });
    },
  };
}

/** Limits caching to the time until the link expires or the image changes. */
function untilExpiry(reply: Reply, expires: number | undefined, order: RenderOrder): Reply {
  const { template, options } = order;
  if (expires === undefined && options.timeMs === undefined) return reply;
  const { document } = template;
  const endsAtMs = Math.min((expires ?? Infinity) * 1000, changesAt(order));
  // The time of the render is a lower bound, for a clock that was set back since.
  const nowMs = Math.max(Date.now(), options.timeMs ?? 0);
  const headers =
    endsAtMs === Infinity ? reply.headers : limitCaching(reply.headers, endsAtMs - nowMs);
  if (!clockUseOf(document).names.has('client')) return { ...reply, headers };
  return { ...reply, headers: forOneClient(headers) };
}

/** Remembers the links that were answered. */
export interface LinkMemory {
  remember(exchange: Exchange, alias: Alias): void;
}

/** An image in place of an error. `X-Render-Error` has the error's code, `X-Render-Warnings` the image's warnings. */
export function substituteReply(
  uid: string,
  format: RenderFormat,
  bytes: Uint8Array,
  { code, warnings }: { code: string; warnings: readonly NamedWarning[] },
): Reply {
  const headers = [
    ...contentHeaders(uid, format),
    ...openHeaders,
    'Cache-Control',
    substituteCacheControl,
    'Vary',
    audienceHeaders,
    'X-Render-Error',
    code,
    ...warningHeaders(warnings),
    'Server-Timing',
    'cache;desc=fallback',
  ];
  return { status: 200, headers, body: bytes, cacheState: 'fallback' };
}

/** Messaging services such as Twilio refuse media with a longer file name. */
const fileNameCharactersMax = 20;

/** `uid` is `[A-Za-z0-9_-]`, so it needs no quoting. */
export function contentHeaders(uid: string, format: RenderFormat): string[] {
  const extension = `.${extensionOf(format)}`;
  const name = uid.slice(0, fileNameCharactersMax - extension.length) + extension;
  const disposition = `inline; filename="${name}"`;
  return ['Content-Type', outputFormats[format].mediaType, 'Content-Disposition', disposition];
}

export function warningHeaders(warnings: readonly NamedWarning[]): string[] {
  return warnings.length === 0 ? [] : ['X-Render-Warnings', warningsHeader(warnings)];
}

/** The headers of 200 for `link`, without `Server-Timing`. */
function renderHeaders(link: PublishedLink, render: Render): string[] {
  const headers = [...contentHeaders(link.uid, render.format), ...openHeaders];
  headers.push(...warningHeaders(render.warnings), ...cachingHeaders(link, render.etag));
  return headers;
}

function notModifiedHeaders(link: PublishedLink, etag: string, timing: string): string[] {
  return [...openHeaders, ...cachingHeaders(link, etag), 'Server-Timing', timing];
}

function cachingHeaders(link: PublishedLink, etag: string | undefined): string[] {
  const cacheControl = renderCacheControl({
    isPinned: link.pinned,
    maxAgeSeconds: link.maxAgeSeconds,
    isPrivate: link.linkAuth === 'key',
    readsTables: link.readsTables,
    isDegraded: etag === undefined,
  });
  return [...(etag === undefined ? [] : ['ETag', etag]), 'Cache-Control', cacheControl];
}

// Aliases: render keys by raw URL, so that a link is answered again without parsing its URL.

/** One link that was answered. It has the key of the render, so that it holds neither the image nor the document. */
interface Alias {
  link: PublishedLink;
  key: string;
  /** What is remarkable about the values of the link. */
  notes: ReplyNotes | undefined;
}

/** Bytes of an alias without its URL: objects, the key, map slots (measured). */
const aliasBytes = 448;

/** The cache of aliases, by raw URL (path and query as sent). */
export class UrlAliases {
  readonly #aliases: BoundedCache<Alias>;
  readonly #cache: RenderCache;

  constructor(cache: RenderCache, bytesMax: number) {
    this.#cache = cache;
    this.#aliases = new BoundedCache({
      bytesMax,
      // The server reads URLs as Latin-1, so a character takes one byte.
      bytesOf: (_, url) => url.length + aliasBytes,
      isDue: ({ link }) => !link.isCurrent,
    });
  }

  /**
   * The response to a link that was answered before, for GET and HEAD. Undefined without an alias, after a newer
   * version is published or the template archived, and if the render was evicted or is due.
   */
  answer(exchange: Exchange): Reply | undefined {
    const alias = this.#aliases.get(exchange.url);
    if (alias === undefined) return undefined;
    const render = this.#cache.find(alias.key);
    if (render === undefined) {
      this.#aliases.delete(exchange.url);
      return undefined;
    }
    return withNotes(hitReply(exchange, alias.link, render), alias.notes);
  }

  /** Remembers an open link. Links that need a key or a signature are checked each time. */
  remember(exchange: Exchange, alias: Alias): void {
    const { linkAuth, organizationUid } = alias.link;
    if (linkAuth === 'open') this.#aliases.set(organizationUid, exchange.url, alias);
  }

  /** For the metrics. */
  get figures(): CacheFigures {
    return this.#aliases.figures;
  }
}
