/** Shares of the thread that answers: what one organization asks with its keys leaves most of it to others. */
import { inShortTurn } from './deadline.ts';
import { AppError } from './errors.ts';

/** CPU time that an organization may take of the time that passes: four that send without a pause fill the thread. */
const share = 0.25;
/** CPU time in ms that it may take at once. Editors take 5 ms for a preview, so that they never wait. */
const creditMsMax = 300;
/** Credit in ms of an organization that has asked for next to nothing: it does not wait for a turn. */
const freshMs = 280;
/** Bytes of bodies that begin at once, beyond the first: what they cost is known after them. */
const begunBytesMax = 16 * 1024;
/** Requests of one organization that wait: with the heaviest of them, for some 10 s. */
const waitingMax = 32;
/** Requests of one organization that wait for a turn of the event loop: a burst of cheap ones is answered within a second. */
const arrivingMax = 256;
const retryAfterSeconds = 2;

interface Account {
  /** CPU time in ms that is left; below 0 while the organization waits. */
  creditMs: number;
  /** The last change of `creditMs`, on the clock. */
  changedMs: number;
  /** CPU time of the thread when the first of the bodies that begin at once began; absent before. */
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
   * Resolves when the organization may work on a body of so many bytes, or on a request without one. What runs from then
   * on until nothing is left to run without waiting counts as its work. Rejects with OVERLOADED if too many of its
   * requests wait.
   */
  async take(organizationUid: string, bytes: number): Promise<void> {
    // A tick that is asked for here comes after the promises that are settled now, else before them.
    await Promise.resolve();
    const account = this.#accountOf(organizationUid);
    earn(account);
    // Many that arrive in one turn have one each: other organizations are answered in between.
    if (account.creditMs < freshMs) await shortTurn(account);
    const isFull = account.begunBytes > 0 && account.begunBytes + bytes > begunBytesMax;
    if (isFull || account.creditMs <= 0 || account.waiting.length > 0) {
      if (account.waiting.length >= waitingMax) throw tooMany(waitingMax);
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

  /** Begins the next waiting work when there is credit for it, one at a time. */
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

/** Of everything that is made of a JSON body, and of reads with a key: the longest lists take some 50 ms. */
export const organizationShares = new ThreadShares();

/** Resolves in a turn that has not taken long. Rejects with OVERLOADED if too many of its requests wait for one. */
async function shortTurn(account: Account): Promise<void> {
  if (account.arriving >= arrivingMax) throw tooMany(arrivingMax);
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

/** Takes the work off the credit. */
function endWork(account: Account): void {
  earn(account);
  account.creditMs -= cpuMs() - (account.startedCpuMs ?? 0);
  account.startedCpuMs = undefined;
  account.begunBytes = 0;
}

/** CPU time of this thread, in ms: a thread that has no core works for nobody. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tooMany(count: number): AppError {
  return new AppError(
    'OVERLOADED',
    `The organization asks for too much at a time: ${count} requests wait. Send it again in a moment.`,
    { reason: 'share', retryAfterSeconds },
  );
}
