/** The child's side of a painter: a process that draws images on request and reports the time. */
import { writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

/** The order of one image: the text that changes, the photo if it changes, the format. */
export interface Order {
  number: number;
  format: 'jpeg' | 'png';
}

/** A request of the parent: one image into a file, or a round of many. */
export type Request = { id: number } & (
  | (Order & { kind: 'draw'; path: string })
  | {
      kind: 'round';
      format: Order['format'];
      /** The first number; each image of the round has the next one. */
      from: number;
      count: number;
      /** Concurrent images. */
      concurrency: number;
    }
);

/** The result of a round. CPU times are those of all threads of the process. */
export interface Round {
  ms: number;
  cpuMs: number;
  /** Of each image in the order of the numbers; means nothing unless the images are drawn one after the other. */
  eachCpuMs: number[];
}

export type Answer = { id: number } & Partial<Round> & { error?: string };

/** The functions of a program that draws. */
export interface PainterParts {
  draw: (order: Order) => Promise<Uint8Array>;
  close?: () => Promise<void>;
}

/** Serves the parent until it disconnects. */
export function servePainter(parts: PainterParts): void {
  const { draw, close = async () => undefined } = parts;
  const answer = async (request: Request): Promise<Partial<Round>> => {
    if (request.kind === 'round') return drawRound(parts, request);
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
  { draw }: PainterParts,
  { format, from, count, concurrency }: Request & { kind: 'round' },
): Promise<Round> {
  let next = from;
  const eachCpuMs: number[] = [];
  const lane = async (): Promise<void> => {
    while (next < from + count) {
      const number = next;
      next += 1;
      const cpu = process.cpuUsage();
      await draw({ number, format });
      eachCpuMs.push(cpuMsSince(cpu));
      // As between the jobs of a render host, which frees native memory there.
      await turn();
    }
  };
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { ms: performance.now() - startedMs, cpuMs: cpuMsSince(cpu), eachCpuMs };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
