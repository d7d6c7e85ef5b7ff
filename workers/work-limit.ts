/** Bounds the processor time of one render. The layout, the painter and the encoders ask between their operations, which cannot be interrupted. */
import { isMainThread } from 'node:worker_threads';
import { templateLimits } from '#language/limits/template-limits.ts';

/** A render that costs too much. `message` is a clause about the image; `layer` is the id of the most expensive one. */
export class TooExpensiveError extends Error {
  override name = 'TooExpensiveError';
  readonly layer: string | undefined;

  constructor(message: string, layer?: string) {
    super(message);
    this.layer = layer;
  }
}

/** A part of a render that may be given up took more than its share. */
export class WorkShareError extends Error {
  override name = 'WorkShareError';
}

/** On the clock of `processorMs`; infinite while no render is under way. */
let startedMs = Infinity;
/** What the image took before its render began. */
let earlierMs = 0;
/** When the part that is under way must be done, on the clock of `processorMs`; infinite without one. */
let shareEndsMs = Infinity;

/** Starts the clock of a render whose image took `spentMs` before. One thread renders one job at a time. */
export function startWork(spentMs = 0): void {
  earlierMs = spentMs;
  startedMs = processorMs() - spentMs;
  shareEndsMs = Infinity;
}

/** Stops the clock: what is painted outside of a render has no limit. */
export function endWork(): void {
  startedMs = Infinity;
}

/** Processor milliseconds of the image up to now. */
export function workMs(): number {
  return processorMs() - startedMs;
}

/** The same, since `startWork`; 0 while no render is under way. */
export function jobMs(): number {
  return Math.max(0, workMs() - earlierMs);
}

/** Throws `TooExpensiveError` when the render has used its time, `WorkShareError` when a part of it has. */
export function checkWork(): void {
  const now = processorMs();
  if (now > shareEndsMs) throw new WorkShareError('A part of a render took more than its share.');
  if (now - startedMs > templateLimits.renderMsMax) throw lateError();
}

function lateError(): TooExpensiveError {
  return new TooExpensiveError(
    `takes more than ${templateLimits.renderMsMax} ms of processor time to draw`,
  );
}

/** Milliseconds that an operation may take longer than expected. */
const reserveMs = 100;

/** Processor milliseconds that an operation may be expected to take; infinite while no render is under way. */
export function leftMs(): number {
  return templateLimits.renderMsMax - reserveMs - workMs();
}

/**
 * Before an operation that cannot be interrupted and is expected to take `expectedMs`: throws as `checkWork` does when
 * it would end too late. `operation` names it: `decode an image`.
 */
export function requireMs(expectedMs: number, operation: string): void {
  if (processorMs() + expectedMs > shareEndsMs)
    throw new WorkShareError('A part of a render would take more than its share.');
  const left = leftMs();
  if (expectedMs <= left) return;
  // What is under way is not to blame for what came before it.
  if (left <= 0) throw lateError();
  throw new TooExpensiveError(
    `takes about ${Math.ceil(expectedMs)} ms of processor time to ${operation}, ${Math.floor(left)} ms are left`,
  );
}

/** The layout of a render may take half of its time. */
const layoutMsMax = templateLimits.renderMsMax / 2;

/** As `checkWork`, before each layer that is laid out; a layout in a part of a render has the part's share. */
export function checkLayout(layer: string): void {
  checkWork();
  if (shareEndsMs !== Infinity || jobMs() <= layoutMsMax) return;
  throw new TooExpensiveError(
    `takes more than ${layoutMsMax} ms of processor time to lay out`,
    layer,
  );
}

/**
 * Does a part of a render that may take at most `shareMs` of processor time. Undefined when it takes more, at one
 * of its calls of `checkWork`.
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

/** Of this thread; in a process that renders on its main thread, of all its threads, which decode and encode. */
function processorMs(): number {
  const { user, system } = isMainThread ? process.cpuUsage() : process.threadCpuUsage();
  return (user + system) / 1000;
}
