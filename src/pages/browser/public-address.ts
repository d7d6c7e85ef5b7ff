/** Finds the base address of links, and whether it is public. */

/**
 * The base address of the links on a page, without a trailing slash: the configured one, or otherwise the address of
 * the page. A configured `localhost` does not count: it is the default without a configuration.
 */
export function linkBase(configured: string, pageAddress: string): string {
  const isConfigured = configured !== '' && !/^https?:\/\/localhost(:\d+)?$/.test(configured);
  return (isConfigured ? configured : pageAddress).replace(/\/+$/, '');
}

/** Names that no public name server resolves (RFC 2606, RFC 6761, RFC 6762, RFC 8375, and `.internal`, `.lan`). */
const localName = /(^|\.)(localhost|local|internal|lan|test|invalid|home\.arpa)\.?$/i;

/** IPv4 ranges of one machine or one network (RFC 1122, 1918, 3927, 6598). */
const localIpv4 =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** The loopback, link-local and unique local ranges of IPv6 (RFC 4291, 4193), in the brackets of a URL. */
const localIpv6 = /^\[(::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/i;

/** Whether readers outside of this machine and its network can open links under `base`. */
export function isPublicAddress(base: string): boolean {
  if (!URL.canParse(base)) return false;
  const { hostname } = new URL(base);
  if (hostname.startsWith('[')) return !localIpv6.test(hostname);
  if (/^[\d.]+$/.test(hostname)) return !localIpv4.test(hostname);
  return hostname.includes('.') && !localName.test(hostname);
}
