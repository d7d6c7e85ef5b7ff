/** The addresses of a request: that of the client, and that at which it reached the service. */
import { BlockList, isIP } from 'node:net';

/**
 * A host name (with `_`, which internal networks use), an IPv4 address, or an IPv6 address in brackets; then a port.
 */
const hostPattern =
  /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,126}\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The longest DNS name, and a port. */
const hostCharactersMax = 253 + 6;

/**
 * Returns `https://images.example.com`, in lower case, from `Host`; undefined if `Host` is not valid. The scheme is
 * that of the server, or the last `X-Forwarded-Proto` if a trusted proxy sent one: `forwardedScheme` is empty
 * otherwise.
 */
export type OriginReader = (host: string, forwardedScheme: string) => string | undefined;

/** `isSecure`: whether the server itself uses TLS. */
export function createOriginReader(isSecure: boolean): OriginReader {
  const scheme = isSecure ? 'https' : 'http';
  return (host, forwardedScheme) => {
    if (host.length > hostCharactersMax || !hostPattern.test(host)) return undefined;
    const forwarded = forwardedScheme.split(',').at(-1)?.trim() ?? '';
    const isForwarded = /^https?$/i.test(forwarded);
    return `${isForwarded ? forwarded : scheme}://${host}`.toLowerCase();
  };
}

// The address of the client, also behind trusted proxies.

/** Hops of `X-Forwarded-For` that are followed: a chain of proxies is shorter, and a forged one may have thousands. */
const hopsMax = 10;

/** Returns the network of a client, for limits by client. */
export interface ClientAddresses {
  /**
   * `peer` is the socket's address in 4 or 16 bytes, `forwardedFor` the header `X-Forwarded-For` or an empty string. An
   * IPv4 address is returned whole; of IPv6 the first 64 bits, because one customer gets these (RFC 6177).
   */
  networkOf(peer: ArrayBuffer, forwardedFor: string): string;
  /** Whether the socket's address is that of a trusted proxy. */
  isTrusted(peer: ArrayBuffer): boolean;
}

/**
 * `trustedProxies` are addresses or CIDR blocks whose `X-Forwarded-For` is trusted, read from its right end; any other
 * client could forge it. Throws for an invalid address or block.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const trusted = new BlockList();
  for (const range of trustedProxies) addRange(trusted, range);
  return {
    isTrusted(peer) {
      if (trustedProxies.length === 0) return false;
      const address = addressOf(new Uint8Array(peer));
      return trusted.check(address, familyOf(address));
    },
    networkOf(peer, forwardedFor) {
      let address = addressOf(new Uint8Array(peer));
      if (trustedProxies.length === 0 || forwardedFor === '') return toNetwork(address);
      const hops = forwardedFor.split(',').slice(-hopsMax).toReversed();
      for (const hop of hops) {
        if (!trusted.check(address, familyOf(address))) break;
        const next = parseHop(hop);
        if (next === undefined) break;
        address = next;
      }
      return toNetwork(address);
    },
  };
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/');
  const family = familyOf(address);
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Parses an address of the list in the forms that proxies write: with a port, in brackets. */
function parseHop(text: string): string | undefined {
  const trimmed = text.trim();
  const address = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(trimmed);
  const plain = address?.[1] ?? address?.[2] ?? trimmed;
  if (isIP(plain) === 0 || plain.includes('%')) return undefined;
  return /^::ffff:([\d.]+)$/i.exec(plain)?.[1] ?? plain;
}

/** Text of an address in bytes; an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) as IPv4. */
function addressOf(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const hasMappedStart = bytes.subarray(0, 10).every((byte) => byte === 0);
  if (hasMappedStart && bytes[10] === 0xff && bytes[11] === 0xff)
    return bytes.subarray(12).join('.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const groups = Array.from({ length: bytes.length >> 1 }, (_, index) =>
    view.getUint16(index * 2).toString(16),
  );
  return groups.join(':');
}

function toNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [front = '', back] = address.split('::');
  const groups = front === '' ? [] : front.split(':');
  if (back !== undefined) {
    const tail = back === '' ? 0 : back.split(':').length;
    while (groups.length + tail < 8) groups.push('0');
    groups.push(...(back === '' ? [] : back.split(':')));
  }
  const first = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(':')}::/64`;
}
