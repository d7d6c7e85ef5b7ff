/** Turns a finished render into an answer with the contract's headers. */
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
import { changesAt } from './moment.ts';
import { warningsHeader } from './warnings.ts';
import type { RenderOrder } from './order.ts';
import { timingText } from '../scheduling/stats.ts';

/**
 * Lets any page, email client or canvas show the image, and nothing take it for anything else. Search engines do not
 * list it: an image may hold a reader's name.
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
 * 200 with a kept render, or 304 when the caller has it; for a link that is remembered. Nothing is built
 * but with the first hit: a render keeps its ready answers for the template that asked last.
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

/** The same answer, ready to be sent. */
function ready(reply: Reply): Reply {
  return { ...reply, headers: [], head: readyHead(reply.status, reply.headers) };
}

/** 200 with a kept render: only an image that is as its template asks is ever kept. */
function keptReply(link: PublishedLink, render: Render): Reply {
  const headers = [...renderHeaders(link, render), 'Server-Timing', 'cache;desc=hit'];
  return { status: 200, headers, body: render.bytes, cacheState: 'alias', notes: linkNotes(link) };
}

/** 304 for a kept render. */
function unchangedReply(link: PublishedLink, { etag = '' }: Render): Reply {
  const headers = notModifiedHeaders(link, etag, 'cache;desc=hit');
  return { status: 304, headers, cacheState: 'alias', notes: linkNotes(link) };
}

/** What the log and the statistics get to know of every answer of a link. */
export function linkNotes({ uid, version }: PublishedLink): ReplyNotes {
  return { template: uid, version };
}

function hasCopy(exchange: Exchange, { etag }: Render): boolean {
  return etag !== undefined && matchesETag(exchange.ifNoneMatch, etag);
}

/** 200 with a render that was just made, or 304 when the caller has it. */
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

/** What the log tells of an image that was drawn: also `degraded`, `drawn`, and each stage as `paintMs` and the like. */
export function renderNotes(
  template: PublishedTemplate,
  { stages, drawn, etag }: Render,
): ReplyNotes {
  const degraded = etag === undefined ? { degraded: 1 } : {};
  const notes: Record<string, string | number> = { ...linkNotes(template), ...degraded, drawn };
  for (const stage of Object.keys(stages)) {
    notes[`${stage}Ms`] = Math.round((stages[stage] ?? 0) * 10) / 10;
  }
  return notes;
}

/** The answers that one request may get once its key is known. */
export interface Answers {
  /** 304 when the caller has this very image, whether or not it is still kept here. */
  notModified(): Reply | undefined;
  /** 200 or 304; the link is remembered, so that it need not be read again. */
  render(render: Render, cacheState: 'hit' | 'shared' | 'warm' | 'miss'): Reply;
}

/** Binds the answers to a request. `expires` is a Unix time in seconds. A link with unfilled merge tags is read each time. */
export function createAnswers(
  exchange: Exchange,
  order: RenderOrder,
  aliases: LinkMemory,
  { expires, isUnmerged = false }: { expires?: number | undefined; isUnmerged?: boolean },
): Answers {
  const { template } = order;
  const limited = (reply: Reply): Reply => {
    const answer = untilExpiry(reply, expires, order);
    return isUnmerged ? { ...answer, notes: { ...answer.notes, unmerged: 1 } } : answer;
  };
  return {
    notModified() {
      // Most callers have nothing yet, and computing the tag takes a tenth of the time of a refusal.
      const etag = exchange.ifNoneMatch === '' ? undefined : order.pureETag;
      if (etag === undefined || !matchesETag(exchange.ifNoneMatch, etag)) return undefined;
      const headers = notModifiedHeaders(template, etag, 'cache;desc=revalidated');
      const notes = linkNotes(template);
      return limited({ status: 304, headers, cacheState: 'revalidated', notes });
    },
    render(render, cacheState) {
      // The next request for the link may be one for another time, or one that comes too late.
      const isTimeless = order.options.timeMs === undefined && expires === undefined;
      // Nor may the next request find another row.
      const isRemembered = isTimeless && !isUnmerged && !template.readsTables;
      if (render.etag !== undefined && isRemembered) {
        aliases.remember(exchange, template.link, order.key);
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

/** Nobody keeps the image of a link for longer than it is valid, or than it is what the template shows. */
function untilExpiry(reply: Reply, expires: number | undefined, order: RenderOrder): Reply {
  const { template, options } = order;
  if (expires === undefined && options.timeMs === undefined) return reply;
  const { document } = template;
  const endsAt = Math.min(expires ?? Infinity, changesAt(order) / 1000);
  // A clock that was set back makes no image last longer than by the clock that drew it.
  const now = Math.max(Date.now(), options.timeMs ?? 0) / 1000;
  const secondsLeft = Math.max(0, Math.floor(endsAt - now));
  const headers = endsAt === Infinity ? reply.headers : limitCaching(reply.headers, secondsLeft);
  if (!clockUseOf(document).names.has('client')) return { ...reply, headers };
  return { ...reply, headers: forOneClient(headers) };
}

/** Where links that were answered are remembered. */
export interface LinkMemory {
  remember(exchange: Exchange, link: PublishedLink, key: string): void;
}

/** An image in place of an error: `X-Render-Error` has the error's code, `X-Render-Warnings` what the image lacks. */
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

/** The headers of 200 under the links of `template`, without `Server-Timing`. */
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

// Known links: the render that a raw URL led to, so that the same link is answered without being parsed.

/** One link that was answered. It names the render by key, so that it keeps no image alive, and no document. */
interface Alias {
  link: PublishedLink;
  key: string;
}

/** What an alias costs beside its URL, bytes: objects, the key, those of the maps (measured). */
const aliasBytes = 400;

/** Raw URLs (path and query as sent) to renders. */
export class UrlAliases {
  readonly #aliases: BoundedCache<Alias>;
  readonly #cache: RenderCache;

  constructor(cache: RenderCache, bytesMax: number) {
    this.#cache = cache;
    this.#aliases = new BoundedCache({
      bytesMax,
      // The server reads URLs as Latin-1: a byte a character.
      bytesOf: (_, url) => url.length + aliasBytes,
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
