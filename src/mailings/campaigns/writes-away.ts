/** Writes of the campaign thread that the main thread stores. */
import type { CampaignRun } from '../store/campaigns/campaign-records.ts';
import type { ThreadNews, ThreadOrder } from './messages.ts';
import type { RunWrite } from './run-writes.ts';
import { fromThreadError } from './thread-errors.ts';

interface Waiting {
  resolve: (run: CampaignRun | undefined) => void;
  reject: (error: Error) => void;
}

export class WritesAway {
  readonly #send: (news: ThreadNews) => void;
  readonly #waiting = new Map<number, Waiting>();
  #numbers = 0;

  constructor(send: (news: ThreadNews) => void) {
    this.#send = send;
  }

  /** Writes are stored in the order of these calls. Rejects with a `StoreError` or an `AppError`. */
  store(write: RunWrite): Promise<CampaignRun | undefined> {
    this.#numbers += 1;
    const number = this.#numbers;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#send({ kind: 'write', number, write });
    });
  }

  settle({ number, run, error }: Extract<ThreadOrder, { kind: 'stored' }>): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (error === undefined) waiting?.resolve(run);
    else waiting?.reject(fromThreadError(error));
  }
}
