/** The running jobs of the threads, the rule for starting another job, and a forecast of free threads. */
import { pausedTotalMs } from '../foundation/deadline.ts';
import { expensiveMs, serviceItself } from './costs.ts';
import { decodeBytesOf as decodeBytesOfImage } from '#language/limits/image-costs.ts';
import type { RenderJob } from '#wire/render-job.ts';

/** The properties of a work that decide whether it may start. */
export interface SlotRequest {
  organization: string;
  /** Estimated milliseconds of the job. */
  costMs: number;
  /** The kind is known, and was not expensive recently. */
  isCheap: boolean;
  /** Memory for decoding its images. */
  decodeBytes: number;
}

/** One thread with its job. */
export interface Slot extends Readonly<SlotRequest> {
  /** Start of the job, on the clock of the slots. */
  readonly startedMs: number;
  /** CPU time of the job so far, if known. */
  readonly cpuMs: () => number | undefined;
}

/** Milliseconds for which this process has run: a pause of the machine does not make a render expensive. */
const ranMs = (): number => {
  const nowMs = performance.now();
  return nowMs - pausedTotalMs(nowMs);
};

/**
 * A thread that is busy for longer does not count as returning soon in estimates of waits: no render takes over 2 s.
 */
const lostAfterMs = 5000;

/**
 * The share of the threads, rounded up, that one organization cannot hold with expensive renders. A single thread
 * has no such share.
 */
const reservedPart = 1 / 4;

/**
 * Factor of the repayment: an organization that held reserved threads with renders that seemed cheap may not use them
 * for this many times as long. So it holds all threads for at most 1 % of the time.
 */
const repaymentFactor = 100;
/** Maximum repayment in ms: that of a render of 2 s, which is the maximum by the bounds of renders. */
const repaymentMsMax = 200_000;

/**
 * Takes and returns threads. A slot is returned when its job has ended, even if no request waits for it any more.
 *
 * One organization holds at most `threadCount - reserved` threads with renders that are expensive or of unknown
 * cost, so that another one's render starts at once. Renders known to be cheap may use all threads.
 */
export class RenderSlots {
  readonly #threadCount: number;
  readonly #reserved: number;
  readonly #decodesBytesMax: number;
  readonly #busy = new Set<Slot>();
  /**
   * The times from which organizations that held reserved threads too long may use them again, on the clock of the
   * slots.
   */
  readonly #repayments = new Map<string, number>();
  readonly #nowMs: () => number;
  #decodeBytes = 0;

  /** `decodesBytesMax` bounds the decoding in all threads at a time. Default: three of the most expensive images. */
  constructor(threadCount: number, decodesBytesMax = 1024 ** 3, nowMs = ranMs) {
    this.#nowMs = nowMs;
    this.#threadCount = threadCount;
    this.#reserved = threadCount === 1 ? 0 : Math.ceil(threadCount * reservedPart);
    this.#decodesBytesMax = decodesBytesMax;
  }

  /** Number of busy threads. */
  get busy(): number {
    return this.#busy.size;
  }

  get hasFree(): boolean {
    return this.#busy.size < this.#threadCount;
  }

  /**
   * Returns a function to be called with works in fair order: whether a work may start on a free thread. After a work
   * that must wait for memory, other works may start only if all threads together leave enough memory for it.
   */
  chooser(): (work: SlotRequest) => boolean {
    let passingBytesMax = Infinity;
    return (work) => {
      if (!this.#mayHold(work) || work.decodeBytes > passingBytesMax) return false;
      if (this.#hasMemory(work)) return true;
      passingBytesMax = Math.max(0, this.#decodesBytesMax - work.decodeBytes) / this.#threadCount;
      return false;
    };
  }

  /** `cpuMs` returns the CPU time of the job; without it, elapsed time counts instead. */
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

  /** Milliseconds since a slot was taken. */
  heldMs({ startedMs }: Slot): number {
    return this.#nowMs() - startedMs;
  }

  /**
   * Returns the number of threads that will become free, and how many of these one organization may hold with
   * expensive renders. `runningMs` is the sum of the remaining estimates of running jobs.
   */
  pace(): { threadCount: number; expensiveThreads: number; runningMs: number } {
    const nowMs = this.#nowMs();
    let threadCount = this.#threadCount;
    let runningMs = 0;
    for (const { startedMs, costMs } of this.#busy) {
      if (nowMs - startedMs > lostAfterMs) threadCount -= 1;
      else runningMs += Math.max(0, startedMs + costMs - nowMs);
    }
    return { threadCount, expensiveThreads: threadCount - this.#reserved, runningMs };
  }

  /** Milliseconds for which the oldest job has run; 0 if none runs. */
  oldestMs(): number {
    const nowMs = this.#nowMs();
    return Math.max(0, ...[...this.#busy].map(({ startedMs }) => nowMs - startedMs));
  }

  #mayHold(work: SlotRequest): boolean {
    const { organization } = work;
    if (organization === serviceItself || this.#isTrusted(work)) return true;
    return this.#expensiveMs(organization).length < this.#threadCount - this.#reserved;
  }

  /** Whether the work may use the reserved threads besides its organization's expensive renders. */
  #isTrusted({ organization, isCheap }: SlotRequest): boolean {
    return isCheap && this.#nowMs() >= (this.#repayments.get(organization) ?? 0);
  }

  /** Any work may run alone. */
  #hasMemory({ decodeBytes }: SlotRequest): boolean {
    return this.#busy.size === 0 || this.#decodeBytes + decodeBytes <= this.#decodesBytesMax;
  }

  /**
   * Returns the times in ms for which the expensive renders of an organization have worked, longest first. A cheap
   * render becomes expensive after `expensiveMs` of work, and the time after that counts. Waits for a core do not
   * count.
   */
  #expensiveMs(organization: string): number[] {
    return [...this.#busy]
      .filter((slot) => slot.organization === organization)
      .map((slot) => this.#workMs(slot) - (slot.isCheap ? expensiveMs : 0))
      .filter((ms) => ms >= 0)
      .toSorted((a, b) => b - a);
  }

  /** CPU time in ms, at most the elapsed time, which it exceeds on several cores. */
  #workMs(slot: Slot): number {
    return Math.min(this.heldMs(slot), slot.cpuMs() ?? Infinity);
  }

  /** Charges an organization for the time in which its expensive renders held more threads than they may. */
  #chargeOverdraft(organization: string): void {
    const overdrawnMs = this.#expensiveMs(organization)[this.#threadCount - this.#reserved];
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

// Memory of a job, estimated from the facts of its images.

/** Bytes for decoding a job. Its images are decoded one after the other, so the largest one counts. */
export function decodeBytesOf({ images }: Pick<RenderJob, 'images'>): number {
  return Math.max(0, ...images.map(([, image]) => decodeBytesOfImage(image)));
}

/** Bytes of the image files that a job holds. */
export function imageBytesOf({ images }: Pick<RenderJob, 'images'>): number {
  return images.reduce((bytes, [, image]) => bytes + image.bytes.byteLength, 0);
}
