/** Looks up host names with c-ares, because getaddrinfo would block threads of the pool. */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errorCodeOf } from '../../foundation/errors.ts';
import { ImageError } from '../image-error.ts';

/** One address of a host, in the form that the `lookup` of `net.connect` returns. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

export interface HostResolver {
  /**
   * All addresses of `host` (a name, or an address literal without brackets). IPv4 addresses come first: nearly every
   * image host has one, and servers without IPv6 routes are common. Asks name servers only, without `/etc/hosts` and
   * search domains. `localhost` and names below it are 127.0.0.1 (RFC 6761 section 6.3). Rejects with an `ImageError`
   * of reason `dns`.
   */
  resolveHost(host: string): Promise<HostAddress[]>;
  close(): void;
}

/** Time-out of one try of a query, in ms; two tries fit the default time-out of a connection. */
const queryTimeoutMs = 700;
const queryTries = 2;
/** Longest wait for the slower query after the other one has answered (RFC 8305 section 3: 50 ms for one direction). */
const secondFamilyWaitMs = 100;
/** Addresses kept of one family; large CDNs answer with up to eight. */
const addressesMax = 16;

/** Creates a resolver that asks `servers` (`address` or `address:port`), or the system's when empty. */
export function createHostResolver(servers: readonly string[]): HostResolver {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    async resolveHost(host) {
      const family = isIP(host);
      if (family !== 0) return [{ address: host, family: family === 4 ? 4 : 6 }];
      const name = host.replace(/\.$/, '').toLowerCase();
      if (name === 'localhost' || name.endsWith('.localhost'))
        return [{ address: '127.0.0.1', family: 4 }];
      return queryBoth(resolver, name);
    },
    close: () => resolver.cancel(),
  };
}

async function queryBoth(resolver: Resolver, name: string): Promise<HostAddress[]> {
  const ipv4 = query(() => resolver.resolve4(name), 4);
  const ipv6 = query(() => resolver.resolve6(name), 6);
  // A name server that drops AAAA queries must not delay every connection by the time-out.
  await Promise.race([ipv4.answered, ipv6.answered, Promise.all([ipv4.done, ipv6.done])]);
  await Promise.race([Promise.all([ipv4.done, ipv6.done]), wait(secondFamilyWaitMs)]);
  const addresses = [...ipv4.addresses, ...ipv6.addresses];
  if (addresses.length > 0) return addresses;
  const missing = [ipv4, ipv6].every(({ code }) => code === 'ENOTFOUND' || code === 'ENODATA');
  throw new ImageError(
    'dns',
    missing
      ? `is on a host that does not exist (${name})`
      : `is on a host whose name cannot be looked up (${name})`,
  );
}

interface Query {
  addresses: HostAddress[];
  code: string | undefined;
  /** Resolves when the query has ended; never rejects. */
  done: Promise<void>;
  /** Resolves only if there is an address. */
  answered: Promise<void>;
}

function query(ask: () => Promise<string[]>, family: 4 | 6): Query {
  const answer: Query = {
    addresses: [],
    code: undefined,
    done: Promise.resolve(),
    answered: Promise.resolve(),
  };
  answer.answered = new Promise((resolve) => {
    answer.done = settle(answer, ask, family, resolve);
  });
  return answer;
}

async function settle(
  answer: Query,
  ask: () => Promise<string[]>,
  family: 4 | 6,
  onAddresses: () => void,
): Promise<void> {
  try {
    const addresses = await ask();
    answer.addresses = addresses.slice(0, addressesMax).map((address) => ({ address, family }));
    if (addresses.length > 0) onAddresses();
  } catch (error) {
    answer.code = errorCodeOf(error);
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
