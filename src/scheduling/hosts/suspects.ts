/** Renders whose host has ended, and that may be innocent: each runs again alone in a host, one at a time. */
import { deadlineError } from '../../foundation/deadline.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { RenderHost } from './host.ts';
import type { RenderThread } from './thread.ts';

/** A thread that takes jobs, with its host. */
export interface Seat {
  readonly host: RenderHost;
  readonly thread: RenderThread;
}

export class Suspects {
  readonly #waiting: ((seat: Seat) => void)[] = [];
  #host: RenderHost | undefined;

  /** The host of the suspect that runs. */
  get host(): RenderHost | undefined {
    return this.#host;
  }

  /** Whether a suspect waits. While one runs, the next one waits too. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Starts the suspect that waits longest, at a seat of a host without jobs. */
  start(seat: Seat): void {
    this.#host = seat.host;
    this.#waiting.shift()?.(seat);
  }

  /** Waits for a seat and runs `work` there. Rejects with TIMEOUT if there is none by the deadline. */
  async run<Result>(deadline: Deadline, work: (seat: Seat) => Promise<Result>): Promise<Result> {
    const seat = await this.#seat(deadline);
    try {
      return await work(seat);
    } finally {
      this.#host = undefined;
    }
  }

  #seat({ signal }: Deadline): Promise<Seat> {
    return new Promise((resolve, reject) => {
      const take = (seat: Seat): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(seat);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(deadlineError());
      };
      if (signal.aborted) {
        reject(deadlineError());
        return;
      }
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(take);
    });
  }
}
