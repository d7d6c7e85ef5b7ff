/** Answers of pages and their files: strict about what a page may load, and revalidated by their tag. */
import { createHash } from 'node:crypto';
import { matchesETag, noStore } from '../../http/reply.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';

/** A page loads from its own service alone, and runs nothing that stands in its HTML. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "style-src 'self'",
  "script-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A file that a page is made of. */
export interface PageFile {
  /** With `charset` where it is text. */
  type: string;
  /** Weak, of the body. */
  etag: string;
  body: string;
}

/** Makes a file of its text. Its tag is weak: the same text may come in several encodings. */
export function pageFile(type: string, body: string): PageFile {
  const digest = createHash('sha256').update(type).update('\0').update(body).digest('base64url');
  return { type, etag: `W/"${digest.slice(0, 22)}"`, body };
}

/** 200 with the file, or 304 for a browser that has it: kept, and asked about each time, so that no page meets an older file. `morePolicy` is what this page may load beyond others. */
export function fileReply(
  exchange: Pick<Exchange, 'ifNoneMatch'>,
  { type, etag, body }: PageFile,
  morePolicy?: string,
): Reply {
  const headers = [
    'Cache-Control',
    'no-cache',
    'ETag',
    etag,
    'Vary',
    'Accept-Encoding',
    ...pageHeaders(morePolicy),
  ];
  if (matchesETag(exchange.ifNoneMatch, etag)) return { status: 304, headers };
  return { status: 200, headers: ['Content-Type', type, ...headers], body };
}

/** The same for a file that pages and tools of other origins load, such as the client. */
export function sharedFileReply(exchange: Pick<Exchange, 'ifNoneMatch'>, file: PageFile): Reply {
  const reply = fileReply(exchange, file);
  return { ...reply, headers: [...reply.headers, 'Access-Control-Allow-Origin', '*'] };
}

function pageHeaders(morePolicy?: string): readonly string[] {
  return [
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    morePolicy === undefined ? contentSecurityPolicy : `${contentSecurityPolicy}; ${morePolicy}`,
    'Referrer-Policy',
    'no-referrer',
    // No page that opens this one, or that it opens, gets hold of its window.
    'Cross-Origin-Opener-Policy',
    'same-origin',
  ];
}

/** 404 with a page, for people; no cache may keep it, because a program is answered JSON there. */
export function notFoundReply(html: string): Reply {
  const kind = ['Content-Type', htmlType, 'Cache-Control', noStore];
  return { status: 404, headers: [...kind, 'Vary', 'Accept', ...pageHeaders()], body: html };
}

export const htmlType = 'text/html; charset=utf-8';

/** A page as a file. */
export function htmlFile(html: string): PageFile {
  return pageFile(htmlType, html);
}

/** Text for HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
