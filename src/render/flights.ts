/** Lets all requests for the same render share one piece of work, each with its own deadline. */
import { Deadline } from '../foundation/deadline.ts';
import type { FlightResult } from '../foundation/single-flight.ts';
import { SingleFlight } from '../foundation/single-flight.ts';
import type { Render } from './cache/renders.ts';

/** A render that was admitted, to be run once. */
export type AdmittedRender = (deadline: Deadline) => Promise<Render>;

/**
 * Renders in progress, by key. The first request leads; the deadline of the work moves along with the requests that
 * join, so that it ends no sooner than the last of them has given up. A request whose own deadline passes gets TIMEOUT,
 * and the work goes on: its result is still worth keeping.
 */
export class RenderFlights {
  readonly #flights = new SingleFlight<Render>();
  readonly #deadlines = new Map<string, Deadline>();

  /** Renders in progress. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * Joins the render in progress, or leads a new one. What `admit` throws is thrown here, at once: ten times as many
   * links as can be rendered must not take the time of the renders, so a refusal is no flight, no promise and no timer.
   */
  run(key: string, deadline: Deadline, admit: () => AdmittedRender): Promise<FlightResult<Render>> {
    this.#deadlines.get(key)?.extendTo(deadline.atMs);
    const render = this.#flights.has(key) ? undefined : admit();
    const lead = (): Promise<Render> => this.#lead(key, deadline, render ?? admit());
    return this.#flights.run(key, lead, deadline.signal);
  }

  async #lead(key: string, deadline: Deadline, render: AdmittedRender): Promise<Render> {
    const flightDeadline = new Deadline(deadline.atMs);
    this.#deadlines.set(key, flightDeadline);
    try {
      return await render(flightDeadline);
    } finally {
      flightDeadline.clear();
      this.#deadlines.delete(key);
    }
  }
}
