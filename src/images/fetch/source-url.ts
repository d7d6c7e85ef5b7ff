/** Reads the text of an image source as a URL that may be asked, and refuses what never may. */
import { isIP } from 'node:net';
import { ImageError, notPublic } from '../image-error.ts';
import type { AddressGuard } from './address-guard.ts';

/** A DNS name has at most 253 characters (RFC 1035 section 2.3.4). */
const hostCharactersMax = 253;

/**
 * Parses an absolute http(s) URL as browsers do (WHATWG), so that every spelling of an address
 * (decimal, octal, hexadecimal, full-width digits, trailing dot) becomes the plain one. Without its
 * fragment. Throws an `ImageError` of reason `url` for anything else, also for user names in it.
 */
export function parseHttpUrl(text: string, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch (error) {
    throw new ImageError('url', 'is no http(s) URL', { cause: error });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ImageError('url', 'is no http(s) URL');
  if (url.username !== '' || url.password !== '')
    throw new ImageError('url', 'has a user name or password in its URL, which is not allowed');
  const host = url.hostname;
  if (host.length > hostCharactersMax || /^\.|\.\./.test(host))
    throw new ImageError('url', 'is no http(s) URL: its host name is not valid');
  url.hash = '';
  return url;
}

/**
 * Refuses a URL below `ownUrl`, whose port is closed or whose host is an address that may not be connected to.
 * Costs nothing, so it runs before anything is queued; names are judged when they are looked up.
 * Throws an `ImageError` of reason `blocked`.
 */
export function checkUrlTarget(
  url: URL,
  guard: AddressGuard,
  allowedPorts: readonly number[],
  ownUrl: string | undefined,
): void {
  if (ownUrl !== undefined && isBelow(url, new URL(ownUrl))) {
    throw new ImageError(
      'blocked',
      'is an address of this service itself, which fetches no images from itself: upload it as an asset',
    );
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (!allowedPorts.includes(port)) {
    const allowed = allowedPorts.join(', ');
    throw new ImageError('blocked', `uses port ${port}, which is not allowed (only ${allowed})`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !guard.isAllowed(host)) throw new ImageError('blocked', notPublic);
}

/** Whether `url` lies on the host of `base`, whatever its port, and below its path. */
function isBelow(url: URL, base: URL): boolean {
  if (hostName(url) !== hostName(base)) return false;
  return `${url.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, '')}/`);
}

/** The host of a URL by one name for all its spellings, without port: lower case (as parsed), without the root's dot. */
export function hostName(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

// Says whether a URL's host is one of those that an organization allows images from.

/**
 * Throws an `ImageError` of reason `blocked` when `hosts` is a list and the URL's host is not on it.
 * An entry is a host name in lower case, or `*.` and one for every name below it, at any depth.
 * Costs no look-up: a name that is not listed is never asked of a name server.
 */
export function checkListedHost(url: URL, hosts: readonly string[] | undefined): void {
  if (hosts === undefined) return;
  const host = hostName(url);
  const isListed = hosts.some((entry) =>
    entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry,
  );
  if (isListed) return;
  throw new ImageError(
    'blocked',
    `is on ${host}, and this organization allows images from listed hosts only`,
  );
}
