/** Decides which renders may wait for a thread: nobody waits who would be refused in the end. */
import { deadlineError } from '../foundation/deadline.ts';
import type { Deadline } from '../foundation/deadline.ts';
import { AppError } from '../foundation/errors.ts';
import type { QueuedWork, RenderQueue, WorkAhead } from './queue.ts';

/** The queue, and the threads that empty it. */
export interface Backlog {
  queue: RenderQueue<QueuedWork>;
  /** Works that may wait. */
  queueMax: number;
  /** Threads that come back from their jobs; with none of them nothing is ever started. */
  threads: number;
  /** Those of them that one organization may hold with renders that are not known to be cheap. */
  expensiveThreads: number;
  /** Milliseconds of one thread until all of them have. */
  runningMs: number;
}

/**
 * Part of the time left to a render that it may be going to wait. Costs are estimates, and an organization
 * or a template that comes later gets its fair part of the threads, which makes all others wait twice as long.
 */
const waitShareMax = 0.5;

/** Part of the room that is counted as taken at most by renders whose images are on their way: origins may stall. */
const announcedShareMax = 0.5;

/**
 * Places in the queue for one template, and for one organization, for each place that is free: alone, a
 * template fills 16/17 of it, and a newcomer finds room (Choudhury, Hahne: dynamic queue length thresholds, 1998).
 */
const templatePlaces = 16;
const organizationPlaces = 32;

/**
 * Milliseconds that a render is believed to take at most when its template has nothing else in the queue: its costs
 * may be told from a moment in which everything was slow, and only drawing tells them anew.
 */
const onlyCostMsMax = 500;

/** Estimates err: a render leaves the queue early only when it would take so many times what is left to it … */
const latenessMin = 2;
/** … and so many times where its kind was rendered often enough to be known: nobody waits in vain for seconds. */
const knownLatenessMin = 1.2;

const retryAfterSecondsMax = 60;

/**
 * Milliseconds until a thread is back where none is: jobs are ended after 6 s of CPU time, a thread counts as lost after
 * 5 s, and its process is replaced within 2 s.
 */
const replacedMs = 3000;

/** Why a new work must not enter: OVERLOADED, with the seconds until what waits now is done; undefined when it may. */
export function refusalOf(
  work: QueuedWork,
  deadline: Deadline,
  backlog: Backlog,
): AppError | undefined {
  const { queue } = backlog;
  if (backlog.threads === 0) return overloadedError('stuck', replacedMs);
  const waitMs = waitMsOf(work, backlog);
  if (isFull(work, backlog)) return overloadedError('queue', waitMs);
  const allowedMs = (deadline.remainingMs() - aloneMs(work, backlog)) * waitShareMax;
  if (waitMs > allowedMs) return overloadedError('wait', waitMs);
  const announcedMs = startMsOf(work, queue.aheadMs(work, true), backlog) - waitMs;
  const expectedMs = waitMs + Math.min(announcedMs, allowedMs * announcedShareMax);
  return expectedMs <= allowedMs ? undefined : overloadedError('wait', waitMs);
}

/** Why a work that was let in must not wait any longer; undefined while it may still be in time. */
export function latenessOf(
  work: QueuedWork,
  deadline: Deadline,
  backlog: Backlog,
): AppError | undefined {
  const waitMs = waitMsOf(work, backlog);
  const isLate = backlog.threads === 0 || waitMs + aloneMs(work, backlog) > deadline.remainingMs();
  const isWithoutPlace = backlog.queue.length >= backlog.queueMax;
  if (!isLate && !isWithoutPlace) return undefined;
  return overloadedError(isLate ? 'wait' : 'queue', waitMs);
}

/** Whether a work whose turn has come may be done in time; costs that look too high are tried by one of a template. */
export function isWorthStarting(
  { costMs, deadline }: QueuedWork & { deadline: Deadline },
  { isOnly, isKnown }: { isOnly: boolean; isKnown: boolean },
): boolean {
  const remainingMs = deadline.remainingMs();
  const lateness = isKnown ? 1 : latenessMin;
  return remainingMs > 0 && believedMs(costMs, isOnly) <= lateness * remainingMs;
}

/** Whether a work that waits, with so much ahead of it, will miss its deadline by far. */
export function isTooLate(
  work: QueuedWork & { deadline: Deadline },
  ahead: WorkAhead & { isNext: boolean; isKnown: boolean; nowMs: number },
  backlog: Backlog,
): boolean {
  const ownMs = believedMs(work.costMs, ahead.isNext) / Math.max(1, backlog.threads);
  const lateness = ahead.isKnown ? knownLatenessMin : latenessMin;
  return (
    startMsOf(work, ahead, backlog) + ownMs > lateness * work.deadline.remainingMs(ahead.nowMs)
  );
}

/** What a work gets that will not be done in time: 504 once its deadline has passed; before, 503 to whom it will have. */
export function lateError(work: QueuedWork & { deadline: Deadline }, backlog: Backlog): AppError {
  if (work.deadline.remainingMs() <= 0) return deadlineError();
  return overloadedError('late', waitMsOf(work, backlog));
}

/** 503 with `Retry-After`. */
export function overloadedError(reason: string, waitMs: number): AppError {
  const seconds = Math.min(retryAfterSecondsMax, Math.max(1, Math.ceil(waitMs / 1000)));
  return new AppError(
    'OVERLOADED',
    `Too many images are being rendered; ask again in ${seconds} s.`,
    { reason, retryAfterSeconds: seconds },
  );
}

/** 503 of a service that ends. */
export function closedError(): AppError {
  return new AppError('OVERLOADED', 'The service is shutting down; ask again in a moment.', {
    reason: 'closing',
    retryAfterSeconds: 1,
  });
}

function waitMsOf(work: QueuedWork, backlog: Backlog): number {
  return startMsOf(work, backlog.queue.aheadMs(work), backlog);
}

/** Milliseconds until a work starts that has so much ahead of it: all threads do it, but not what only some may do. */
function startMsOf(
  { isCheap }: QueuedWork,
  { organizationMs, allMs }: WorkAhead,
  { threads, expensiveThreads, runningMs }: Omit<Backlog, 'queue' | 'queueMax'>,
): number {
  // Where no thread lives, one will be started.
  const allThreadsMs = (allMs + runningMs) / Math.max(1, threads);
  return isCheap
    ? allThreadsMs
    : Math.max(allThreadsMs, organizationMs / Math.max(1, expensiveThreads));
}

/** What a new work would take by itself. */
function aloneMs(work: QueuedWork, { queue }: Backlog): number {
  const { template, announced } = queue.lengthsOf(work);
  return believedMs(work.costMs, template + announced === 0);
}

/** Costs as far as they are believed of a work that is, or is not, the only one of its template. */
function believedMs(costMs: number, isOnly: boolean): number {
  return isOnly ? Math.min(costMs, onlyCostMsMax) : costMs;
}

function isFull(work: QueuedWork, { queue, queueMax }: Backlog): boolean {
  const announced = Math.min(queue.announced, queueMax * announcedShareMax);
  const free = queueMax - queue.length - announced;
  if (free <= 0) return true;
  const { organization, template } = queue.lengthsOf(work);
  return template >= templatePlaces * free || organization >= organizationPlaces * free;
}
