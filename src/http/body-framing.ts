/** How a request says where its body ends, and whether that can be believed. */
import type { HttpRequest } from 'uWebSockets.js';

/** The framing of a body (RFC 9112 section 6). */
export interface BodyFraming {
  /** Bytes announced by `Content-Length`; undefined for a chunked body. */
  length: number | undefined;
}

/** True when a request says anything of a body, be it that there is none: the second of two lengths may say another. */
export function hasFraming(request: HttpRequest): boolean {
  return (
    request.getHeader('content-length') !== '' || request.getHeader('transfer-encoding') !== ''
  );
}

/**
 * Reads the framing of a request that has some; a length of 0 means no body. `broken` when two readers of it could disagree: both
 * headers, one of them twice, another encoding than `chunked`, a length that is no number. That is how a second request
 * is smuggled past a proxy, so such a connection must be closed.
 */
export function readFraming(request: HttpRequest): BodyFraming | 'broken' {
  const lengths: string[] = [];
  const encodings: string[] = [];
  request.forEach((name, value) => {
    if (name === 'content-length') lengths.push(value);
    else if (name === 'transfer-encoding') encodings.push(value);
  });
  if (lengths.length + encodings.length !== 1) return 'broken';
  const [length] = lengths;
  if (length === undefined) {
    return encodings[0]?.toLowerCase() === 'chunked' ? { length: undefined } : 'broken';
  }
  return /^\d{1,15}$/.test(length) ? { length: Number(length) } : 'broken';
}
