/** The address that links begin with, and whether it is public. */

/**
 * The address of the links that a page shows, without a slash at the end: the configured one, else that under which the
 * page was opened. Without a configuration the service knows its port alone and says `localhost`.
 */
export function linkBase(configured: string, pageAddress: string): string {
  const isConfigured = configured !== '' && !/^https?:\/\/localhost(:\d+)?$/.test(configured);
  return (isConfigured ? configured : pageAddress).replace(/\/+$/, '');
}

/** Names that no public name server knows (RFC 2606, RFC 6761, RFC 6762, RFC 8375, and `.internal`, `.lan`). */
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
