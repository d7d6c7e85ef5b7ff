/** Fair queue for work of limited concurrency (image fetches, SVG drawings), by organization and template. */
import { ImageError } from './image-error.ts';
import type { DrawingCpu } from './svg/drawing-cpu.ts';

/** The organization and template for which an image is loaded. */
export interface ImageRequester {
  organizationUid: string;
  /** Empty for an uploaded file. */
  templateUid: string;
  /** CPU time that the SVG files of one image share; absent: each file has its own. */
  drawingCpu?: DrawingCpu;
}

/** A limit of running works: all works with this key share `max` slots. */
export interface Claim {
  key: string;
  max: number;
  /** Only works of the requester claim this key, so their durations predict the wait for a slot. */
  isPrivate?: boolean;
}

export interface TurnOptions {
  /** Works that run at a time. */
  runningMax: number;
  /** Slots that one organization, and one template, may use. */
  organizationMax: number;
  templateMax: number;
  /** Works that wait. An organization has three quarters of them, a template half. */
  waitingMax: number;
  waitMsMax: number;
  /** A work whose predicted wait is longer is refused at once. */
  predictedMsMax: number;
  /** Message of an `overloaded` error. */
  problem: string;
}

/** A running work's right to its slot. */
export interface Turn {
  /**
   * Adds claims to those of the work, once. If a claim has no slot left, returns whether the work may continue without
   * the claims, because no waiting work could use its slot.
   */
  extend(claims: readonly Claim[]): boolean;
}

/** The works that hold or wait for one claim. */
interface Share extends Claim {
  /** Works that run or wait. */
  works: number;
  running: number;
  waiting: number;
  /** Exponential moving average of durations; 0 before the first work has ended. */
  meanMs: number;
  /** Sequence number of the latest start; 0 before the first. */
  lastStart: number;
}

interface Entry {
  /** In the order of fairness. */
  shares: [all: Share, organization: Share, template: Share, ...Share[]];
  isWanted: () => boolean;
  start: () => void;
  refuse: (error: ImageError) => void;
  timer: NodeJS.Timeout | undefined;
}

/** Weight of the latest duration in the average. */
const meanWeight = 1 / 8;
const retryAfterSecondsMax = 30;

/**
 * A free slot goes to the organization with the fewest running works, then to the least recently served one. The same
 * order applies to its templates, and then to the claims of the works. A work starts only if each of its claims has a
 * slot left; until then, other works may overtake it. Renders wait in `scheduling/queue`, which shares time instead of
 * slots (docs/decisions.md).
 */
