/** Builds links of a service, plain and signed. Needs only `crypto.subtle`. */
import { isUid } from '#language/uid.ts';
import type { FormatName } from '#language/formats.ts';

/** Values of a link by the names of the template's variables; undefined and null leave a variable out. */
export type RenderValues = Readonly<
  Record<string, string | number | boolean | URL | null | undefined>
>;

/** The options of a link. */
export interface RenderUrlOptions {
  /** Address of the service, with or without a slash at its end. Default: none, and the link begins with `/v1`. */
  baseUrl?: string | URL;
  /** Extension of the path, such as `png` or `jpg`. Default: none, for the format of the template. */
  format?: FormatName;
  /** Device pixels per design pixel. */
  scale?: 1 | 2 | 3;
  /** 1 to 100. Lossless formats ignore it. */
  quality?: number;
  /** A size of the template by its name. Default: the width and height of the template itself. */
  size?: string;
  /** Language of value formats as a BCP 47 tag such as `de-AT`. Default: that of the template. */
  lang?: string;
  /** A published version; its image never changes. */
  version?: number;
}

/** The options of a signed link. */
export interface SignedRenderUrlOptions extends RenderUrlOptions {
  /** A signing key of the template, as the service returned it. */
  signingKey: string;
  /** Expiry of the link: a date, or seconds since 1970. Default: none. */
  expires?: Date | number;
}

/** The link of template `uid` with `values`. Throws a `TypeError` for an invalid uid. */
export function renderUrl(
  uid: string,
  values: RenderValues = {},
  options: RenderUrlOptions = {},
): string {
  const query = renderQuery(values, options);
  return `${baseOf(options.baseUrl)}${renderPath(uid, options.format)}${query === '' ? '' : `?${query}`}`;
}

/**
 * The link with `_signature`, and with `_expires` if given, for templates that accept only signed links. Rejects with a
 * `TypeError` for an invalid `expires`: an invalid date, or milliseconds in place of seconds.
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
 * Signs a link, `/v1/render/…` with any origin, and replaces an existing signature. The signature covers the path
 * without its extension, so that the format can be chosen later. It covers the query as it is sent: one changed
 * character makes it invalid. Characters that browsers and `fetch` encode before they send a link (`'`, `"`, `<`, `>`,
 * spaces, letters outside ASCII) are encoded here. Rejects with a `TypeError` for a text that is no render link.
 */
export async function signRenderUrl(url: string | URL, signingKey: string): Promise<string> {
  const link = /^([^?#]*?)(\/v1\/render\/[\w-]{1,64})(\.\w+)?(?:\?([^#]*))?$/.exec(String(url));
  if (link === null)
    throw new TypeError(`"${String(url)}" is no link of the form …/v1/render/{uid}`);
  const [, base = '', path = '', extension = '', sent = ''] = link;
  const query = sent === '' ? '' : encodeAsSent(sent);
  const segments = query === '' ? [] : query.split('&').filter((segment) => !isSignature(segment));
  // The service reads an escaped `&amp;` as `&`.
  const text = segments.map((segment) => segment.replace(/^(?:amp;)+/, '')).join('&');
  const signature = await hmac(`${path}?${text}`, signingKey);
  return `${base}${path}${extension}?${[...segments, `_signature=${signature}`].join('&')}`;
}

/**
 * Encodes the characters of a query that clients encode before they send a URL (WHATWG URL, special-query
 * percent-encode set). The signature then matches the query that arrives.
 */
export function encodeAsSent(query: string): string {
  return query
    .toWellFormed()
    .replaceAll(/[^!$-&(-;=?-~]+/g, (text) => encodeURIComponent(text).replaceAll("'", '%27'));
}

/** Maximum expiry: seconds since 1970, in the year 5138. A larger number is in milliseconds. */
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
  const { scale, quality, size, lang, version } = options;
  const given = { _scale: scale, _quality: quality, _size: size, _lang: lang, _version: version };
  return queryOf({ ...values, ...given });
}

/** Builds a query without its `?`. Undefined and null values are left out. */
export function queryOf(values: RenderValues): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeText(name)}=${encodeText(String(value))}`)
    .join('&');
}

/**
 * Also encodes the characters that `encodeURIComponent` leaves (RFC 3986, sub-delims), because email and chat programs
 * do.
 */
function encodeText(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** An address without trailing slashes; empty for undefined. */
export function baseOf(baseUrl: string | URL | undefined): string {
  return String(baseUrl ?? '').replace(/\/+$/, '');
}
