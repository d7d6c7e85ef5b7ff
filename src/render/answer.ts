/** Turns a finished render into an answer with the contract's headers. */
import type { RenderFormat } from '#shared/render-job.ts';
import { degradedCacheControl, matchesETag, renderCacheControl } from '../http/cache-headers.ts';
import type { Exchange } from '../http/exchange.ts';
import { joinHeaders } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import type { HitReplies, Render } from './render-cache.ts';

const contentTypes: Record<RenderFormat, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
};

const extensions: Record<RenderFormat, string> = {
  png: 'png',
  jpeg: 'jpg',
  webp: 'webp',
  avif: 'avif',
};

/** Lets any page, mail client or canvas show the picture, and nothing take it for anything else. */
const openHeaders: readonly string[] = [
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
export function hitReply(exchange: Exchange, template: PublishedTemplate, render: Render): Reply {
  let replies = render.hitReplies;
  if (replies?.template !== template) {
    replies = createHitReplies(template, render);
    render.hitReplies = replies;
  }
  return hasCopy(exchange, render) ? replies.notModified : replies.ok;
}

/** Only a picture that is as its template asks is ever kept, so both answers have their headers. */
function createHitReplies(template: PublishedTemplate, render: Render): HitReplies {
  const ok = [...renderHeaders(template, render), 'Server-Timing', 'cache;desc=hit'];
  const notModified = notModifiedHeaders(template, render.etag ?? '');
  return {
    template,
    ok: { status: 200, headers: joinHeaders(ok), body: render.bytes, cacheState: 'alias' },
    notModified: { status: 304, headers: joinHeaders(notModified), cacheState: 'alias' },
  };
}

function hasCopy(exchange: Exchange, { etag }: Render): boolean {
  return etag !== undefined && matchesETag(exchange.ifNoneMatch, etag);
}

/** 200 with a render that was just made, or 304 when the caller has it. */
function freshReply(
  exchange: Exchange,
  template: PublishedTemplate,
  render: Render,
  cacheState: 'miss' | 'shared',
): Reply {
  if (hasCopy(exchange, render)) {
    return { status: 304, headers: notModifiedHeaders(template, render.etag ?? ''), cacheState };
  }
  const timing = `cache;desc=${cacheState}, ${render.timing}`;
  return {
    status: 200,
    headers: [...renderHeaders(template, render), 'Server-Timing', timing],
    body: render.bytes,
    cacheState,
    ...(render.cause === undefined ? {} : { cause: render.cause }),
  };
}

/** The answers that one request may get once its key is known. */
export interface Answers {
  /** 304 when the caller has the picture that this tag names, whether or not it is still kept here. */
  notModified(etag: string | undefined): Reply | undefined;
  /** 200 or 304; the link is remembered, so that it need not be read again. */
  render(render: Render, cacheState: 'hit' | 'shared' | 'miss'): Reply;
}

/** Binds the answers to a request, its template and its key. */
export function createAnswers(
  exchange: Exchange,
  template: PublishedTemplate,
  key: string,
  aliases: LinkMemory,
): Answers {
  return {
    notModified(etag) {
      if (etag === undefined || !matchesETag(exchange.ifNoneMatch, etag)) return undefined;
      const headers = notModifiedHeaders(template, etag);
      return { status: 304, headers, cacheState: 'revalidated' };
    },
    render(render, cacheState) {
      if (render.etag !== undefined) aliases.remember(exchange, template, key);
      if (cacheState === 'hit') return { ...hitReply(exchange, template, render), cacheState };
      return freshReply(exchange, template, render, cacheState);
    },
  };
}

/** Where links that were answered are remembered. */
export interface LinkMemory {
  remember(exchange: Exchange, template: PublishedTemplate, key: string): void;
}

/** A picture in place of an error: 200, kept for seconds only, and `X-Render-Error` names the code. */
export function fallbackReply(
  uid: string,
  format: RenderFormat,
  bytes: Uint8Array,
  code: string,
): Reply {
  const headers = [
    ...contentHeaders(uid, format),
    ...openHeaders,
    'Cache-Control',
    degradedCacheControl,
    'X-Render-Error',
    code,
    'Server-Timing',
    'cache;desc=fallback',
  ];
  return { status: 200, headers, body: bytes, cacheState: 'fallback' };
}

/** `uid` is `[A-Za-z0-9_-]`, so it needs no quoting. */
function contentHeaders(uid: string, format: RenderFormat): string[] {
  const disposition = `inline; filename="${uid}.${extensions[format]}"`;
  return ['Content-Type', contentTypes[format], 'Content-Disposition', disposition];
}

/** The headers of 200 under the links of `template`, without `Server-Timing`. */
function renderHeaders(template: PublishedTemplate, render: Render): string[] {
  const headers = [...contentHeaders(template.uid, render.format), ...openHeaders];
  if (render.warnings !== '') headers.push('X-Render-Warnings', render.warnings);
  if (render.etag === undefined) headers.push('Cache-Control', degradedCacheControl);
  else headers.push(...cachingHeaders(template, render.etag));
  return headers;
}

function notModifiedHeaders(template: PublishedTemplate, etag: string): string[] {
  return [...openHeaders, ...cachingHeaders(template, etag)];
}

function cachingHeaders(template: PublishedTemplate, etag: string): string[] {
  const cacheControl = renderCacheControl({
    isPinned: template.pinned,
    maxAgeSeconds: template.document.maxAgeSeconds,
    isPrivate: template.linkAuth === 'key',
  });
  return ['ETag', etag, 'Cache-Control', cacheControl];
}
