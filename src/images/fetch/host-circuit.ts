/** Stops asking hosts that keep failing, so that their time-outs do not use up the slots of healthy ones. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { ImageError } from '../image-error.ts';

export interface HostCircuitOptions {
  /** Failures in a row that open a host's circuit. */
  circuitFailures: number;
  /** How long it then stays open. */
  circuitOpenMs: number;
  now: () => number;
}

interface HostState {
  failures: number;
  /** While open: when the next attempt may be made. */
  retryAtMs: number;
}

/** Hosts remembered: those that failed last; a success forgets its host. */
const hostsMax = 4096;

/**
 * Counts each host's failures in a row. After `circuitFailures` of them the host is left alone for
 * `circuitOpenMs`; then one attempt is let through, and its outcome closes or reopens the circuit.
 */
export class HostCircuit {
  readonly #options: HostCircuitOptions;
  readonly #hosts = new LRUCache<string, HostState>(entryLimit(hostsMax));

  constructor(options: HostCircuitOptions) {
    this.#options = options;
  }

  /** Throws an `ImageError` of reason `network` when the host is to be left alone; else the attempt may be made. */
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
    // Only this caller tries: the others keep away until it has reported, or for another period.
    state.retryAtMs = now + this.#options.circuitOpenMs;
  }

  recordSuccess(host: string): void {
    this.#hosts.delete(host);
  }

  /** To be called for what is the host's fault: time-outs, broken connections, 5xx; not for 404. */
  recordFailure(host: string): void {
    const state = this.#hosts.peek(host) ?? { failures: 0, retryAtMs: 0 };
    state.failures++;
    if (state.failures >= this.#options.circuitFailures)
      state.retryAtMs = this.#options.now() + this.#options.circuitOpenMs;
    this.#hosts.set(host, state);
  }
}

// Keeps how long each host of one fetch was waited for, so that a time-out is held against the right one.

/**
 * The attack: a host that answers after 4.9 s with a redirect to a healthy one. Ten of them, and that
 * one would count as failing, and be left alone.
 */
export class HopTimes {
  readonly #usedMs = new Map<string, number>();
  #host: string | undefined;
  #startedMs = 0;

  /** From now on `host` is waited for, and no longer the one before. */
  start(host: string): void {
    this.#stop();
    this.#host = host;
    this.#startedMs = performance.now();
  }

  /** The host that was waited for longest, when that was longer than `ms`; else undefined. */
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
