/** The child's side of a painter: a process that draws pictures when it is told to, and says how long they took. */
import { writeFileSync } from 'node:fs';

/** The order of one picture: the text that changes, the photo where it changes, the format. */
export interface Order {
  number: number;
  format: 'jpeg' | 'png';
}

/** What the parent sends: one picture into a file, or a round of many. */
export type Request = { id: number } & (
  | (Order & { kind: 'draw'; path: string })
  | {
      kind: 'round';
      format: Order['format'];
      /** The first number; each picture of the round has its own. */
      from: number;
      count: number;
      /** Pictures under way at a time. */
      concurrency: number;
    }
);

/** What a round took. `cpuMs` is the processor time of all threads of the process. */
export interface Round {
  ms: number;
  cpuMs: number;
  /** Bytes of all files together. */
  bytes: number;
}

export type Answer = { id: number } & Partial<Round> & { error?: string };

/** Serves the parent until it goes away. */
export function servePainter(
  draw: (order: Order) => Promise<Uint8Array>,
  close: () => Promise<void> = async () => undefined,
): void {
  const answer = async (request: Request): Promise<Partial<Round>> => {
    if (request.kind === 'round') return drawRound(draw, request);
    writeFileSync(request.path, await draw(request));
    return {};
  };
  process.on('message', (request: Request) => {
    answer(request)
      .catch((error: unknown) => ({ error: String(error instanceof Error ? error.stack : error) }))
      .then((result) => process.send?.({ id: request.id, ...result } satisfies Answer))
      .catch(() => process.exit(1));
  });
  process.on('disconnect', () => void close().finally(() => process.exit(0)));
  process.send?.({ id: 0 } satisfies Answer);
}

async function drawRound(
  draw: (order: Order) => Promise<Uint8Array>,
  { format, from, count, concurrency }: Request & { kind: 'round' },
): Promise<Round> {
  let next = from;
  let bytes = 0;
  const lane = async (): Promise<void> => {
    while (next < from + count) {
      const number = next;
      next += 1;
      const { length } = await draw({ number, format });
      bytes += length;
    }
  };
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: concurrency }, lane));
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000, bytes };
}
