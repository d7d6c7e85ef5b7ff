/** The jobs that threads are at, who may start another one, and what follows for waiting times. */
import { pausedTotalMs } from '../foundation/clocks.ts';
import { expensiveMs } from './costs.ts';
import { serviceItself } from './share.ts';
import { decodeBytesOf as decodeBytesOfImage } from '#language/limits/decode-cost.ts';
import type { RenderJob } from '#wire/render-job.ts';

/** What decides whether a work may start. */
export interface SlotRequest {
  organization: string;
  /** Milliseconds that the job is expected to take. */
  costMs: number;
  /** Its kind is known, and was not expensive of late. */
  isCheap: boolean;
  /** Memory that its images may take while they are decoded. */
  decodeBytes: number;
}

/** One thread at one job. */
export interface Slot extends Readonly<SlotRequest> {
  /** On the clock of the slots. */
  readonly startedMs: number;
  /** CPU time that the job has used as far as it is known. */
  readonly cpuMs: () => number | undefined;
}

/** Milliseconds for which this process has run: a pause of the machine makes no render expensive. */
const ranMs = (): number => {
  const nowMs = performance.now();
  return nowMs - pausedTotalMs(nowMs);
};

/** From here on nobody's waiting time is told from a thread as if it came back soon: no render takes over 2 s. */
const lostAfterMs = 5000;

/** The part of the threads, rounded up, that one organization cannot hold with expensive renders. One thread has no such part. */
const reservedPart = 1 / 4;

/**
 * Who held reserved threads with renders that looked cheap may not use them for so many times as long: whatever an
 * organization sends, it holds all threads for 1 % of the time at most.
 */
const repaymentFactor = 100;
/** Milliseconds; the repayment of a render of 2 s, the most that any takes by its bounds. */
const repaymentMsMax = 200_000;

/**
 * Takes and gives back threads. A slot is given back when its job has really ended, also when nobody waits for it
 * any more.
 *
 * One organization holds at most `threads - reserved` threads with renders that are expensive or of unknown cost, so
 * that another one's render starts at once. Renders known to be cheap may use all threads.
 */
export class RenderSlots {
  readonly #threads: number;
  readonly #reserved: number;
  readonly #decodesBytesMax: number;
  readonly #busy = new Set<Slot>();
  /** When organizations that held reserved threads too long may use them again, on the clock of the slots. */
  readonly #repayments = new Map<string, number>();
  readonly #nowMs: () => number;
  #decodeBytes = 0;

  /** `decodesBytesMax` bounds the decoding in all threads at a time. */
  constructor(threads: number, decodesBytesMax: number, nowMs = ranMs) {
    this.#nowMs = nowMs;
    this.#threads = threads;
    this.#reserved = threads === 1 ? 0 : Math.ceil(threads * reservedPart);
    this.#decodesBytesMax = decodesBytesMax;
  }

  /** Threads at work. */
  get busy(): number {
    return this.#busy.size;
  }

  get hasFree(): boolean {
    return this.#busy.size < this.#threads;
  }

