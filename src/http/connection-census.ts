/** Counts connections by the network they come from: the addon does not say whose connection has ended, the kernel does. */
import { readFileSync } from 'node:fs';
import type { ClientAddresses } from './client-address.ts';

/** The kernel's tables of TCP sockets, proc_pid_net(5). */
const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** Milliseconds between two readings, and how often the time that one takes: 5 ms for a table of 1,500 sockets. */
const readEveryMs = 1000;
const readEveryTimes = 50;

/** Local port, remote address, and a state in which this side has not closed: ESTABLISHED (01) or CLOSE_WAIT (08). */
const row = /^\s*\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]{8}|[\dA-F]{32}):[\dA-F]{4} 0[18] /gm;

/** Connections to one port by network: the kernel's count, and what was accepted since. */
export class ConnectionCensus {
  readonly #addresses: ClientAddresses;
  #counts: Map<string, number> | undefined;
  #nextReadMs = -Infinity;

  constructor(addresses: ClientAddresses) {
    this.#addresses = addresses;
  }

  /**
   * Counts one more connection to the local `port`, unless its network has `countMax`. True also where the kernel does not tell.
   * Reads the tables at once when they are due: read in the background they would come after those who are to be counted.
   */
  take(port: number, network: string, countMax: number): boolean {
    const nowMs = performance.now();
    if (nowMs >= this.#nextReadMs) {
      this.#counts = this.#read(port);
      const tookMs = performance.now() - nowMs;
      this.#nextReadMs = nowMs + Math.max(readEveryMs, tookMs * readEveryTimes);
    }
    if (this.#counts === undefined) return true;
    const count = this.#counts.get(network) ?? 0;
    if (count >= countMax) return false;
    this.#counts.set(network, count + 1);
    return true;
  }

  #read(port: number): Map<string, number> | undefined {
    const texts = tables.flatMap((path) => {
      try {
        return [readFileSync(path, 'latin1')];
      } catch {
        return [];
      }
    });
    return texts.length === 0 ? undefined : this.#count(texts, port);
  }

  #count(texts: readonly string[], port: number): Map<string, number> {
    const ours = port.toString(16).toUpperCase().padStart(4, '0');
    const byAddress = new Map<string, number>();
    for (const text of texts) {
      for (const [, local, address = ''] of text.matchAll(row)) {
        if (local === ours) byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
      }
    }
    const byNetwork = new Map<string, number>();
    for (const [address, count] of byAddress) {
      const network = this.#addresses.networkOf(addressBytes(address), '');
      byNetwork.set(network, (byNetwork.get(network) ?? 0) + count);
    }
    return byNetwork;
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
