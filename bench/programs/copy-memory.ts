/** Copies memory on every core for some seconds, and prints the number of copies in each window of time. */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Larger than the cache of a core, as images are that are drawn in turn. */
const copiedBytes = 24_000_000;

if (isMainThread) {
  const { windowMs, windows } = JSON.parse(process.argv[2] ?? '{}') as {
    windowMs: number;
    windows: number;
  };
  const copies = new Int32Array(new SharedArrayBuffer(4));
  const threads = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL(import.meta.url), { workerData: copies }),
  );
  // Until all threads have their memory.
  await sleep(windowMs);
  const rates: number[] = [];
  for (let index = 0; index < windows; index += 1) {
    const [before, startedMs] = [Atomics.load(copies, 0), performance.now()];
    await sleep(windowMs);
    rates.push((Atomics.load(copies, 0) - before) / (performance.now() - startedMs));
  }
  process.stdout.write(JSON.stringify(rates));
  await Promise.all(threads.map((thread) => thread.terminate()));
} else {
  const copies = workerData as Int32Array;
  const [one, other] = [new Uint8Array(copiedBytes), new Uint8Array(copiedBytes)];
  for (;;) {
    one.set(other);
    other.set(one);
    Atomics.add(copies, 0, 1);
  }
}
