/** Shares of the thread that answers: parsing and checking the bodies of one organization leaves most of it to others. */
import { AppError } from './errors.ts';

/** CPU time that an organization may take of the time that passes: four that send without a pause fill the thread. */
const share = 0.25;
/** CPU time in ms that it may take at once. Editors take 5 ms for a preview, so that they never wait. */
const creditMsMax = 300;
/** Bodies of one organization that wait: with the heaviest of them, for some 10 s. */
const waitingMax = 32;
const retryAfterSeconds = 2;

interface Account {
  /** CPU time in ms that is left; below 0 while the organization waits. */
  creditMs: number;
  /** The last change of `creditMs`, on the clock. */
  changedMs: number;
  /** CPU time of the thread when the running work began; absent while none runs. */
  startedCpuMs?: number | undefined;
  waiting: (() => void)[];
  isTimed: boolean;
}

class ThreadShares {
  readonly #accounts = new Map<string, Account>();

  /**
   * Resolves when the organization may work. What runs from then on to the end of the turn of the event loop, or to its
   * next call, counts as its work. Rejects with OVERLOADED if too many of its calls wait.
   */
  async take(organizationUid: string): Promise<void> {
    let account = this.#accounts.get(organizationUid);
    if (account === undefined) {
      account = {
        creditMs: creditMsMax,
        changedMs: performance.now(),
        waiting: [],
        isTimed: false,
      };
      this.#accounts.set(organizationUid, account);
    }
    settle(account);
    if (account.creditMs <= 0 || account.waiting.length > 0) {
      if (account.waiting.length >= waitingMax) throw tooMany();
      await this.#turn(account);
    }
    account.startedCpuMs = cpuMs();
    setImmediate(settle, account);
  }

  #turn(account: Account): Promise<void> {
    return new Promise((resolve) => {
      account.waiting.push(resolve);
      this.#callNext(account);
    });
  }

  /** Begins the next waiting work when there is credit for it, one in a turn of the event loop. */
  #callNext(account: Account): void {
    if (account.isTimed || account.waiting.length === 0) return;
    account.isTimed = true;
    const waitMs = Math.max(1, -account.creditMs / share);
    setTimeout(() => {
      account.isTimed = false;
      settle(account);
      if (account.creditMs > 0) account.waiting.shift()?.();
      this.#callNext(account);
    }, waitMs);
  }
}

/** Of everything that is made of a JSON body. */
export const documentShares = new ThreadShares();

/** Brings the credit up to date: less the work that ran, and more for the time that passed. */
function settle(account: Account): void {
  const now = performance.now();
  const { startedCpuMs } = account;
  if (startedCpuMs !== undefined) account.creditMs -= cpuMs() - startedCpuMs;
  account.startedCpuMs = undefined;
  const earnedMs = (now - account.changedMs) * share;
  account.creditMs = Math.min(creditMsMax, account.creditMs + earnedMs);
  account.changedMs = now;
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
