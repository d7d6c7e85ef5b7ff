/** Links of a service, plain and signed; needs nothing but `crypto.subtle`. */
import { isUid } from '#language/uid.ts';
import type { FormatName } from '#language/formats.ts';

/** Values of a link by the names of the template's variables; undefined and null leave a variable out. */
export type RenderValues = Readonly<
  Record<string, string | number | boolean | URL | null | undefined>
>;

/** What a link asks for beside its values. */
export interface RenderUrlOptions {
  /** Address of the service, with or without a slash at its end. Default: none, and the link begins with `/v1`. */
  baseUrl?: string | URL;
  /** Ends the path in `.png`, `.jpg`, `.webp` or `.avif`; default: the template's own format. */
  format?: FormatName;
  /** Device pixels for a design pixel. */
  scale?: 1 | 2 | 3;
  /** 1 to 100; PNG has none. */
  quality?: number;
  /** A published version: its picture never changes. */
  version?: number;
}

/** What a signed link needs beside that. */
export interface SignedRenderUrlOptions extends RenderUrlOptions {
  /** One of the template's signing keys, as the service showed it. */
  signingKey: string;
  /** When the link ends: a date, or seconds since 1970. Default: never. */
  expires?: Date | number;
}

/** The link that draws template `uid` with `values`. Throws a `TypeError` for a uid that can be none. */
export function renderUrl(
  uid: string,
  values: RenderValues = {},
  options: RenderUrlOptions = {},
): string {
  const query = renderQuery(values, options);
  return `${baseOf(options.baseUrl)}${renderPath(uid, options.format)}${query === '' ? '' : `?${query}`}`;
}

/**
 * The same link with `_expires`, when asked for, and the `_signature` of a template that answers signed links only.
 * Rejects with a `TypeError` for an `expires` that is no time: an invalid date, or milliseconds in place of seconds.
 */
export async function signedRenderUrl(
  uid: string,
  values: RenderValues,
  options: SignedRenderUrlOptions,
): Promise<string> {
  const { expires, signingKey } = options;
  const limits = expires === undefined ? {} : { _expires: expirySeconds(expires) };
  return signRenderUrl(renderUrl(uid, { ...values, ...limits }, options), signingKey);
}

/**
 * Signs a link as it stands, in place of a signature that it may have: `/v1/render/…` with whatever is before it. The
 * signature covers the path without its extension, so that the format may be chosen later, and the query as it is sent:
 * whoever changes one character of it afterwards breaks it. What browsers and `fetch` encode before they send a link
 * (`'`, `"`, `<`, `>`, spaces, letters outside ASCII) is encoded here already. Rejects with a `TypeError` for what is no
 * render link.
 */
export async function signRenderUrl(url: string | URL, signingKey: string): Promise<string> {
  const link = /^([^?#]*?)(\/v1\/render\/[\w-]{1,64})(\.\w+)?(?:\?([^#]*))?$/.exec(String(url));
  if (link === null)
    throw new TypeError(`"${String(url)}" is no link of the form …/v1/render/{uid}`);
  const [, base = '', path = '', extension = '', sent = ''] = link;
  const query = sent === '' ? '' : encodeAsSent(sent);
  const segments = query === '' ? [] : query.split('&').filter((segment) => !isSignature(segment));
  // An `&amp;` that was never unescaped is an `&` to the service.
  const text = segments.map((segment) => segment.replace(/^(?:amp;)+/, '')).join('&');
  const signature = await hmac(`${path}?${text}`, signingKey);
  return `${base}${path}${extension}?${[...segments, `_signature=${signature}`].join('&')}`;
}

/**
 * A query with those characters encoded that every parser of addresses encodes before it sends them (WHATWG URL,
 * special-query percent-encode set), so that what is signed is what arrives.
 */
export function encodeAsSent(query: string): string {
  return query
    .toWellFormed()
    .replaceAll(/[^!$-&(-;=?-~]+/g, (text) => encodeURIComponent(text).replaceAll("'", '%27'));
}

/** Seconds since 1970 that are surely no milliseconds: the year 5138. */
const expirySecondsMax = 99_999_999_999;

function expirySeconds(expires: Date | number): number {
  const seconds = Math.floor(expires instanceof Date ? expires.getTime() / 1000 : expires);
  if (seconds >= 0 && seconds <= expirySecondsMax) return seconds;
  throw new TypeError(
    `expires is ${String(expires)}: expected a valid Date, or seconds since 1970 (not milliseconds).`,
  );
}

function isSignature(segment: string): boolean {
  return /^(?:amp;)*_signature(?:=|$)/.test(segment);
}

/** HMAC-SHA256 in lower-case hexadecimal digits. */
async function hmac(message: string, secret: string): Promise<string> {
  const { subtle } = globalThis.crypto;
  const text = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign']);
  const signature = await subtle.sign('HMAC', key, text.encode(message));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function renderPath(uid: string, format: RenderUrlOptions['format']): string {
  if (!isUid(uid)) {
    throw new TypeError(`"${uid}" is no uid of a template: 1 to 64 of A-Z, a-z, 0-9, _ and -.`);
  }
  return `/v1/render/${uid}${format === undefined ? '' : `.${format}`}`;
}

function renderQuery(values: RenderValues, options: RenderUrlOptions): string {
  const { scale, quality, version } = options;
  return queryOf({ ...values, _scale: scale, _quality: quality, _version: version });
}

/** Names and values as a query, without its `?`; undefined and null are left out. */
export function queryOf(values: RenderValues): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeText(name)}=${encodeText(String(value))}`)
    .join('&');
}

/** Encodes also what `encodeURIComponent` leaves (RFC 3986, sub-delims): parsers of addresses, mail and chat tools do. */
function encodeText(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** An address without slashes at its end; empty for none. */
export function baseOf(baseUrl: string | URL | undefined): string {
  return String(baseUrl ?? '').replace(/\/+$/, '');
}
