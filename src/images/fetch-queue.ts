/** Lets a bounded number of fetches run, in all and for each host; the rest wait their turn or are refused. */
import { ImageError } from './image-error.ts';

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
  host: string;
  isWanted: () => boolean;
  start: () => void;
  refuse: (error: ImageError) => void;
  timer: NodeJS.Timeout;
}

/**
 * A first-in, first-out queue that passes over hosts which have their share running, so that one
 * slow origin holds only its own fetches up.
 */
export class FetchQueue {
  readonly #options: FetchQueueOptions;
  readonly #runningByHost = new Map<string, number>();
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
   * Runs `work` when there is room for `host`. Rejects with an `ImageError` of reason `overloaded`
   * when the queue is full, when the wait is over, or when nobody wants the result any more by the
   * time its turn comes (`isWanted`): what all callers have given up is not worth an origin's time.
   */
  async run<Value>(
    host: string,
    isWanted: () => boolean,
    work: () => Promise<Value>,
  ): Promise<Value> {
    if (this.#hasRoom(host)) this.#take(host);
    else await this.#wait(host, isWanted);
    try {
      return await work();
    } finally {
      this.#release(host);
    }
  }

  #hasRoom(host: string): boolean {
    const { fetchesMax, fetchesPerHostMax } = this.#options;
    return this.#running < fetchesMax && (this.#runningByHost.get(host) ?? 0) < fetchesPerHostMax;
  }

  #take(host: string): void {
    this.#running++;
    this.#runningByHost.set(host, (this.#runningByHost.get(host) ?? 0) + 1);
  }

  #release(host: string): void {
    this.#running--;
    const left = (this.#runningByHost.get(host) ?? 1) - 1;
    if (left === 0) this.#runningByHost.delete(host);
    else this.#runningByHost.set(host, left);
    this.#startWaiting();
  }

  #wait(host: string, isWanted: () => boolean): Promise<void> {
    if (this.#waiting.length >= this.#options.fetchesWaitingMax) this.#dropUnwanted();
    if (this.#waiting.length >= this.#options.fetchesWaitingMax)
      return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        host,
        isWanted,
        start: resolve,
        refuse: reject,
        timer: setTimeout(() => {
          this.#waiting = this.#waiting.filter((other) => other !== entry);
          reject(overloaded());
        }, this.#options.queueWaitMs),
      };
      this.#waiting.push(entry);
    });
  }

  #dropUnwanted(): void {
    const unwanted = this.#waiting.filter((entry) => !entry.isWanted());
    this.#waiting = this.#waiting.filter((entry) => !unwanted.includes(entry));
    for (const entry of unwanted) refuse(entry);
  }

  #startWaiting(): void {
    for (;;) {
      const index = this.#waiting.findIndex((entry) => this.#hasRoom(entry.host));
      const entry = this.#waiting[index];
      if (entry === undefined) return;
      this.#waiting.splice(index, 1);
      if (!entry.isWanted()) {
        refuse(entry);
        continue;
      }
      clearTimeout(entry.timer);
      // The place is taken here, not when the waiter wakes up: a newcomer must not slip in between.
      this.#take(entry.host);
      entry.start();
    }
  }
}

function refuse(entry: Waiting): void {
  clearTimeout(entry.timer);
  entry.refuse(overloaded());
}

function overloaded(): ImageError {
  return new ImageError(
    'overloaded',
    'could not be loaded: too many images are being fetched at the moment, try again',
  );
}
