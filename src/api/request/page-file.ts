/** Responses of pages and their files: revalidated by their tag, with a strict policy on what a page may load. */
import { createHash } from 'node:crypto';
import { matchesETag, noStore } from '../../http/reply.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import type { Answer, Media } from '../declaration.ts';

/** A page loads only from this service, and runs no script of its HTML. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "script-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** A page, or a file that a page loads. */
export interface PageFile {
  /** Media type, with `charset` for text. */
  type: string;
  /** Weak entity tag of the type and the body. */
  etag: string;
  body: string;
}

/** Makes a file of its text. The tag is weak, because the same text may be sent in several encodings. */
export function pageFile(type: string, body: string): PageFile {
  const digest = createHash('sha256').update(type).update('\0').update(body).digest('base64url');
  return { type, etag: `W/"${digest.slice(0, 22)}"`, body };
}

/**
 * Answers 200 with the file, or 304 for a browser that has it. Browsers keep the file and revalidate it each time, so
 * that no page gets an older file. `directives` change the content security policy of this reply.
 */
export function fileReply(
  exchange: Pick<Exchange, 'ifNoneMatch'>,
  { type, etag, body }: PageFile,
  directives: readonly string[] = [],
): Reply {
  const headers = [
    'Cache-Control',
    'no-cache',
    'ETag',
    etag,
    'Vary',
    'Accept-Encoding',
    ...pageHeaders(directives),
  ];
  if (matchesETag(exchange.ifNoneMatch, etag)) return { status: 304, headers };
  return { status: 200, headers: ['Content-Type', type, ...headers], body };
}

/** Like `fileReply`, for a file that other origins may load, such as the client. */
export function sharedFileReply(exchange: Pick<Exchange, 'ifNoneMatch'>, file: PageFile): Reply {
  const reply = fileReply(exchange, file);
  return { ...reply, headers: [...reply.headers, 'Access-Control-Allow-Origin', '*'] };
}

/** Adds directives and drops those with the same name: browsers use the first directive of a name. */
function policyWith(directives: readonly string[]): string {
  const names = new Set(directives.map((each) => each.split(' ', 1)[0]));
  const others = contentSecurityPolicy.filter((each) => !names.has(each.split(' ', 1)[0]));
  return [...others, ...directives].join('; ');
}

function pageHeaders(directives: readonly string[] = []): readonly string[] {
  return [
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    policyWith(directives),
    'Referrer-Policy',
    'no-referrer',
    // Pages of other origins get no reference to the window.
    'Cross-Origin-Opener-Policy',
    'same-origin',
  ];
}

/** 404 with a page, for people. No cache may keep it, because programs get JSON at the same address. */
export function notFoundReply(html: string): Reply {
  const kind = ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', noStore];
  return { status: 404, headers: [...kind, 'Vary', 'Accept', ...pageHeaders()], body: html };
}

// Parts of declarations.

/** Common properties of the declarations of pages and their files. */
export const pageShared = { method: 'get', tag: 'Service', errorShape: 'render' } as const;

/** A text answer in one of several media types. */
export function textAnswer(description: string, ...mediaTypes: string[]): Answer {
  const content = mediaTypes.map((name): [string, Media] => {
    const type = name === 'application/json' ? 'object' : 'string';
    return [name, { schema: { type } }];
  });
  return { description, content: Object.fromEntries(content) };
}

/** The answer to a client whose copy has the current `ETag`. */
export const notModified = { 304: { description: 'The caller has this file.' } } as const;
