/** The child's side of a painter: a process that draws images on request and reports the time. */
import { writeFileSync } from 'node:fs';

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

/** The result of a round. `cpuMs` is the CPU time of all threads of the process. */
export interface Round {
  ms: number;
  cpuMs: number;
  /** Bytes of all files together. */
  bytes: number;
}

export type Answer = { id: number } & Partial<Round> & { error?: string };

/** The functions of a program that draws. */
export interface PainterParts {
  draw: (order: Order) => Promise<Uint8Array>;
  /** Prepares the data that exists before an image is requested. It is not timed. */
  prepare?: (order: Order) => Promise<void>;
  /** Images that can be prepared at a time; a round draws as many between two stops of the clock. All if absent. */
  preparedMax?: number;
  close?: () => Promise<void>;
}

/** Serves the parent until it disconnects. */
export function servePainter(parts: PainterParts): void {
  const { draw, prepare, close = async () => undefined } = parts;
  const answer = async (request: Request): Promise<Partial<Round>> => {
    if (request.kind === 'round') return drawRound(parts, request);
    await prepare?.(request);
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

type RoundRequest = Request & { kind: 'round' };

/** Draws a round in parts, each prepared before its clock starts. */
async function drawRound(parts: PainterParts, request: RoundRequest): Promise<Round> {
  const { prepare, preparedMax = request.count } = parts;
  const end = request.from + request.count;
  const sum: Round = { ms: 0, cpuMs: 0, bytes: 0 };
  for (let from = request.from; from < end; from += preparedMax) {
    const count = Math.min(preparedMax, end - from);
    for (let number = from; number < from + count; number += 1) {
      await prepare?.({ number, format: request.format });
    }
    const { ms, cpuMs, bytes } = await drawTimed(parts, { ...request, from, count });
    sum.ms += ms;
    sum.cpuMs += cpuMs;
    sum.bytes += bytes;
  }
  return sum;
}

async function drawTimed(
  { draw }: PainterParts,
  { format, from, count, concurrency }: RoundRequest,
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
