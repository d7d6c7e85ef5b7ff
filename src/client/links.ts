/** Builds links of a service, plain and signed. Needs only `crypto.subtle`. */
import { isUid } from '#language/uid.ts';
import type { FormatName } from '#language/formats.ts';
import { encodePair, signatureVersion, signedText } from '#language/signed-text.ts';

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
 * without its extension, so that the format can be chosen later, and the decoded names and values: programs may spell
 * and order them another way. Of equal names it keeps the first. Rejects with a `TypeError` for a text that is no render
 * link.
 *
 * A link with a broken escape, or with the address of an image that is not encoded and has a `?`, `%` or `+`, has more
 * than one reading. Its signature covers the query as it is sent: one changed character makes it invalid.
 */
export async function signRenderUrl(url: string | URL, signingKey: string): Promise<string> {
  const link = /^([^?#]*?)(\/v1\/render\/[\w-]{1,64})(\.\w+)?(?:\?([^#]*))?$/.exec(String(url));
  if (link === null)
    throw new TypeError(`"${String(url)}" is no link of the form …/v1/render/{uid}`);
  const [, base = '', path = '', extension = '', sent = ''] = link;
  const segments = sent
    .split('&')
    .map((segment) => segment.replace(/^(?:amp;)+/, ''))
    .filter((segment) => segment !== '' && !isSignature(segment));
  const pairs = readPairs(segments);
  if (pairs !== undefined) {
    const query = await signedQuery(path, pairs, signingKey);
    return `${base}${path}${extension}?${query}`;
  }
  const query = segments.map(encodeAsSent).join('&');
  const signature = await hmac(`${path}?${query}`, signingKey);
  return `${base}${path}${extension}?${query}&_signature=${signature}`;
}

/** The query of names and values, each name once, with their signature. */
async function signedQuery(
  path: string,
  values: ReadonlyMap<string, string>,
  signingKey: string,
): Promise<string> {
  const pairs = [...values].map(([name, value]) => encodePair(name, value));
  const signature = await hmac(signedText(path, pairs), signingKey);
  return [...pairs, `_signature=${signatureVersion}.${signature}`].join('&');
}

/** The decoded names and values, of equal names the first; undefined if they have more than one reading. */
function readPairs(segments: readonly string[]): Map<string, string> | undefined {
  const pairs = new Map<string, string>();
  for (const segment of segments) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(segment) ?? [];
    if (/^https?:\/\/.*[?%+]/i.test(value)) return undefined;
    try {
      const decoded = decode(name);
      if (decoded !== '' && !pairs.has(decoded)) pairs.set(decoded, decode(value));
    } catch {
      return undefined;
    }
  }
  return pairs;
}

/** Throws a `URIError` for a broken escape. */
function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/**
 * Encodes the characters of a query that clients encode before they send a URL (WHATWG URL, special-query
 * percent-encode set). The signature then matches the query that arrives.
 */
function encodeAsSent(query: string): string {
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
  // An absent option leaves a value of its name.
  const chosen = Object.entries(given).filter(([, option]) => option !== undefined);
  return queryOf({ ...values, ...Object.fromEntries(chosen) });
}

/** Builds a query without its `?`. Undefined and null values are left out. */
export function queryOf(values: RenderValues): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => encodePair(name, String(value)))
    .join('&');
}

/** An address without trailing slashes; empty for undefined. */
export function baseOf(baseUrl: string | URL | undefined): string {
  return String(baseUrl ?? '').replace(/\/+$/, '');
}
