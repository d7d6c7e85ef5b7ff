/** Turns a finished render into an answer with the contract's headers. */
import type { RenderFormat } from '#shared/render-job.ts';
import { degradedCacheControl, matchesETag, renderCacheControl } from '../http/cache-headers.ts';
import type { Exchange } from '../http/exchange.ts';
import type { CacheState, Reply } from '../http/reply.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import type { Render } from './render-cache.ts';

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

/** The headers of one render under one link, in the flat form of `Reply`; they may be sent any number of times. */
export interface RenderHeaders {
  /** 200, without `Server-Timing`. */
  ok: readonly string[];
  notModified: readonly string[];
}

/** Builds the headers of a render for the links of `template`. */
function renderHeaders(template: PublishedTemplate, render: Render): RenderHeaders {
  const ok = [...contentHeaders(template.uid, render.format), ...openHeaders];
  if (render.warnings !== '') ok.push('X-Render-Warnings', render.warnings);
  if (render.etag === undefined) {
    ok.push('Cache-Control', degradedCacheControl);
    return { ok, notModified: [] };
  }
  const caching = cachingHeaders(template, render.etag);
  return { ok: [...ok, ...caching], notModified: [...openHeaders, ...caching] };
}

/** 200 with the picture, or 304 when the caller has it. */
export function renderReply(
  exchange: Exchange,
  render: Render,
  headers: RenderHeaders,
  cacheState: CacheState,
): Reply {
  if (render.etag !== undefined && matchesETag(exchange.ifNoneMatch, render.etag)) {
    return { status: 304, headers: headers.notModified, cacheState };
  }
  const isFresh = cacheState === 'miss' || cacheState === 'shared';
  const timing = isFresh ? `cache;desc=${cacheState}, ${render.timing}` : 'cache;desc=hit';
  return {
    status: 200,
    headers: [...headers.ok, 'Server-Timing', timing],
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
  render(render: Render, cacheState: CacheState): Reply;
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
      const headers = [...openHeaders, ...cachingHeaders(template, etag)];
      return { status: 304, headers, cacheState: 'revalidated' };
    },
    render(render, cacheState) {
      const headers = renderHeaders(template, render);
      if (render.etag !== undefined) aliases.remember(exchange, template, key, headers);
      return renderReply(exchange, render, headers, cacheState);
    },
  };
}

/** Where links that were answered are remembered. */
export interface LinkMemory {
  remember(
    exchange: Exchange,
    template: PublishedTemplate,
    key: string,
    headers: RenderHeaders,
  ): void;
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

function cachingHeaders(template: PublishedTemplate, etag: string): string[] {
  const cacheControl = renderCacheControl({
    isPinned: template.pinned,
    maxAgeSeconds: template.document.maxAgeSeconds,
    isPrivate: template.linkAuth === 'key',
  });
  return ['ETag', etag, 'Cache-Control', cacheControl];
}
