/** Stops requests to hosts that keep failing, so that their time-outs do not hold the slots of healthy hosts. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { ImageError } from '../image-error.ts';

export interface HostCircuitOptions {
  /** Consecutive failures that open a host's circuit. */
  circuitFailures: number;
  /** How long a circuit stays open. */
  circuitOpenMs: number;
  now: () => number;
}

interface HostState {
  failures: number;
  /** While open: when the next attempt may be made. */
  retryAtMs: number;
}

/** Hosts remembered, least recently failed evicted first; a success removes its host. */
const hostsMax = 4096;

/**
 * Counts each host's consecutive failures. After `circuitFailures` of them, requests to the host are blocked for
 * `circuitOpenMs`. Then one attempt is allowed, and its outcome closes or reopens the circuit.
 */
export class HostCircuit {
  readonly #options: HostCircuitOptions;
  readonly #hosts = new LRUCache<string, HostState>(entryLimit(hostsMax));

  constructor(options: HostCircuitOptions) {
    this.#options = options;
  }

  /** Throws an `ImageError` of reason `network` while the circuit of the host is open. */
  checkHost(host: string): void {
    const state = this.#hosts.peek(host);
    if (state === undefined || state.failures < this.#options.circuitFailures) return;
    const now = this.#options.now();
    if (now < state.retryAtMs) {
      throw new ImageError(
        'network',
        'could not be reached: its server has failed repeatedly and is not asked for some seconds',
        { concernsRequester: true },
      );
    }
    // Only this caller tries. Others are blocked until it reports, or for another `circuitOpenMs`.
    state.retryAtMs = now + this.#options.circuitOpenMs;
  }

  recordSuccess(host: string): void {
    this.#hosts.delete(host);
  }

  /** Call for failures that the host causes: time-outs, broken connections, 5xx; not for 404. */
  recordFailure(host: string): void {
    const state = this.#hosts.peek(host) ?? { failures: 0, retryAtMs: 0 };
    state.failures++;
    if (state.failures >= this.#options.circuitFailures)
      state.retryAtMs = this.#options.now() + this.#options.circuitOpenMs;
    this.#hosts.set(host, state);
  }
}

// The time that one fetch waited for each host, so that a time-out counts against the slow host.

/**
 * The attack: a host answers after 4.9 s with a redirect to a healthy host. Without these times, ten such
 * fetches would open the circuit of the healthy host.
 */
export class HopTimes {
  readonly #usedMs = new Map<string, number>();
  #host: string | undefined;
  #startedMs = 0;

  /** Starts the time of `host`, and ends that of the host before. */
  start(host: string): void {
    this.#stop();
    this.#host = host;
    this.#startedMs = performance.now();
  }

  /** The host with the longest wait, if it is longer than `ms`; else undefined. */
  longest(ms: number): string | undefined {
    this.#stop();
    let longest: [host: string | undefined, usedMs: number] = [undefined, ms];
    for (const entry of this.#usedMs) if (entry[1] > longest[1]) longest = entry;
    return longest[0];
  }

  #stop(): void {
    const now = performance.now();
    if (this.#host !== undefined)
      this.#usedMs.set(this.#host, (this.#usedMs.get(this.#host) ?? 0) + now - this.#startedMs);
    this.#startedMs = now;
  }
}