  /**
   * Judges works in fair order: may this one start on a free thread? A work that has to wait for memory lets only
   * those pass that leave it enough on all threads together.
   */
  chooser(): (work: SlotRequest) => boolean {
    let passingBytesMax = Infinity;
    return (work) => {
      if (!this.#mayHold(work) || work.decodeBytes > passingBytesMax) return false;
      if (this.#hasMemory(work)) return true;
      passingBytesMax = Math.max(0, this.#decodesBytesMax - work.decodeBytes) / this.#threads;
      return false;
    };
  }

  /** `cpuMs` gives the CPU time of the job; without it, time on the clock counts in its place. */
  take(work: SlotRequest, cpuMs: Slot['cpuMs'] = () => undefined): Slot {
    const { organization, costMs, decodeBytes } = work;
    const isCheap = this.#isTrusted(work);
    const slot = { organization, costMs, isCheap, decodeBytes, cpuMs, startedMs: this.#nowMs() };
    this.#busy.add(slot);
    this.#decodeBytes += decodeBytes;
    return slot;
  }

  giveBack(slot: Slot): void {
    this.#chargeOverdraft(slot.organization);
    this.#busy.delete(slot);
    this.#decodeBytes -= slot.decodeBytes;
  }

  /** Milliseconds for which a slot has been taken. */
  heldMs({ startedMs }: Slot): number {
    return this.#nowMs() - startedMs;
  }

  /**
   * Threads that come back from their jobs, those of them that one organization may hold with expensive renders, and
   * the milliseconds of one thread until all of them have.
   */
  pace(): { threads: number; expensiveThreads: number; runningMs: number } {
    const nowMs = this.#nowMs();
    let threads = this.#threads;
    let runningMs = 0;
    for (const { startedMs, costMs } of this.#busy) {
      if (nowMs - startedMs > lostAfterMs) threads -= 1;
      else runningMs += Math.max(0, startedMs + costMs - nowMs);
    }
    return { threads, expensiveThreads: threads - this.#reserved, runningMs };
  }

  /** Milliseconds for which the oldest job has run; 0 without any. */
  oldestMs(): number {
    const nowMs = this.#nowMs();
    return Math.max(0, ...[...this.#busy].map(({ startedMs }) => nowMs - startedMs));
  }

  #mayHold(work: SlotRequest): boolean {
    const { organization } = work;
    if (organization === serviceItself || this.#isTrusted(work)) return true;
    return this.#expensiveMs(organization).length < this.#threads - this.#reserved;
  }

  /** Whether the work may use the reserved threads beside its organization's expensive ones. */
  #isTrusted({ organization, isCheap }: SlotRequest): boolean {
    return isCheap && this.#nowMs() >= (this.#repayments.get(organization) ?? 0);
  }

  /** Alone, any may run. */
  #hasMemory({ decodeBytes }: SlotRequest): boolean {
    return this.#busy.size === 0 || this.#decodeBytes + decodeBytes <= this.#decodesBytesMax;
  }

  /**
   * For how long each of the threads that an organization holds with expensive renders has been held so, longest first.
   * A render becomes expensive by its work too: one that waits for a core does not.
   */
  #expensiveMs(organization: string): number[] {
    return [...this.#busy]
      .filter((slot) => slot.organization === organization)
      .map((slot) => this.#workMs(slot) - (slot.isCheap ? expensiveMs : 0))
      .filter((ms) => ms >= 0)
      .toSorted((a, b) => b - a);
  }

  /** Several cores at one job hold its thread no longer. */
  #workMs(slot: Slot): number {
    return Math.min(this.heldMs(slot), slot.cpuMs() ?? Infinity);
  }

  /** Has an organization repay the time for which its expensive renders held more threads than they may. */
  #chargeOverdraft(organization: string): void {
    const overdrawnMs = this.#expensiveMs(organization)[this.#threads - this.#reserved];
    if (overdrawnMs === undefined || organization === serviceItself) return;
    const nowMs = this.#nowMs();
    for (const [name, untilMs] of this.#repayments) {
      if (untilMs <= nowMs) this.#repayments.delete(name);
    }
    const repaymentMs = overdrawnMs * repaymentFactor;
    const fromMs = Math.max(nowMs, this.#repayments.get(organization) ?? 0);
    this.#repayments.set(organization, Math.min(fromMs + repaymentMs, nowMs + repaymentMsMax));
  }
}

// The memory that a job takes, told from what is known of its images.

/** Bytes that decoding a job may take. It decodes its pictures one after the other, so the largest counts. */
export function decodeBytesOf({ images }: Pick<RenderJob, 'images'>): number {
  return Math.max(0, ...images.map(([, image]) => decodeBytesOfImage(image)));
}

/** Bytes of the image files that a job holds. */
export function imageBytesOf({ images }: Pick<RenderJob, 'images'>): number {
  return images.reduce((bytes, [, image]) => bytes + image.bytes.byteLength, 0);
}
