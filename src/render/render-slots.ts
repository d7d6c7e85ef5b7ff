/** The jobs that threads are at, and what can be told from them. */

/** One thread at one job. */
export interface Slot {
  /** On the clock of `performance.now()`. */
  readonly startedMs: number;
  /** Milliseconds that the job was expected to take. */
  readonly costMs: number;
  /** Memory that its images may take while they are decoded. */
  readonly decodeBytes: number;
}

/** From here on nobody's waiting time is told from a thread as if it came back soon: no render takes over 2 s. */
const lostAfterMs = 5000;

/** Takes and gives back threads. A slot is given back when its job has really ended, also when nobody waits for it any more. */
export class RenderSlots {
  readonly #threads: number;
  readonly #decodesBytesMax: number;
  readonly #busy = new Set<Slot>();
  #decodeBytes = 0;

  /** `decodesBytesMax` bounds the decoding in all threads at a time. */
  constructor(threads: number, decodesBytesMax: number) {
    this.#threads = threads;
    this.#decodesBytesMax = decodesBytesMax;
  }

  /** Threads at work. */
  get busy(): number {
    return this.#busy.size;
  }

  get hasFree(): boolean {
    return this.#busy.size < this.#threads;
  }

  /** Whether there is memory for a job beside those that run; it waits for that as for a thread. Alone, any may run. */
  hasRoom(decodeBytes: number): boolean {
    return this.#busy.size === 0 || this.#decodeBytes + decodeBytes <= this.#decodesBytesMax;
  }

  take(costMs: number, decodeBytes: number): Slot {
    const slot = { startedMs: performance.now(), costMs, decodeBytes };
    this.#busy.add(slot);
    this.#decodeBytes += decodeBytes;
    return slot;
  }

  giveBack(slot: Slot): void {
    this.#busy.delete(slot);
    this.#decodeBytes -= slot.decodeBytes;
  }

  /** Threads that come back from their jobs, and the milliseconds of one thread until all of them have. */
  pace(): { threads: number; runningMs: number } {
    const nowMs = performance.now();
    let threads = this.#threads;
    let runningMs = 0;
    for (const { startedMs, costMs } of this.#busy) {
      if (nowMs - startedMs > lostAfterMs) threads -= 1;
      else runningMs += Math.max(0, startedMs + costMs - nowMs);
    }
    return { threads, runningMs };
  }

  /** Milliseconds for which the oldest job has run; 0 without any. */
  oldestMs(): number {
    const nowMs = performance.now();
    return Math.max(0, ...[...this.#busy].map(({ startedMs }) => nowMs - startedMs));
  }
}
