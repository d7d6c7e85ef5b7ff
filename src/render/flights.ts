/** One piece of work for all who ask for the same render at the same time, each with its own deadline. */
import { Deadline } from '../foundation/deadline.ts';
import type { FlightResult } from '../foundation/single-flight.ts';
import { SingleFlight } from '../foundation/single-flight.ts';
import type { Render } from './cache/renders.ts';

/**
 * Renders in the making, by key. The first who asks leads; the work's deadline moves along with whoever
 * joins, so that it ends no sooner than the last of them has given up. A waiter whose own deadline passes
 * gets TIMEOUT, and the work goes on: its result is still worth keeping.
 */
export class RenderFlights {
  readonly #flights = new SingleFlight<Render>();
  readonly #deadlines = new Map<string, Deadline>();

  /** Renders in the making. */
  get size(): number {
    return this.#flights.size;
  }

  /** Whether a render of this key is in the making. */
  has(key: string): boolean {
    return this.#deadlines.has(key);
  }

  run(
    key: string,
    deadline: Deadline,
    work: (deadline: Deadline) => Promise<Render>,
  ): Promise<FlightResult<Render>> {
    this.#deadlines.get(key)?.extendTo(deadline.atMs);
    return this.#flights.run(key, () => this.#lead(key, deadline, work), deadline.signal);
  }

  async #lead(
    key: string,
    deadline: Deadline,
    work: (deadline: Deadline) => Promise<Render>,
  ): Promise<Render> {
    const flightDeadline = new Deadline(deadline.atMs);
    this.#deadlines.set(key, flightDeadline);
    try {
      return await work(flightDeadline);
    } finally {
      flightDeadline.clear();
      this.#deadlines.delete(key);
    }
  }
}
