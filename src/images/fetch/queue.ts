/** Lets a bounded number of fetches run, fair to organizations, their templates and hosts; the rest wait or are refused. */
import { endWork, listOf, organizationPart, partOf, ShareTable, templatePart } from './shares.ts';
import type { ImageAsker, Share, WorkShares } from './shares.ts';
import { ImageError } from '../image-error.ts';

export interface FetchQueueOptions {
  /** Fetches that run at a time. */
  fetchesMax: number;
  /** Fetches that run at a time for one host. */
  fetchesPerHostMax: number;
  /** Fetches that wait. */
  fetchesWaitingMax: number;
  /** How long one waits. */
  queueWaitMs: number;
}

interface Waiting {
  shares: WorkShares;
  isWanted: () => boolean;
  start: () => void;
  refuse: (error: ImageError) => void;
  timer: NodeJS.Timeout;
}

/** A wait that would take that many times as long as one may is in vain, however rough the estimate. */
const vainTimes = 2;
/** Seconds of `Retry-After`, whatever the estimate says. */
const retryAfterSecondsMax = 30;

/**
 * A place that becomes free goes to the organization that has the fewest, in it to the template and then to the host that
 * has the fewest, and of these to the one that waits longest. None ever has all of them (`organizationPart`, `templatePart`,
 * `fetchesPerHostMax`), running or waiting, nor an organization all of one host's, so that a newcomer finds one at once
 * beside others whose fetches hang.
 */
export class FetchQueue {
  readonly #options: FetchQueueOptions;
  readonly #shares = new ShareTable();
  #running = 0;
  #waiting: Waiting[] = [];

  constructor(options: FetchQueueOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs `work` when there is room for its asker and host. Rejects with an `ImageError` of reason `overloaded` that says
   * when to ask again: at once when the queue or its asker's part of it is full, or the wait would be in vain; when the
   * wait is over; and when nobody wants the result any more by the time its turn comes (`isWanted`): what all callers
   * have given up is not worth an origin's time.
   */
  async run<Value>(
    asker: ImageAsker,
    host: string,
    isWanted: () => boolean,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const shares = this.#shares.enter(asker, host);
    try {
      if (this.#hasRoom(shares)) this.#take(shares);
      else await this.#wait(shares, isWanted);
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        this.#release(shares, performance.now() - startedMs);
      }
    } finally {
      this.#shares.leave(shares);
    }
  }

  #hasRoom(shares: WorkShares): boolean {
    return this.#running < this.#options.fetchesMax && this.#usedUp(shares).length === 0;
  }