export class Turns {
  readonly #options: TurnOptions;
  readonly #total: Share;
  readonly #shares = new Map<string, Share>();
  readonly #waiting = new Set<Entry>();
  #starts = 0;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#total = this.#enter({ key: 'all', max: options.runningMax });
  }

  get running(): number {
    return this.#total.running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs `work` when its turn comes. Rejects with an `ImageError` `overloaded` and a time to retry. This happens at
   * once if too many works wait or the predicted wait is too long, and later after `waitMsMax` or if `isWanted` returns
   * false. With `isReturning`, the work yielded its turn and is not refused on arrival.
   */
  async run<Value>(
    requester: ImageRequester,
    claims: readonly Claim[],
    isWanted: () => boolean,
    work: (turn: Turn) => Promise<Value>,
    isReturning = false,
  ): Promise<Value> {
    const { organizationMax, templateMax } = this.#options;
    const [organizationKey, templateKey] = requesterKeys(requester);
    const entry: Entry = {
      shares: [
        this.#enter(this.#total),
        this.#enter({ key: organizationKey, max: organizationMax, isPrivate: true }),
        this.#enter({ key: templateKey, max: templateMax, isPrivate: true }),
        ...claims.map((claim) => this.#enter(claim)),
      ],
      isWanted,
      start: () => undefined,
      refuse: () => undefined,
      timer: undefined,
    };
    try {
      if (entry.shares.every(hasSlot)) this.#take(entry);
      else if (isReturning || this.#makeSpace(entry)) await this.#wait(entry);
      else throw this.#overloaded(entry);
      const startedMs = performance.now();
      try {
        return await work({ extend: (more) => this.#extend(entry, more) });
      } finally {
        this.#release(entry, performance.now() - startedMs);
      }
    } finally {
      for (const share of entry.shares) this.#leave(share);
    }
  }

  #extend(entry: Entry, claims: readonly Claim[]): boolean {
    const hasClaim = ({ key }: Claim): boolean => entry.shares.some((share) => share.key === key);
    if (claims.every(hasClaim)) return true;
    const shares = claims.map((claim) => this.#enter(claim));
    if (shares.every(hasSlot)) {
      for (const share of shares) share.running += 1;
      entry.shares.push(...shares);
      return true;
    }
    for (const share of shares) this.#leave(share);
    const couldStart = ({ shares: others }: Entry): boolean =>
      others.every((share) => share === this.#total || hasSlot(share));
    return ![...this.#waiting].some((other) => other.isWanted() && couldStart(other));
  }

  #take(entry: Entry): void {
    this.#starts += 1;
    for (const share of entry.shares) {
      share.running += 1;
      share.lastStart = this.#starts;
    }
  }

  #release(entry: Entry, tookMs: number): void {
    for (const share of entry.shares) {
      share.running -= 1;
      share.meanMs =
        share.meanMs === 0 ? tookMs : share.meanMs + (tookMs - share.meanMs) * meanWeight;
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (!next.isWanted()) {
        this.#refuse(next);
        continue;
      }
      this.#remove(next);
      // Taken before the waiting work continues, so that no new work starts in between.
      this.#take(next);
      next.start();
    }
  }

  #next(): Entry | undefined {
    let next: Entry | undefined;
    for (const entry of this.#waiting) {
      if (!entry.shares.every(hasSlot)) continue;
      if (next === undefined || compareTurns(entry, next) < 0) next = entry;
    }
    return next;
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

  /**
   * Returns whether one more work may wait. In a full queue, the organization with the most waiting works loses its
   * newest to an organization with fewer.
   */
  #makeSpace({ shares }: Entry): boolean {
    const { waitingMax, predictedMsMax } = this.#options;
    const [, organization, template] = shares;
    if (predictedMsOf(shares) > predictedMsMax) return false;
    for (const entry of this.#waiting) if (!entry.isWanted()) this.#refuse(entry);
    if (organization.waiting >= organizationSlots(waitingMax)) return false;
    if (template.waiting >= templateSlots(waitingMax)) return false;
    if (this.#waiting.size < waitingMax) return true;
    let most: Entry | undefined;
    for (const entry of this.#waiting) {
      if (most === undefined || compareCrowds(entry, most) >= 0) most = entry;
    }
    // At a difference of one work, the two organizations would only exchange slots.
    if (most === undefined || most.shares[1].waiting <= organization.waiting + 1) return false;
    this.#refuse(most);
    return true;
  }

  #refuse(entry: Entry): void {
    const error = this.#overloaded(entry);
    this.#remove(entry);
    entry.refuse(error);
  }

  #remove(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#waiting.delete(entry);
    for (const share of entry.shares) share.waiting -= 1;
  }

  #overloaded({ shares }: Entry): ImageError {
    const seconds = Math.ceil(predictedMsOf(shares) / 1000);
    const retryAfterSeconds = Math.max(1, Math.min(seconds, retryAfterSecondsMax));
    return new ImageError('overloaded', this.#options.problem, { retryAfterSeconds });
  }

  #enter(claim: Claim): Share {
    let share = this.#shares.get(claim.key);
    if (share === undefined) {
      share = { ...claim, works: 0, running: 0, waiting: 0, meanMs: 0, lastStart: 0 };
      this.#shares.set(claim.key, share);
    }
    share.works += 1;
    return share;
  }

  #leave(share: Share): void {
    share.works -= 1;
    if (share.works === 0) this.#shares.delete(share.key);
  }
}

/** Keys of an organization and of its template. No uid has a space, so all keys differ. */
export function requesterKeys({ organizationUid, templateUid }: ImageRequester): [string, string] {
  return [`organization ${organizationUid}`, `template ${organizationUid} ${templateUid}`];
}

/**
 * Slots that one organization may use of `count`: works that never end leave a quarter to other organizations. At least
 * one.
 */
export function organizationSlots(count: number): number {
  return Math.max(1, Math.floor((count * 3) / 4));
}

/** Slots that one template may use of `count`; at least one. */
export function templateSlots(count: number): number {
  return Math.max(1, Math.floor(count / 2));
}

function hasSlot({ running, max }: Share): boolean {
  return running < max;
}

/** Predicts the wait in ms by the requester's private claims without a free slot. Shared claims predict no wait. */
function predictedMsOf(shares: readonly Share[]): number {
  const exhausted = shares.filter((share) => share.isPrivate === true && !hasSlot(share));
  return Math.max(0, ...exhausted.map((share) => ((share.waiting + 1) * share.meanMs) / share.max));
}

/** Negative if `one` starts before `other`; works of one template start in the order of their arrival. */
function compareTurns({ shares }: Entry, { shares: others }: Entry): number {
  for (const [index, one] of shares.entries()) {
    const other = others[index];
    if (other === undefined || one === other) continue;
    return one.running - other.running || one.lastStart - other.lastStart;
  }
  return 0;
}

/** Positive if the organization of the first work has more waiting works, or its template has. */
function compareCrowds(
  { shares: [, organization, template] }: Entry,
  { shares: [, otherOrganization, otherTemplate] }: Entry,
): number {
  return (
    organization.waiting - otherOrganization.waiting || template.waiting - otherTemplate.waiting
  );
}
