/**
 * Bounds the CPU time of one render. The layout, the painter and the encoders check it between their operations, which
 * cannot be interrupted.
 */
import { performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { templateLimits } from '#language/limits/template-limits.ts';

/**
 * A render that is too expensive by its counts, which are the same at every moment. `message` is a clause about the
 * image; `layer` is the id of the most expensive one.
 */
export class TooExpensiveError extends Error {
  override name = 'TooExpensiveError';
  readonly layer: string | undefined;

  constructor(message: string, layer?: string) {
    super(message);
    this.layer = layer;
  }
}

/** A render whose measured CPU time reached its limit: at another moment it may take less. */
export class TooSlowError extends TooExpensiveError {
  override name = 'TooSlowError';
}

/** An optional part of a render took more than its share. */
export class WorkShareError extends Error {
  override name = 'WorkShareError';
}

/** Start of the render on the clock of `processorMs`; infinite while no render runs. */
let startedMs = Infinity;
/** CPU time that the image took before its render began. */
let earlierMs = 0;
/** The end of the running part's share, on the clock of `processorMs`; infinite without one. */
let shareEndsMs = Infinity;

/** Advice for a render that takes too long, as a clause; may be empty. */
let remedy = '';

const { renderMsMax } = templateLimits;

/** CPU time that the image may take: `renderMsMax`, or more at a slow moment. */
let msMax: number = renderMsMax;

/** Options of a render's clock. */
export interface WorkLimit {
  /** CPU time that the image took before. */
  spentMs?: number | undefined;
  /** CPU time that the image may take in all; absent: `renderMsMax`. */
  msMax?: number | undefined;
  /** Ends the messages of its errors. */
  remedy?: string | undefined;
}

/** Starts the clock of a render. One thread renders one job at a time. */
export function startWork({ spentMs = 0, ...limit }: WorkLimit = {}): void {
  remedy = limit.remedy === undefined ? '' : `: ${limit.remedy}`;
  msMax = limit.msMax ?? renderMsMax;
  earlierMs = spentMs;
  startedMs = processorMs() - spentMs;
  shareEndsMs = Infinity;
}

/** Stops the clock: painting outside of a render has no limit. */
export function endWork(): void {
  startedMs = Infinity;
}

/** Returns the CPU time of the image so far, in ms. */
export function workMs(): number {
  return processorMs() - startedMs;
}

/** Returns the CPU time since `startWork`, in ms; 0 while no render runs. */
export function jobMs(): number {
  return Math.max(0, readProcessorMs() - startedMs - earlierMs);
}

/** Throws `TooSlowError` if the render has used up its time, `WorkShareError` if a part of it has. */
export function checkWork(): void {
  const now = processorMs();
  if (now > shareEndsMs) throw new WorkShareError('A part of a render took more than its share.');
  if (now - startedMs > msMax) throw lateError();
}

function lateError(): TooSlowError {
  return new TooSlowError(`takes more than ${msMax} ms of processor time to draw${remedy}`);
}

/** Milliseconds by which an operation may exceed its estimate. */
const reserveMs = 100;

/**
 * Returns what is left of `renderMsMax`, in ms, for choices between a better and a faster way. Infinite while no render
 * runs; below 0 in a render that goes on at a slow moment.
 */
export function leftMs(): number {
  return renderMsMax - reserveMs - workMs();
}

/**
 * Call before an operation that cannot be interrupted. Throws as `checkWork` if the operation would end too late by its
 * estimate `expectedMs`. `operation` is a clause such as `decode an image`. Throws `TooExpensiveError` for an operation
 * that takes more than `aloneMsMax`, which would never be done in time.
 */
export function requireMs(
  expectedMs: number,
  operation: string,
  aloneMsMax = renderMsMax - reserveMs,
): void {
  if (processorMs() + expectedMs > shareEndsMs)
    throw new WorkShareError('A part of a render would take more than its share.');
  const left = msMax - reserveMs - workMs();
  const isTooExpensive = expectedMs > aloneMsMax && startedMs !== Infinity;
  if (expectedMs <= left && !isTooExpensive) return;
  // Earlier operations used up the time, so the error does not name the next one.
  if (left <= 0 && !isTooExpensive) throw lateError();
  const ErrorKind = isTooExpensive ? TooExpensiveError : TooSlowError;
  const most = isTooExpensive ? `at most ${aloneMsMax}` : `${Math.floor(left)} ms are left`;
  throw new ErrorKind(
    `takes about ${Math.ceil(expectedMs)} ms of processor time to ${operation}, ${most}${remedy}`,
  );
}

/** As `checkWork`, before each layer that is laid out; a layout in a part of a render has the share of that part. */
export function checkLayout(layer: string): void {
  checkWork();
  // Half of the time of a render: the rest is for drawing.
  const layoutMsMax = msMax / 2;
  if (shareEndsMs !== Infinity || workMs() - earlierMs <= layoutMsMax) return;
  throw new TooSlowError(`takes more than ${layoutMsMax} ms of processor time to lay out`, layer);
}

/**
 * Runs a part of a render that may take `shareMs` of CPU time. Returns undefined if a call of `checkWork` or
 * `requireMs` finds that the part exceeds its share.
 */
export async function withWorkShare<Result>(
  shareMs: number,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  shareEndsMs = processorMs() + shareMs;
  try {
    return await work();
  } catch (error) {
    if (error instanceof WorkShareError) return undefined;
    throw error;
  } finally {
    shareEndsMs = Infinity;
  }
}

/**
 * Milliseconds for which a reading of the CPU time is reused: a reading takes 3 to 50 µs, depending on the number of
 * threads, and an animation needs some hundred readings.
 */
const readingMs = 5;
let readAtMs = -Infinity;
let readMs = 0;

/** Returns the CPU time of `readProcessorMs`, at most `readingMs` old. */
function processorMs(): number {
  return performance.now() - readAtMs < readingMs ? readMs : readProcessorMs();
}

/**
 * Returns the CPU time of this thread in ms, with that of the system's pool, where some decoders and encoders run while
 * the thread waits; on the main thread, of all threads.
 */
export function readProcessorMs(): number {
  const { user, system } = isMainThread ? process.cpuUsage() : process.threadCpuUsage();
  readAtMs = performance.now();
  readMs = (user + system) / 1000;
  if (!isMainThread) readMs += readPoolMs(readMs);
  return readMs;
}

/** Waits of this thread that are worth a reading of the CPU time of all threads, in ms. */
const waitMsMin = 0.5;
let waitedMs = 0;
let othersMs = 0;
let poolMs = 0;

/** CPU time of the pool for this thread: for as long as it has waited, at most what all other threads have used. */
function readPoolMs(threadMs: number): number {
  const idleMs = performance.eventLoopUtilization().idle;
  if (idleMs - waitedMs < waitMsMin) return poolMs;
  const { user, system } = process.cpuUsage();
  const nowOthersMs = (user + system) / 1000 - threadMs;
  poolMs += Math.min(idleMs - waitedMs, Math.max(0, nowOthersMs - othersMs));
  waitedMs = idleMs;
  othersMs = nowOthersMs;
  return poolMs;
}
