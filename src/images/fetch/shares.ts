/** Counts what organizations, templates and hosts have of a queue's places, and how long they keep them. */

/** Who an image is loaded for: what is scarce is shared between organizations, and inside each between its templates. */
export interface ImageAsker {
  organizationUid: string;
  /** Empty for a file that is uploaded. */
  templateUid: string;
}

/** One organization, template or host, or an organization at a host. */
export interface Share {
  readonly key: string;
  /** Works that have entered and not left. */
  works: number;
  running: number;
  waiting: number;
  /** About how long its works take, ms: each one that ends moves it by an eighth. 0 until the first has ended. */
  meanMs: number;
}

/** The shares of a piece of work. */
export interface WorkShares {
  organization: Share;
  template: Share;
  host: Share;
  organizationHost: Share;
}

/**
 * The part of all places that one organization may have, in all and at one host, and one template: whoever takes them
 * with works that never end leaves a quarter to the other organizations, and of its own a third to its other templates.
 */
export const organizationPart = 3 / 4;
export const templatePart = 1 / 2;

const meanWeight = 1 / 8;

/** That part of `count` places, and one at least. */
export function partOf(count: number, part: number): number {
  return Math.max(1, Math.floor(count * part));
}

/** Counts a running work that has taken `tookMs` as ended. */
export function endWork(share: Share, tookMs: number): void {
  share.running -= 1;
  share.meanMs = share.meanMs === 0 ? tookMs : share.meanMs + (tookMs - share.meanMs) * meanWeight;
}

export function listOf({ organization, template, host, organizationHost }: WorkShares): Share[] {
  return [organization, template, host, organizationHost];
}

/** The shares of all works that have entered and not left; others are forgotten. */
export class ShareTable {
  readonly #shares = new Map<string, Share>();

  /** The shares of one more work; `leave` must follow, once. */
  enter({ organizationUid, templateUid }: ImageAsker, host: string): WorkShares {
    // A space is in none of the names: no two levels share a key.
    return {
      organization: this.#enter(`organization ${organizationUid}`),
      template: this.#enter(`template ${organizationUid} ${templateUid}`),
      host: this.#enter(`host ${host}`),
      organizationHost: this.#enter(`organization-host ${organizationUid} ${host}`),
    };
  }

  leave(shares: WorkShares): void {
    for (const share of listOf(shares)) {
      share.works -= 1;
      if (share.works === 0) this.#shares.delete(share.key);
    }
  }

  #enter(key: string): Share {
    let share = this.#shares.get(key);
    if (share === undefined) {
      share = { key, works: 0, running: 0, waiting: 0, meanMs: 0 };
      this.#shares.set(key, share);
    }
    share.works += 1;
    return share;
  }
}
