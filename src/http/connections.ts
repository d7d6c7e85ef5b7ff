/** The connections of a server: their limit, and the closing of those above it. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Log } from '../foundation/log.ts';

/**
 * Open connections of a server. Below the smallest limit on open files that Linux gives a process (4,096, to which Node
 * raises its limit). The addon closes connections that send nothing, or too little, after 8 to 12 s.
 */
export const connectionsMaxDefault = 3500;

/** Open files that are not client connections: databases, fonts, pipes, source images being fetched. */
const otherFilesMax = 600;

/** The minimum of the limit, however few files may be open. */
const connectionsMin = 64;

/** Interval between two log lines about refused connections. */
const logEveryMs = 60_000;

/**
 * Returns the effective limit: the setting `max`, or less if the limit of `filesMax` open files requires it. Accepting
 * beyond that limit would fail in a busy loop. `filesMax` undefined: unknown.
 */
export function resolveConnectionsMax(max: number, filesMax: number | undefined): number {
  return Math.min(max, Math.max(connectionsMin, (filesMax ?? Infinity) - otherFilesMax));
}

/**
 * Counts connections as they open and end. The addon does not report the address of an ended connection, so there is no
 * count by address: the proxy in front limits that (deploy/nginx.conf).
 */
export class Connections {
  readonly #max: number;
  readonly #log: Log;
  readonly #open = new OpenCount();
  #refusedCount = 0;
  #loggedAtMs = -Infinity;

  constructor(max: number, log: Log) {
    this.#max = max;
    this.#log = log;
  }

  get openCount(): number {
    return this.#open.count;
  }

  /** Connections closed at once since the start. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Counts a connection that opens (1) or has ended (-1); closes one above the limit. */
  change(response: HttpResponse, change: number): void {
    this.#open.add(change);
    if (change !== 1 || this.#open.count <= this.#max) return;
    this.#refusedCount += 1;
    this.#logRefusal();
    response.close();
  }

  /** Resolves when no connection is open, or after `timeoutMs`. */
  none(timeoutMs: number): Promise<void> {
    return this.#open.none(timeoutMs);
  }

  #logRefusal(): void {
    const nowMs = performance.now();
    if (nowMs - this.#loggedAtMs < logEveryMs) return;
    this.#loggedAtMs = nowMs;
    this.#log.warn('connections refused', {
      open: this.#open.count - 1,
      limit: this.#max,
      refused: this.#refusedCount,
    });
  }
}

// Counts open requests or connections, and notifies when none is left.

export class OpenCount {
  #open = 0;
  #onNone: (() => void) | undefined;

  get count(): number {
    return this.#open;
  }

  /** `change` is 1 for one that opens, -1 for one that ends. */
  add(change: number): void {
    this.#open += change;
    if (this.#open === 0) this.#onNone?.();
  }

  /** Resolves when none is open, or after `timeoutMs`. Only one wait at a time. */
  none(timeoutMs: number): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
