/** A service whose threads are measured from inside, see `front-probe.mjs`. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';

/** CPU time in ms of a thread, and of its longest turn of the event loop. */
export interface Used {
  cpuMs: number;
  turnMs: number;
}

/** What one of the other threads used. */
export interface ThreadUse extends Used {
  program: 'lists' | 'tables' | 'fonts' | 'campaigns';
  threadId: number;
}

export interface MeasuredService {
  service: Service;
  /** What the thread that answers used since the last call. */
  read: () => Promise<Used>;
  /** What the other threads used since the last call, by thread. */
  takeThreads: () => ThreadUse[];
}

/** Starts a service on a data folder. */
export async function startMeasured(
  t: Test,
  dataDirectory: string,
  environment: Record<string, string> = {},
): Promise<MeasuredService> {
  // The system takes at most 107 bytes of a socket's path.
  const socketFolder = mkdtempSync(join(tmpdir(), 'platen-'));
  t.teardown(() => rmSync(socketFolder, { recursive: true }));
  const socketPath = join(socketFolder, 'probe');
  const service = await startService(t, {
    dataDirectory,
    threadCount: 2,
    environment: {
      FRONT_PROBE: socketPath,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'front-probe.mjs')).href}`,
      ...environment,
    },
  });
  const threadsPath = `${socketPath}-threads`;
  writeFileSync(threadsPath, '');
  const socket = connect(socketPath).setEncoding('utf8');
  await once(socket, 'connect');
  t.teardown(() => socket.destroy());
  return {
    service,
    async read() {
      const answered = once(socket, 'data');
      socket.write('?');
      return JSON.parse(String((await answered)[0])) as Used;
    },
    takeThreads() {
      const text = readFileSync(threadsPath, 'utf8');
      writeFileSync(threadsPath, '');
      const uses = new Map<number, ThreadUse>();
      for (const line of text.trimEnd().split('\n').filter(Boolean)) {
        const use = JSON.parse(line) as ThreadUse;
        const known = uses.get(use.threadId) ?? { ...use, cpuMs: 0, turnMs: 0 };
        const turnMs = Math.max(known.turnMs, use.turnMs);
        uses.set(use.threadId, { ...known, cpuMs: known.cpuMs + use.cpuMs, turnMs });
      }
      return [...uses.values()];
    },
  };
}
