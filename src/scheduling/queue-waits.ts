/** How long renders waited for a thread, those included that never got one: in an overload they are most. */
import type { Family } from '../foundation/metric-families.ts';
import { Histogram, histogramFamily } from '../foundation/metric-families.ts';

/** How a wait ended: with a thread, or refused or timed out by then. */
export type WaitEnd = 'started' | 'given-up';

/** Upper bounds, seconds: to the time-outs that are set in practice. */
const buckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

export class QueueWaits {
  readonly #byEnd = new Map<WaitEnd, Histogram>([
    ['started', new Histogram(buckets)],
    ['given-up', new Histogram(buckets)],
  ]);

  /** Counts a wait that began at `sinceMs` of `performance.now()` and ends now. */
  count(end: WaitEnd, sinceMs: number): void {
    this.#byEnd.get(end)?.observe((performance.now() - sinceMs) / 1000);
  }

  families(): Family[] {
    const help =
      'Waits for a render thread; given-up: refused, timed out or left before one was free.';
    return [
      histogramFamily('platen_render_queue_wait_seconds', help, { label: 'end', by: this.#byEnd }),
    ];
  }
}
