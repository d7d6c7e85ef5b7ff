/** Watches how much memory the service holds while something else happens. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './compare-rounds.ts';
import type { Service } from './service.ts';

/** Bytes of resident memory. A single look would see the garbage collector's mood. */
export interface MemoryCourse {
  /** Median of the first and of the last quarter of the time. */
  beginning: number;
  end: number;
  peak: number;
}

const pauseMs = 100;

/** Looks from now on until it is stopped. */
export function watchMemory(service: Service): { stop: () => Promise<MemoryCourse> } {
  const samples: number[] = [];
  const stopping = new AbortController();
  const watch = async (): Promise<void> => {
    do {
      samples.push(await service.residentBytes());
      await sleep(pauseMs);
    } while (!stopping.signal.aborted);
  };
  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return courseOf(samples);
    },
  };
}

/** What samples in order of time say; NaN of none. */
export function courseOf(samples: readonly number[]): MemoryCourse {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  return {
    beginning: median(samples.slice(0, quarter)),
    end: median(samples.slice(-quarter)),
    peak: Math.max(...samples),
  };
}
