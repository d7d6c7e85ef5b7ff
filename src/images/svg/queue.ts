/** Admission to the SVG processes: short drawings never wait behind long ones, and organizations share fairly. */
import type { ImageAsker } from '../fetch/shares.ts';
import { organizationPart, partOf, templatePart } from '../fetch/shares.ts';
import { ImageError } from '../image-error.ts';

export interface SvgQueueOptions {
  /** Drawings at a time, one a process. */
  svgProcessesMax: number;
  /** Drawings that wait. */
  svgWaitingMax: number;
  /** How long one waits. */
  waitMsMax: number;
}

/** What one organization or template has of the queue. */
interface Share {
  /** Drawings that have entered and not left. */
  works: number;
  running: number;
  /** Of those that run, the long ones. */
  long: number;
  waiting: number;
  /** Number of its newest start among all starts; 0 before its first. */
  lastStart: number;
}

/** The right to use a process for one drawing. */
export interface SvgTurn {
  /**
   * Asked of a drawing that has used more CPU time than a short one takes. It goes on as a long one where there is a slot
   * for it, or while nobody waits; otherwise the answer is false, and its process is to be ended for those who wait.
   */
  mayGoOn(): boolean;
}

interface Entry extends SvgTurn {
  shares: readonly [organization: Share, template: Share];
  isLong: boolean;
  isWanted: () => boolean;
  start: () => void;
  refuse: (error: ImageError) => void;
  timer: NodeJS.Timeout | undefined;
}

/** Estimates for `Retry-After`, ms: a logo takes 20 to 200, a long drawing ends at its limit of 2 s by default. */
const estimatedMs = { short: 200, long: 2000 } as const;
const retryAfterSecondsMax = 30;

/**
 * Every drawing starts as a short one, unless it is known to be long. Of n slots, long drawings have n − 1 (of one slot,
 * that one), and of these one organization at most three quarters, and one template half; so short ones always find a
 * slot that becomes free in the time of a short drawing, whatever else is drawn. A free slot goes to the organization
 * with the fewest running drawings, then to the one that was served longest ago; likewise among its templates.
 *
 * Nothing is refused by an estimate: one slow drawing says nothing about the next one. An organization has three quarters
 * of the waiting slots, a template half.
 */
export class SvgQueue {
  readonly #options: SvgQueueOptions;
  readonly #longMax: number;
  readonly #shares = new Map<string, Share>();
  readonly #waiting = new Set<Entry>();
  #running = 0;
  #long = 0;
  #starts = 0;

  constructor(options: SvgQueueOptions) {
    this.#options = options;
    this.#longMax = Math.max(1, options.svgProcessesMax - 1);
  }

  /**
   * Runs `work` when its turn comes. Rejects with an `ImageError` of reason `overloaded` that says when to ask again, when
   * too many wait, when the wait is over, and when nobody wants the drawing any more (`isWanted`). `isReturning`: it had a
   * turn and made way, so that it is not refused for the number of those that wait.
   */
  async run<Value>(
    { organizationUid, templateUid }: ImageAsker,
    { isLong, isReturning }: { isLong: boolean; isReturning: boolean },
    isWanted: () => boolean,
    work: (turn: SvgTurn) => Promise<Value>,
  ): Promise<Value> {
    // A space is in none of the names: no two shares have the same key.
    const keys = [organizationUid, `${organizationUid} ${templateUid}`];
    const [organization, template] = keys.map((key) => this.#enter(key)) as [Share, Share];
    const entry: Entry = {
      shares: [organization, template],
      isLong,
      isWanted,
      mayGoOn: () => this.#mayGoOn(entry),
      start: () => undefined,
      refuse: () => undefined,
      timer: undefined,
    };
    try {
      if (this.#hasSlot(entry)) this.#take(entry);
      else if (isReturning || this.#makeRoom(entry)) await this.#wait(entry);
      else throw this.#overloaded();
      try {
        return await work(entry);
      } finally {
        this.#release(entry);
      }
    } finally {
      for (const key of keys) this.#leave(key);
    }
  }

  #hasSlot({ isLong, shares }: Entry): boolean {
    if (this.#running >= this.#options.svgProcessesMax) return false;
    return !isLong || this.#hasLongSlot(shares);
  }

  #hasLongSlot([organization, template]: Entry['shares']): boolean {
    return (
      this.#long < this.#longMax &&
      organization.long < partOf(this.#longMax, organizationPart) &&
      template.long < partOf(this.#longMax, templatePart)
    );
  }

  #mayGoOn(entry: Entry): boolean {
    if (entry.isLong) return true;
    if (!this.#hasLongSlot(entry.shares)) return !this.#isSlotWanted();
    entry.isLong = true;
    this.#countLong(entry, 1);
    return true;
  }

  /** Whether somebody waits who could have any slot that becomes free. */
  #isSlotWanted(): boolean {
    for (const { isLong, isWanted, shares } of this.#waiting) {
      if (isWanted() && (!isLong || this.#hasLongSlot(shares))) return true;
    }
    return false;
  }

  #take(entry: Entry): void {
    this.#running += 1;
    this.#starts += 1;
    for (const share of entry.shares) {
      share.running += 1;
      share.lastStart = this.#starts;
    }
    if (entry.isLong) this.#countLong(entry, 1);
  }

  #release(entry: Entry): void {
    this.#running -= 1;
    for (const share of entry.shares) share.running -= 1;
    if (entry.isLong) this.#countLong(entry, -1);
    this.#startWaiting();
  }

  #countLong({ shares }: Entry, change: number): void {
    this.#long += change;
    for (const share of shares) share.long += change;
  }

  #wait(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      entry.start = resolve;
      entry.refuse = reject;
      entry.timer = setTimeout(() => this.#refuse(entry), this.#options.waitMsMax);
      this.#waiting.add(entry);
      for (const share of entry.shares) share.waiting += 1;
    });
  }

