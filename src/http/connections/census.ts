/** Counts connections by the network they come from: the addon does not say whose connection has ended, the kernel does. */
import { readFileSync } from 'node:fs';
import type { ClientAddresses } from './client-address.ts';

/** The kernel's tables of TCP sockets, proc_pid_net(5). */
const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** Its counts of sockets, also of those that no process holds any more (`orphan`) and of the pages that sockets hold (`mem`), of the whole machine. */
const summary = '/proc/self/net/sockstat';

/** Its pages have 4 KiB on x64, and up to 64 KiB on Arm. */
const pageBytesMax = process.arch === 'arm64' ? 65_536 : 4096;

/** Milliseconds between two readings, and how often the time that one takes: 5 ms for a table of 1,500 sockets. */
const readEveryMs = 1000;
const readEveryTimes = 50;

/**
 * Local port, remote address, and a state in which the kernel still keeps bytes for the caller: ESTABLISHED (01) and
 * CLOSE_WAIT (08), or, closed by this side before everything was read, FIN_WAIT1 (04), LAST_ACK (09) and CLOSING (0B).
 * In FIN_WAIT2 all has been read. Last come the bytes that are not acknowledged (`tx_queue`).
 */
const row =
  /^\s*\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]{8}|[\dA-F]{32}):[\dA-F]{4} (0[1489B]) ([\dA-F]{8}):/gm;
const openStates: ReadonlySet<string | undefined> = new Set(['01', '08']);

/** What the tables say of one port. */
interface Count {
  byNetwork: Map<string, number>;
  /** Those that are closed and not read to the end. */
  unread: number;
  /** Bytes that were sent and not acknowledged, by network. */
  unreadBytes: Map<string, number>;
}

/** Connections to one port by network: the kernel's count, and what was accepted since. */
export class ConnectionCensus {
  readonly #addresses: ClientAddresses;
  #count: Count | undefined;
  #nextReadMs = -Infinity;
  #orphans = 0;
  #ended = 0;
  #nextSummaryMs = -Infinity;

  constructor(addresses: ClientAddresses) {
    this.#addresses = addresses;
  }

  /** To be told of each connection that has ended here: the kernel may still hold what its caller has not read. */
  end(): void {
    this.#ended += 1;
  }

  /** At most so many connections have ended and are held by the kernel; cheap enough for each one that opens. */
  get unreadMax(): number {
    const nowMs = performance.now();
    if (nowMs >= this.#nextSummaryMs) {
      this.#nextSummaryMs = nowMs + readEveryMs;
      this.#orphans = Number(/ orphan (\d+)/.exec(readText(summary) ?? '')?.[1] ?? 0);
      this.#ended = 0;
    }
    return this.#orphans + this.#ended;
  }

  /** Connections to the local `port` that have ended and are not read to the end. */
  unread(port: number): number {
    this.#readWhenDue(port);
    return this.#count?.unread ?? 0;
  }

  /**
   * Upper bound of the bytes that the kernel holds for all sockets of the machine, as of now; infinite where it does
   * not tell. Takes 40 µs, the tables 8 ms even when they are empty: the kernel walks its whole hash table for them.
   */
  get heldBytesMax(): number {
    const pages = / mem (\d+)/.exec(readText(summary) ?? '')?.[1];
    return pages === undefined ? Infinity : Number(pages) * pageBytesMax;
  }

  /** Bytes that the kernel holds for callers of the local `port`, by network, as of now; empty where it does not tell. */
  unreadBytes(port: number): Map<string, number> {
    this.#read(port);
    return this.#count?.unreadBytes ?? new Map<string, number>();
  }

  /** Counts one more connection to the local `port`, unless its network has `countMax`. True also where the kernel does not tell. */
  take(port: number, network: string, countMax: number): boolean {
    this.#readWhenDue(port);
    if (this.#count === undefined) return true;
    const { byNetwork } = this.#count;
    const count = byNetwork.get(network) ?? 0;
    if (count >= countMax) return false;
    byNetwork.set(network, count + 1);
    return true;
  }

  /** At once: read in the background the tables would come after those who are to be counted. */
  #readWhenDue(port: number): void {
    if (performance.now() >= this.#nextReadMs) this.#read(port);
  }

  #read(port: number): void {
    const nowMs = performance.now();
    const texts = tables.flatMap((path) => readText(path) ?? []);
    this.#count = texts.length === 0 ? undefined : this.#countRows(texts, port);
    const tookMs = performance.now() - nowMs;
    this.#nextReadMs = nowMs + Math.max(readEveryMs, tookMs * readEveryTimes);
  }

  #countRows(texts: readonly string[], port: number): Count {
    const ours = port.toString(16).toUpperCase().padStart(4, '0');
    const byAddress = new Map<string, { count: number; bytes: number }>();
    let unread = 0;
    for (const text of texts) {
      for (const [, local, address = '', state, queue = ''] of text.matchAll(row)) {
        if (local !== ours) continue;
        const sum = byAddress.get(address) ?? { count: 0, bytes: 0 };
        sum.count += 1;
        sum.bytes += Number.parseInt(queue, 16);
        byAddress.set(address, sum);
        if (!openStates.has(state)) unread += 1;
      }
    }
    const byNetwork = new Map<string, number>();
    const unreadBytes = new Map<string, number>();
    for (const [address, { count, bytes }] of byAddress) {
      const network = this.#addresses.networkOf(addressBytes(address), '');
      byNetwork.set(network, (byNetwork.get(network) ?? 0) + count);
      unreadBytes.set(network, (unreadBytes.get(network) ?? 0) + bytes);
    }
    return { byNetwork, unread, unreadBytes };
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

/** The kernel writes an address as words of 32 bits in the order of the machine: little-endian wherever the addon runs. */
function addressBytes(hex: string): ArrayBuffer {
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    const place = (index & ~3) + (3 - (index & 3));
    bytes[place] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes.buffer;
}