  /** Those of the shares that have all the places that they may have. */
  #usedUp(shares: WorkShares): Share[] {
    const { fetchesMax, fetchesPerHostMax } = this.#options;
    return listOf(shares).filter((share) => {
      if (share === shares.host) return share.running >= fetchesPerHostMax;
      if (share === shares.organizationHost) {
        return share.running >= partOf(fetchesPerHostMax, organizationPart);
      }
      const part = share === shares.template ? templatePart : organizationPart;
      return share.running >= partOf(fetchesMax, part);
    });
  }

  #take(shares: WorkShares): void {
    this.#running += 1;
    for (const share of listOf(shares)) share.running += 1;
  }

  #release(shares: WorkShares, tookMs: number): void {
    this.#running -= 1;
    for (const share of listOf(shares)) endWork(share, tookMs);
    this.#startWaiting();
  }

  #wait(shares: WorkShares, isWanted: () => boolean): Promise<void> {
    if (!this.#makeRoom(shares)) return Promise.reject(this.#overloaded(shares));
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        shares,
        isWanted,
        start: resolve,
        refuse: reject,
        timer: setTimeout(() => this.#refuse(entry), this.#options.queueWaitMs),
      };
      this.#waiting.push(entry);
      for (const share of listOf(shares)) share.waiting += 1;
    });
  }

  /** Whether one more may wait. Those who ask for the most make way for those who ask for less. */
  #makeRoom(shares: WorkShares): boolean {
    const { fetchesWaitingMax, queueWaitMs } = this.#options;
    if (this.#expectedWaitMs(shares) > queueWaitMs * vainTimes) return false;
    if (this.#hasWaitingRoom(shares)) return true;
    for (const entry of this.#waiting.filter((each) => !each.isWanted())) this.#refuse(entry);
    if (this.#hasWaitingRoom(shares)) return true;
    if (fetchesWaitingMax === 0 || this.#isCrowded(shares)) return false;
    const greediest = this.#waiting.reduce((most, each) =>
      compareCrowds(each.shares, most.shares) >= 0 ? each : most,
    );
    // Else the two would only change places.
    if (greediest.shares.organization.waiting <= shares.organization.waiting + 1) return false;
    this.#refuse(greediest);
    return true;
  }

  #hasWaitingRoom(shares: WorkShares): boolean {
    return this.#waiting.length < this.#options.fetchesWaitingMax && !this.#isCrowded(shares);
  }

  /** Whether the organization or the template has all the waiting places that it may have. */
  #isCrowded({ organization, template }: WorkShares): boolean {
    const { fetchesWaitingMax } = this.#options;
    return (
      organization.waiting >= partOf(fetchesWaitingMax, organizationPart) ||
      template.waiting >= partOf(fetchesWaitingMax, templatePart)
    );
  }

  /** By how long the running ones take; 0 where only the others have to give way, which they do with the next place. */
  #expectedWaitMs(shares: WorkShares): number {
    const waits = this.#usedUp(shares).map((share) => {
      // At a host that all use, the others of this organization alone come first, and its own fetches tell how long they take.
      const { organizationHost } = shares;
      const isOwn = share === shares.host && organizationHost.running > 0;
      const { meanMs, running } = isOwn ? organizationHost : share;
      const ahead = share === shares.host ? organizationHost.waiting : share.waiting;
      return ((ahead + 1) * meanMs) / running;
    });
    return Math.max(0, ...waits);
  }

  #startWaiting(): void {
    while (this.#running < this.#options.fetchesMax) {
      let next: Waiting | undefined;
      for (const entry of this.#waiting) {
        const isFirst = next === undefined || comparePlaces(entry.shares, next.shares) < 0;
        if (isFirst && this.#hasRoom(entry.shares)) next = entry;
      }
      if (next === undefined) return;
      if (!next.isWanted()) {
        this.#refuse(next);
        continue;
      }
      this.#remove(next);
      // The place is taken here, not when the waiter wakes up: a newcomer must not slip in between.
      this.#take(next.shares);
      next.start();
    }
  }

  #refuse(entry: Waiting): void {
    const refusal = this.#overloaded(entry.shares);
    this.#remove(entry);
    entry.refuse(refusal);
  }

  #remove(entry: Waiting): void {
    clearTimeout(entry.timer);
    this.#waiting = this.#waiting.filter((other) => other !== entry);
    for (const share of listOf(entry.shares)) share.waiting -= 1;
  }

  #overloaded(shares: WorkShares): ImageError {
    const seconds = Math.ceil(this.#expectedWaitMs(shares) / 1000);
    return new ImageError(
      'overloaded',
      'could not be loaded: too many images are being fetched at the moment, try again',
      { retryAfterSeconds: Math.max(1, Math.min(seconds, retryAfterSecondsMax)) },
    );
  }
}

/** Below zero when `one` is to be given a place before `other`. */
function comparePlaces(one: WorkShares, other: WorkShares): number {
  return (
    one.organization.running - other.organization.running ||
    one.template.running - other.template.running ||
    one.host.running - other.host.running
  );
}

/** Over zero when `one` has more waiting than `other`. */
function compareCrowds(one: WorkShares, other: WorkShares): number {
  return (
    one.organization.waiting - other.organization.waiting ||
    one.template.waiting - other.template.waiting
  );
}
