/** Lets callers that want the same thing at the same time share one piece of work. */

/** A result and whether this caller waited for another's work instead of starting its own. */
export interface FlightResult<Value> {
  value: Value;
  shared: boolean;
}

interface Flight<Value> {
  promise: Promise<Value>;
}

/**
 * Runs at most one `work` per key at a time; everyone who asks meanwhile gets the same value or the
 * same error. The flight is forgotten when it lands: keeping results is the caches' job.
 *
 * A waiter's own deadline does not end the flight: race the returned promise against it. `signal`
 * only ends this caller's waiting, with its reason; the work goes on for the others.
 */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();

  get size(): number {
    return this.#flights.size;
  }

  /** Whether a flight of this key is under way: `run` would not call its `work`. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  async run(
    key: string,
    work: () => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<FlightResult<Value>> {
    const existing = this.#flights.get(key);
    const flight = existing ?? this.#start(key, work);
    const value = await (signal === undefined
      ? flight.promise
      : raceSignal(flight.promise, signal));
    return { value, shared: existing !== undefined };
  }

  #start(key: string, work: () => Promise<Value>): Flight<Value> {
    // An async wrapper turns a synchronous throw into a rejection, so that no flight is left behind.
    const promise = (async () => work())().finally(() => this.#flights.delete(key));
    // Every waiter may have gone by the time the work fails: that is no unhandled rejection.
    promise.catch(() => undefined);
    const flight = { promise };
    this.#flights.set(key, flight);
    return flight;
  }
}

function raceSignal<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
