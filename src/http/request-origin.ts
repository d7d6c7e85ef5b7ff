/** The address at which a client reached the service, for links in its answer. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { ClientAddresses } from './connections/client-address.ts';

/** A host name (with `_`, which internal networks use), an IPv4 address, or an IPv6 address in brackets; then a port. */
const hostPattern =
  /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,126}\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Longest name of the DNS, and a port. */
const hostCharactersMax = 253 + 6;

/**
 * `https://images.example.com`, in lower case, of `Host`; undefined when `Host` is not valid. The scheme is that of the server, or the last
 * `X-Forwarded-Proto` where a trusted proxy sent the request.
 */
export type OriginReader = (request: HttpRequest, response: HttpResponse) => string | undefined;

/** `isSecure`: whether the server itself speaks TLS. */
export function createOriginReader(
  isSecure: boolean,
  addresses: Pick<ClientAddresses, 'isTrusted'>,
): OriginReader {
  const scheme = isSecure ? 'https' : 'http';
  return (request, response) => {
    const host = request.getHeader('host');
    if (host.length > hostCharactersMax || !hostPattern.test(host)) return undefined;
    const forwarded = request.getHeader('x-forwarded-proto').split(',').at(-1)?.trim() ?? '';
    const isForwarded =
      /^https?$/i.test(forwarded) && addresses.isTrusted(response.getRemoteAddress());
    return `${isForwarded ? forwarded : scheme}://${host}`.toLowerCase();
  };
}