  /** Whether one more may wait. Of a full queue, the organization with the most in it gives way to one with fewer. */
  #makeRoom({ shares: [organization, template] }: Entry): boolean {
    const { svgWaitingMax } = this.#options;
    for (const each of this.#waiting) if (!each.isWanted()) this.#refuse(each);
    if (organization.waiting >= partOf(svgWaitingMax, organizationPart)) return false;
    if (template.waiting >= partOf(svgWaitingMax, templatePart)) return false;
    if (this.#waiting.size < svgWaitingMax) return true;
    const [most] = [...this.#waiting].toSorted((a, b) => b.shares[0].waiting - a.shares[0].waiting);
    if (most === undefined || most.shares[0].waiting <= organization.waiting + 1) return false;
    this.#refuse(most);
    return true;
  }

  #startWaiting(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (!next.isWanted()) {
        this.#refuse(next);
        continue;
      }
      this.#remove(next);
      // Taken here, not when the waiter wakes up: a newcomer must not slip in between.
      this.#take(next);
      next.start();
    }
  }

  #next(): Entry | undefined {
    let next: Entry | undefined;
    for (const entry of this.#waiting) {
      if (!this.#hasSlot(entry)) continue;
      if (next === undefined || compareShares(entry, next) < 0) next = entry;
    }
    return next;
  }

  #refuse(entry: Entry): void {
    const refusal = this.#overloaded();
    this.#remove(entry);
    entry.refuse(refusal);
  }

  #remove(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#waiting.delete(entry);
    for (const share of entry.shares) share.waiting -= 1;
  }

  #overloaded(): ImageError {
    let waitMs = 0;
    for (const { isLong } of this.#waiting) waitMs += estimatedMs[isLong ? 'long' : 'short'];
    const seconds = Math.ceil(waitMs / 1000 / this.#options.svgProcessesMax);
    return overloadedError(Math.max(1, Math.min(seconds, retryAfterSecondsMax)));
  }

  #enter(key: string): Share {
    let share = this.#shares.get(key);
    if (share === undefined) {
      share = { works: 0, running: 0, long: 0, waiting: 0, lastStart: 0 };
      this.#shares.set(key, share);
    }
    share.works += 1;
    return share;
  }

  #leave(key: string): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    share.works -= 1;
    if (share.works === 0) this.#shares.delete(key);
  }
}

/** The error of a drawing that this service could not make now: not the drawing's fault. */
export function overloadedError(retryAfterSeconds: number): ImageError {
  return new ImageError(
    'overloaded',
    'could not be drawn: too many SVGs are being drawn at the moment, try again',
    { retryAfterSeconds },
  );
}

/** Below zero when `a` is to be started before `b`; those of one template in the order of their coming. */
function compareShares(a: Entry, b: Entry): number {
  for (const [index, one] of a.shares.entries()) {
    const other = b.shares[index];
    if (other === undefined || one === other) continue;
    return one.running - other.running || one.lastStart - other.lastStart;
  }
  return 0;
}
