/** How a request says where its body ends and whom it means, and whether that can be believed. */
import type { HttpRequest } from 'uWebSockets.js';
import { contentLengthName, transferEncodingName } from './header-names.ts';

/** The framing of a body (RFC 9112 section 6). */
export interface BodyFraming {
  /** Bytes announced by `Content-Length`; undefined for a chunked body. */
  length: number | undefined;
}

/** What is wrong with a head: two readers could disagree on where its body ends (`broken`), or whom it means (`hosts`). */
export type HeadFault = 'broken' | 'hosts';

/** True when a request says anything of a body, be it that there is none: the second of two lengths may say another. */
export function hasFraming(request: HttpRequest): boolean {
  return (
    request.getHeader(contentLengthName) !== '' || request.getHeader(transferEncodingName) !== ''
  );
}

/**
 * Reads the framing of a request; undefined when it has no body. `broken` when two readers of it could disagree: both
 * headers, one of them twice, another encoding than `chunked`, a length that is no number. That is how a second request
 * is smuggled past a proxy, so such a connection must be closed. `hosts` for a second `Host` (RFC 9112 section 3.2). Not
 * asked of a plain GET, whose answer no host changes: reading all headers takes 1 to 2 µs, as long as a hit.
 */
export function readFraming(request: HttpRequest): BodyFraming | HeadFault | undefined {
  let hosts = 0;
  const lengths: string[] = [];
  const encodings: string[] = [];
  request.forEach((name, value) => {
    if (name === 'content-length') lengths.push(value);
    else if (name === 'transfer-encoding') encodings.push(value);
    else if (name === 'host') hosts += 1;
  });
  if (hosts > 1) return 'hosts';
  const [length] = lengths;
  const [encoding] = encodings;
  if (length === undefined && encoding === undefined) return undefined;
  if (lengths.length + encodings.length !== 1) return 'broken';
  if (length === undefined) {
    return encoding?.toLowerCase() === 'chunked' ? { length: undefined } : 'broken';
  }
  if (!/^\d{1,15}$/.test(length)) return 'broken';
  return Number(length) === 0 ? undefined : { length: Number(length) };
}
