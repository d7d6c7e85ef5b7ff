/**
 * Limits the share of the main thread that the requests of one organization's keys may use. All callers without a key
 * share one account, whose uid is empty.
 */
import { inShortTurn } from './deadline.ts';
import { AppError } from './errors.ts';

/** Share of the elapsed time that an organization may use as CPU time. Four that never pause fill the thread. */
const share = 0.25;
/** Upper bound of the credit, in ms of CPU time. An editor uses 5 ms for a preview, so it never waits. */
const creditMsMax = 300;
/** Credit in ms from which an organization does not wait for a turn, because it has used next to nothing. */
const freshMs = 280;
/** Upper bound in bytes of the bodies that begin at once, beyond the first. Their cost is known only afterwards. */
const begunBytesMax = 16 * 1024;
/** Upper bound of the waiting requests of one organization. The most expensive ones wait for some 10 s. */
const waitingMax = 32;
/** Upper bound of an organization's requests that wait for a turn: a burst of cheap ones takes a second at most. */
const arrivingMax = 256;
const retryAfterSeconds = 2;

interface Account {
  isAnonymous: boolean;
  /** CPU time in ms that is left; below 0 while the organization waits. */
  creditMs: number;
  /** The last change of `creditMs`, on the clock. */
  changedMs: number;
  /** CPU time of the thread at the start of the first body of those that begin at once; absent before. */
  startedCpuMs?: number | undefined;
  /** Bytes of the bodies that begin at once. */
  begunBytes: number;
  waiting: (() => void)[];
  /** Requests that wait for a turn of the event loop. */
  arriving: number;
  isTimed: boolean;
}

class ThreadShares {
  readonly #accounts = new Map<string, Account>();

  /**
   * Resolves when the organization may work on a body of `bytes` bytes, or on a request without one. All work from then
   * on, until the thread waits, counts for the organization. Rejects with OVERLOADED if too many of its requests wait.
   */
  async take(organizationUid: string, bytes: number): Promise<void> {
    // Ensures that the tick below runs after the promises that are settled now, not before them.
    await Promise.resolve();
    const account = this.#accountOf(organizationUid);
    earn(account);
    // Requests that arrive in one turn get one turn each, so that other organizations are answered in between.
    if (account.creditMs < freshMs) await shortTurn(account);
    const isFull = account.begunBytes > 0 && account.begunBytes + bytes > begunBytesMax;
    if (isFull || account.creditMs <= 0 || account.waiting.length > 0) {
      if (account.waiting.length >= waitingMax) throw tooMany(account, waitingMax);
      await this.#turn(account);
    }
    account.begunBytes += Math.max(1, bytes);
    if (account.startedCpuMs !== undefined) return;
    account.startedCpuMs = cpuMs();
    // Runs after the promises that are settled now, and before anything else that has arrived.
    process.nextTick(endWork, account);
  }

  #accountOf(organizationUid: string): Account {
    const known = this.#accounts.get(organizationUid);
    if (known !== undefined) return known;
    const changedMs = performance.now();
    const account = {
      isAnonymous: organizationUid === '',
      creditMs: creditMsMax,
      changedMs,
      begunBytes: 0,
      waiting: [],
      arriving: 0,
      isTimed: false,
    };
    this.#accounts.set(organizationUid, account);
    return account;
  }

  #turn(account: Account): Promise<void> {
    return new Promise((resolve) => {
      account.waiting.push(resolve);
      this.#callNext(account);
    });
  }

  /** Starts the next waiting request when there is credit for it, one at a time. */
  #callNext(account: Account): void {
    if (account.isTimed || account.waiting.length === 0) return;
    account.isTimed = true;
    const waitMs = Math.max(1, -account.creditMs / share);
    setTimeout(() => {
      account.isTimed = false;
      earn(account);
      if (account.creditMs > 0 && account.begunBytes === 0) account.waiting.shift()?.();
      this.#callNext(account);
    }, waitMs);
  }
}

/** Shares for all work on JSON bodies, for reads with a key (the longest lists take some 50 ms), and for pages. */
export const organizationShares = new ThreadShares();

/** Resolves in a turn that has not taken long. Rejects with OVERLOADED if too many requests wait for one. */
async function shortTurn(account: Account): Promise<void> {
  if (account.arriving >= arrivingMax) throw tooMany(account, arrivingMax);
  account.arriving += 1;
  try {
    await inShortTurn(() => undefined);
  } finally {
    account.arriving -= 1;
  }
}

/** Adds to the credit for the time that passed. */
function earn(account: Account): void {
  const now = performance.now();
  const earnedMs = (now - account.changedMs) * share;
  account.creditMs = Math.min(creditMsMax, account.creditMs + earnedMs);
  account.changedMs = now;
}

/** Subtracts the CPU time of the work from the credit. */
function endWork(account: Account): void {
  earn(account);
  account.creditMs -= cpuMs() - (account.startedCpuMs ?? 0);
  account.startedCpuMs = undefined;
  account.begunBytes = 0;
}

/** CPU time of this thread in ms. Time without a core does not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tooMany({ isAnonymous }: Account, count: number): AppError {
  const who = isAnonymous ? 'Callers without a key ask' : 'The organization asks';
  return new AppError(
    'OVERLOADED',
    `${who} for too much at a time: ${count} requests wait. Send it again in a moment.`,
    { reason: 'share', retryAfterSeconds },
  );
}
