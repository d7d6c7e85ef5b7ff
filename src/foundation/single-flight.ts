/** Single flight: concurrent callers with the same key share one piece of work. */

/** A result, and whether this caller waited for the work of another one. */
export interface FlightResult<Value> {
  value: Value;
  shared: boolean;
}

interface Flight<Value> {
  promise: Promise<Value>;
  callers: { waiting: number };
}

/**
 * Runs at most one `work` for a key at a time; all callers get the same value or the same error. A finished flight
 * is removed: caches keep results.
 *
 * The deadline of one caller does not end the flight. `signal` rejects the promise of this caller with its reason;
 * the work continues for the others. `work` gets a function that returns whether a caller still waits.
 */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();

  get size(): number {
    return this.#flights.size;
  }

  /** Whether a flight of this key runs, so that `run` would not call `work`. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  async run(
    key: string,
    work: (isWanted: () => boolean) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<FlightResult<Value>> {
    const existing = this.#flights.get(key);
    const flight = existing ?? this.#start(key, work);
    if (existing !== undefined) existing.callers.waiting += 1;
    try {
      const value = await (signal === undefined
        ? flight.promise
        : raceSignal(flight.promise, signal));
      return { value, shared: existing !== undefined };
    } finally {
      flight.callers.waiting -= 1;
    }
  }

  #start(key: string, work: (isWanted: () => boolean) => Promise<Value>): Flight<Value> {
    const callers = { waiting: 1 };
    // An async wrapper turns a synchronous throw into a rejection, so that the flight is removed.
    const promise = (async () => work(() => callers.waiting > 0))().finally(() =>
      this.#flights.delete(key),
    );
    // All callers may have left before the work fails: this prevents an unhandled rejection.
    promise.catch(() => undefined);
    const flight = { promise, callers };
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
