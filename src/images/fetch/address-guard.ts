/** Checks URLs before a fetch and IP addresses before a connection: only public and listed addresses are allowed. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ImageError, notPublic } from '../image-error.ts';

/*
 * The attack (SSRF): a link names an image on this machine, in its network, or on the cloud's metadata service, and
 * this server fetches it from inside the firewall. A name proves nothing: it can point to 127.0.0.1, and elsewhere a
 * second later (DNS rebinding). Only addresses are checked: before a socket connects, and again after it connected.
 * Lists of blocked ranges have missed `::127.0.0.1`, ISATAP and cloud addresses. For IPv6 the guard therefore allows
 * the one public block, and blocks every address in it that embeds an IPv4 address.
 */

/** IPv4 blocks that are not public unicast: the IANA special-purpose registry, multicast, class E. */
const closedIpv4 = [
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // carrier NAT (RFC 6598); holds Alibaba's metadata 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host agent: a public address that answers only from inside
  '169.254.0.0/16', // link-local (RFC 3927); holds the metadata service 169.254.169.254
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments (RFC 6890); holds Oracle's old metadata 192.0.0.192
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.31.196.0/24', // AS112 (RFC 7535)
  '192.52.193.0/24', // AMT (RFC 7450)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112 (RFC 7534)
  '198.18.0.0/15', // benchmarking (RFC 2544)
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
].map(parseRange);

/** The only IPv6 block from which global unicast is assigned (RFC 4291 section 2.4, IANA). */
const openIpv6 = parseRange('2000::/3');

/** Blocks of `openIpv6` that are not public unicast. Mapped, compatible, NAT64, ULA and link-local lie outside it. */
const closedIpv6 = [
  '2001::/23', // protocol assignments (RFC 2928): Teredo, ORCHID, benchmarking, AMT
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4 (RFC 3056) embeds any IPv4 address
  '2620:4f:8000::/48', // AS112 (RFC 7534)
  '3ffe::/16', // 6bone, returned (RFC 3701)
  '3fff::/20', // documentation (RFC 9637)
].map(parseRange);

type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Answers whether an address may be connected to. */
export interface AddressGuard {
  /** `address` as a resolver or a socket gives it; false for anything that is no plain address. */
  isAllowed(address: string): boolean;
}

/**
 * Creates a guard that allows public unicast addresses and `allowedAddresses` (CIDR blocks or single
 * addresses, IPv4 or IPv6). Throws an Error that names the first entry that is neither.
 */
export function createAddressGuard(allowedAddresses: readonly string[]): AddressGuard {
  const opened = allowedAddresses.map(parseRange);
  return {
    isAllowed(address) {
      const parsed = parseAddress(address);
      if (parsed === undefined) return false;
      return opened.some((range) => contains(range, parsed)) || isPublic(parsed);
    },
  };
}

/** Whether `address` is public unicast; false for anything that is no plain address (zone ids too). */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && isPublic(parsed);
}

/** The canonical form of an address, for comparison; undefined if `address` is not an IP address. */
export function canonicalAddress(address: string): string | undefined {
  return parseAddress(address)?.toNormalizedString();
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return !closedIpv4.some((range) => contains(range, address));
  return (
    contains(openIpv6, address) &&
    !closedIpv6.some((range) => contains(range, address)) &&
    !isIsatap(address.toByteArray())
  );
}

/** RFC 5214 section 6.1: an interface id of 0000:5efe or 0200:5efe tunnels to the IPv4 address behind it. */
function isIsatap(bytes: number[]): boolean {
  return (
    ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  );
}

function contains(range: AddressRange, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  // ipaddr.js throws when the families differ.
  return range[0].kind() === address.kind() && address.match(range);
}

function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // ipaddr.js also accepts octal and short forms; `isIP` is strict.
  if (isIP(address) === 0 || address.includes('%')) return undefined;
  return ipaddr.parse(address);
}

function parseRange(text: string): AddressRange {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const parsed = parseAddress(address);
  const bitsMax = parsed?.kind() === 'ipv6' ? 128 : 32;
  const length = bits === undefined ? bitsMax : Number(bits);
  if (
    parsed === undefined ||
    rest.length > 0 ||
    (bits !== undefined && !/^\d{1,3}$/.test(bits)) ||
    length > bitsMax
  ) {
    throw new Error(
      `"${text}" is no address range; expected an IPv4 or IPv6 address or CIDR block such as 10.1.0.0/16`,
    );
  }
  return [parsed, length];
}

// URLs of image sources: parsing and checks before a fetch.

/** A DNS name has at most 253 characters (RFC 1035 section 2.3.4). */
const hostCharactersMax = 253;

/**
 * Parses an absolute http(s) URL as browsers do (WHATWG), without its fragment. Every form of an IPv4 address (decimal,
 * octal, hexadecimal, full-width digits, trailing dot) becomes the dotted decimal one. Throws an `ImageError` of reason
 * `url` for any other text, and for a URL with a user name or password.
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
 * Rejects a URL that is below `serviceUrl`, has a port that is not allowed, or has a blocked address as its host.
 * Runs before a fetch is queued, because it needs no look-up. Host names are checked when they are looked up.
 * Throws an `ImageError` of reason `blocked`.
 */
export function checkUrlTarget(
  url: URL,
  guard: AddressGuard,
  allowedPorts: readonly number[],
  serviceUrl: string | undefined,
): void {
  if (serviceUrl !== undefined && isBelow(url, new URL(serviceUrl))) {
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

/** Whether `url` lies on the host of `base`, at any port, and below its path. */
function isBelow(url: URL, base: URL): boolean {
  if (hostName(url) !== hostName(base)) return false;
  return `${url.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, '')}/`);
}

/** The host of a URL without port, in one form: lower case (as parsed), without the trailing dot. */
export function hostName(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

// The hosts from which an organization allows images.

/**
 * Throws an `ImageError` of reason `blocked` when `hosts` is a list and the URL's host is not on it.
 * An entry is a host name in lower case, or `*.` and a host name for all names below it, at any depth.
 * Needs no look-up: name servers are never asked for a name that is not listed.
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
