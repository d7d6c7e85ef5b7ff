/** The connections of a server: how many may be open, and what closes the next one. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Log } from '../foundation/log.ts';

/**
 * Open connections of a server. Below the smallest limit on open files that Linux gives a process (4,096, which Node
 * raises itself to). The addon closes connections that send nothing, or too little, after 8 to 12 s.
 */
export const connectionsMaxDefault = 3500;

/** Open files that are no connections of clients: databases, fonts, pipes, sources being fetched. */
const otherFilesMax = 600;

/** The least that is accepted, however few files may be open. */
const connectionsMin = 64;

/** Milliseconds between two log lines about refused connections. */
const logEveryMs = 60_000;

/**
 * The limit in effect: the setting `max`, or less where `filesMax` open files allow no more, because accepting beyond
 * that fails in a busy loop. `filesMax` undefined: unknown.
 */
export function resolveConnectionsMax(max: number, filesMax: number | undefined): number {
  return Math.min(max, Math.max(connectionsMin, (filesMax ?? Infinity) - otherFilesMax));
}

/**
 * Counts connections as they open and end. The addon does not report which address an ended connection had, so there
 * is no count by address: the proxy in front limits that (deploy/nginx.conf).
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

  /** Connections that were closed at once, since the start. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Registers a connection that opens (1) or has ended (-1); closes one that is too many. */
  change(response: HttpResponse, change: number): void {
    this.#open.add(change);
    if (change !== 1 || this.#open.count <= this.#max) return;
    this.#refusedCount += 1;
    this.#logRefusal();
    response.close();
  }

  /** Resolves when none is open, or after `timeoutMs`. */
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

// Counts what is open, such as requests and connections, and tells when nothing is.

/** Starts with nothing open. */
export class OpenCount {
  #open = 0;
  #onNone: (() => void) | undefined;

  /** What is open now. */
  get count(): number {
    return this.#open;
  }

  /** 1 for one that opens, -1 for one that ends. */
  add(change: number): void {
    this.#open += change;
    if (this.#open === 0) this.#onNone?.();
  }

  /** Resolves when none is open, or after `timeoutMs`. One wait at a time. */
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
