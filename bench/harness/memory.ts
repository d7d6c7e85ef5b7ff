/** Records the memory of the service during a measurement. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './compare-rounds.ts';
import type { Service } from './service.ts';

/** Bytes of resident memory. A single sample would depend on the state of the garbage collector. */
export interface MemoryCourse {
  /** Medians of the first and of the last quarter of the time. */
  beginning: number;
  end: number;
  peak: number;
}

const pauseMs = 100;

/** Samples the memory until `stop` is called. */
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

/** Returns the course of samples in order of time; NaN of none. */
export function courseOf(samples: readonly number[]): MemoryCourse {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  return {
    beginning: median(samples.slice(0, quarter)),
    end: median(samples.slice(-quarter)),
    peak: Math.max(...samples),
  };
}
