/**
 * Measures a start, on a used and on an empty data folder: `node bench/start-up.ts [starts] [other checkout …]`.
 *
 * Checkouts alternate, so that a busy moment of the machine affects all of them; the default is 5 starts. The CPU time
 * of all threads, which other work on the machine affects little, is printed beside the elapsed time (Linux only), and
 * each number also as a multiple of a bare `node -e 0`.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  endChild,
  runChild,
  serviceArguments,
  startChild,
  temporaryFolder,
} from './harness/children.ts';
import { median } from './harness/statistics.ts';
import { fetchAnswer } from './harness/fetch-answer.ts';
import { freePort } from './harness/service.ts';

/** Milliseconds since the start of the process. */
export interface StartUp {
  /** `/readyz` answers 200: database, processes and fonts are ready. */
  readyMs: number;
  /** The whole first image has arrived. */
  firstImageMs: number;
  /** CPU time of all threads by then; NaN where the system does not report it. */
  processorMs: number;
}

const link = '/v1/render/welcome-banner?name=Amanda';
const pauseMs = 5;
const startTimeoutMs = 60_000;

/** Starts the service of a checkout on a data folder, waits for its first image, and ends it. */
export async function measureStart(checkout: string, dataDirectory: string): Promise<StartUp> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = startChild(process.execPath, serviceArguments(checkout), {
    cwd: checkout,
    env: {
      PLATEN_HOST: '127.0.0.1',
      PLATEN_PORT: String(port),
      PLATEN_DATA_DIR: dataDirectory,
    },
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${port}`;
  const answeredMs = async (path: string): Promise<number> => {
    while (performance.now() - startedMs < startTimeoutMs && child.exitCode === null) {
      // The service does not listen yet, or is not ready: retried.
      const answer = await fetchAnswer(base + path).catch(() => undefined);
      if (answer?.status === 200) return performance.now() - startedMs;
      await sleep(pauseMs);
    }
    throw new Error(`${checkout} did not answer ${path} with 200.`);
  };
  try {
    const readyMs = await answeredMs('/readyz');
    const firstImageMs = await answeredMs(link);
    return { readyMs, firstImageMs, processorMs: processorMs(child.pid ?? 0) };
  } finally {
    await endChild(child);
  }
}

/** Milliseconds of a Node process that does nothing. */
export async function measureBareStart(): Promise<number> {
  const startedMs = performance.now();
  await runChild(process.execPath, ['-e', '0']);
  return performance.now() - startedMs;
}

/** Fields 14 and 15 of `/proc/<pid>/stat` (proc_pid_stat(5)), in ticks of 10 ms. */
function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

async function report(starts: number, checkouts: readonly string[]): Promise<void> {
  const bare: number[] = [];
  const folders = new Map<string, string>();
  const series = new Map<string, StartUp[]>();
  for (const checkout of checkouts) {
    folders.set(checkout, join(temporaryFolder(), 'data'));
    await measureStart(checkout, folders.get(checkout) ?? '');
  }
  for (let round = 0; round < starts; round += 1) {
    bare.push(await measureBareStart());
    for (const checkout of checkouts) {
      const used = await measureStart(checkout, folders.get(checkout) ?? '');
      const empty = await measureStart(checkout, join(temporaryFolder(), 'data'));
      for (const [folder, start] of Object.entries({ used, empty })) {
        const name = checkouts.length === 1 ? folder : `${folder}, ${checkout}`;
        series.set(name, [...(series.get(name) ?? []), start]);
      }
    }
  }
  const bareMs = median(bare);
  console.log(
    `A bare node -e 0 takes ${bareMs.toFixed(0)} ms. Medians (and smallest) of ${starts}:`,
  );
  const rows = [...series].map(([name, each]) => {
    const show = (pick: (start: StartUp) => number): string => {
      const values = each.map(pick);
      const middle = median(values);
      return `${middle.toFixed(0)} ms (${Math.min(...values).toFixed(0)}), ${(middle / bareMs).toFixed(1)}×`;
    };
    return [
      name,
      {
        ready: show((start) => start.readyMs),
        'first image': show((start) => start.firstImageMs),
        processor: show((start) => start.processorMs),
      },
    ];
  });
  console.table(Object.fromEntries(rows));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [starts = '5', ...others] = process.argv.slice(2);
  const checkout = resolve(import.meta.dirname, '..');
  await report(Number(starts), [checkout, ...others.map((path) => resolve(path))]);
}
