/** The connections of a server: how many there may be, in all and of one network, and who is turned away. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Log } from '../../foundation/log.ts';
import type { ClientAddresses } from './client-address.ts';
import { ConnectionCensus } from './census.ts';
import { UnreadBytes, unreadLimits } from './unread-bytes.ts';
import type { UnreadLimits } from './unread-bytes.ts';
import { OpenCount } from './open-count.ts';

/**
 * How many connections a server takes at a time; the next one is closed at once. One that has ended counts until its
 * caller has read what was sent: the kernel keeps it.
 */
export interface ConnectionLimits {
  /** Each may hold a request head of 16 KiB, and in the kernel what it does not read of an answer (docs/operations.md). */
  max: number;
  /** Of one network (an IPv4 address, a /64 of IPv6); a proxy that is trusted has no such share. */
  perNetworkMax: number;
  /** Default: `unreadLimits`. */
  unread?: UnreadLimits;
}

/**
 * Below the smallest limit on open files that Linux gives a process (4,096, which Node raises itself to). The addon
 * closes connections that send nothing, or too little, after 8 to 12 s.
 */
export const connectionLimits: ConnectionLimits = { max: 3500, perNetworkMax: 3500 };

/** Open files that are no callers: databases, fonts, threads, pictures being fetched. */
const otherFilesMax = 600;

/** The least that is taken, however few files there are. */
const connectionsMin = 64;

/** Of all connections the share that one network may have where no setting says so. */
const networkShare = 0.25;

/** Milliseconds between two lines of the log about connections that were refused. */
const tellEveryMs = 60_000;

/**
 * The limits that hold: the setting `max`, or fewer where `filesMax` open files allow no more, because accepting fails in a busy
 * loop beyond that. `filesMax` undefined: nobody knows it.
 */
export function resolveConnectionLimits(
  max: number,
  perNetworkMax: number | undefined,
  filesMax: number | undefined,
): ConnectionLimits {
  const possible = Math.max(connectionsMin, (filesMax ?? Infinity) - otherFilesMax);
  const limit = Math.min(max, possible);
  return {
    max: limit,
    perNetworkMax: Math.min(limit, perNetworkMax ?? Math.ceil(limit * networkShare)),
  };
}

/** Counts connections as they come and go. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #addresses: ClientAddresses;
  readonly #log: Log;
  readonly #census: ConnectionCensus;
  /** What the kernel holds for callers who do not read. */
  readonly unread: UnreadBytes;
  readonly #open = new OpenCount();
  #refusedCount = 0;
  #toldAtMs = -Infinity;
  #port = 0;

  constructor(limits: ConnectionLimits, addresses: ClientAddresses, log: Log) {
    this.#limits = limits;
    this.#addresses = addresses;
    this.#log = log;
    this.#census = new ConnectionCensus(addresses);
    this.unread = new UnreadBytes(this.#census, addresses, limits.unread ?? unreadLimits);
  }

  get openCount(): number {
    return this.#open.count;
  }

  /** Connections that were closed at once, since the start. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** The port that is listened on. */
  set port(port: number) {
    this.#port = port;
    this.unread.port = port;
  }

  /** To be told of each connection that opens (1) or has ended (-1); closes one that is too many. */
  change(response: HttpResponse, change: number): void {
    this.#open.add(change);
    if (change !== 1) return this.#census.end();
    // As long as all together are no more than one network may have the tables are not read: accepting stays cheap.
    const { perNetworkMax } = this.#limits;
    if (this.#open.count + this.#census.unreadMax <= perNetworkMax) return;
    const network = this.#isFull() ? '' : this.#crowdedNetwork(response);
    if (network === undefined) return;
    this.#refusedCount += 1;
    this.#tell(network);
    response.close();
  }

  /** Resolves when none is open, or after `timeoutMs`. */
  none(timeoutMs: number): Promise<void> {
    return this.#open.none(timeoutMs);
  }

  #isFull(): boolean {
    const { max } = this.#limits;
    return this.#open.count > max || this.#open.count + this.#census.unread(this.#port) > max;
  }

  /** The network of a connection that is over its share. */
  #crowdedNetwork(response: HttpResponse): string | undefined {
    const { max, perNetworkMax } = this.#limits;
    if (perNetworkMax >= max) return undefined;
    const peer = response.getRemoteAddress();
    if (this.#addresses.isTrusted(peer)) return undefined;
    const network = this.#addresses.networkOf(peer, '');
    return this.#census.take(this.#port, network, perNetworkMax) ? undefined : network;
  }

  /** `network` is empty when there are too many in all. */
  #tell(network: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#toldAtMs < tellEveryMs) return;
    this.#toldAtMs = nowMs;
    const { max, perNetworkMax } = this.#limits;
    this.#log.warn('connections refused', {
      open: this.#open.count - 1,
      limit: network === '' ? max : perNetworkMax,
      ...(network === '' ? {} : { network }),
      refused: this.#refusedCount,
    });
  }
}
