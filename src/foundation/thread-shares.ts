/** Shares of the thread that answers: parsing and checking the bodies of one organization leaves most of it to others. */
import { AppError } from './errors.ts';

/** CPU time that an organization may take of the time that passes: four that send without a pause fill the thread. */
const share = 0.25;
/** CPU time in ms that it may take at once. Editors take 5 ms for a preview, so that they never wait. */
const creditMsMax = 300;
/** Bytes of bodies that begin at once, beyond the first: what they cost is known after them. */
const begunBytesMax = 16 * 1024;
/** Bodies of one organization that wait: with the heaviest of them, for some 10 s. */
const waitingMax = 32;
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
  isTimed: boolean;
}

class ThreadShares {
  readonly #accounts = new Map<string, Account>();

  /**
   * Resolves when the organization may work on a body of so many bytes. What runs from then on until nothing
   * is left to run without waiting counts as its work. Rejects with OVERLOADED if too many of its bodies wait.
   */
  async take(organizationUid: string, bytes: number): Promise<void> {
    const account = this.#accountOf(organizationUid);
    earn(account);
    const isFull = account.begunBytes > 0 && account.begunBytes + bytes > begunBytesMax;
    if (isFull || account.creditMs <= 0 || account.waiting.length > 0) {
      if (account.waiting.length >= waitingMax) throw tooMany();
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

/** Of everything that is made of a JSON body. */
export const documentShares = new ThreadShares();

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

function tooMany(): AppError {
  return new AppError(
    'OVERLOADED',
    `The organization has too many documents to check: ${waitingMax} wait. Send it again in a moment.`,
    { reason: 'documents', retryAfterSeconds },
  );
}
