/** Admission control of the render queue: one rule, applied when a render arrives, while it waits and at its turn. */
import { deadlineError } from '../foundation/deadline.ts';
import { AppError } from '../foundation/errors.ts';
import type { QueuedWork, RenderQueue, WorkAhead } from './queue.ts';

/** The state of the queue and of the threads. */
export interface Backlog {
  queue: RenderQueue<QueuedWork>;
  /** Maximum of waiting works. */
  queueMax: number;
  /** Processes that will become free; without any, nothing starts. */
  threadCount: number;
  /** Processes of these that one organization may hold with renders that are not known to be cheap. */
  expensiveThreads: number;
  /** Milliseconds of one thread until all of them are free. */
  runningMs: number;
}

/** The forecast for a render that arrives or waits. */
export interface Outlook {
  /** Milliseconds until it starts. */
  waitMs: number;
  /** Additional milliseconds if every announced render came first. */
  announcedMs: number;
  /** Upper bound of the wait, as a share of the time that remains beside the render's cost. */
  waitShareMax: number;
  /** Its template has no other work in the queue. */
  isOnly: boolean;
  /** No thread is alive, or no slot is free. */
  obstacle: 'stuck' | 'queue' | undefined;
}

/** Why a render is refused: the error's reason in the log. */
export type Refusal = 'stuck' | 'queue' | 'wait' | 'deadline';

/**
 * Share of the remaining time that an arriving render may wait. Costs are estimates, and a later organization or
 * template gets its fair share of the threads, which doubles the wait of all others.
 */
const arrivingWaitShareMax = 0.5;
/** The same share for a render in the queue. Above 1, because estimates err: only a clearly late render is refused. */
const queuedWaitShareMax = 1.2;

/** Share of the capacity for announced renders, whose images are being fetched, because origins may stall. */
const announcedShareMax = 0.5;

/**
 * Queue slots that a template, and an organization, may use per free slot. Alone, a template fills 16/17 of the queue,
 * and others find a slot (Choudhury, Hahne: dynamic queue length thresholds, 1998).
 */
const templateSlots = 16;
const organizationSlots = 32;

/**
 * Upper bound of the cost estimate for a template with no other work in the queue, in ms. The estimate may be from a
 * time when all renders were slow, and only a render can correct it.
 */
const onlyCostMsMax = 500;

const retryAfterSecondsMax = 60;

/**
 * Milliseconds until a thread is available if none is. A thread counts as lost 5 s after the start of its job. The
 * job is ended after 6 s of CPU time, and the thread is replaced within 2 s.
 */
const replacedMs = 3000;

/**
 * Returns why a render must not be queued, stay in the queue, or be started at its turn; undefined if it may. It may if
 * its wait is at most `waitShareMax` of the time that remains beside its cost: half on arrival, 1.2 times in the queue.
 */
export function refusalOf(
  { costMs }: Pick<QueuedWork, 'costMs'>,
  remainingMs: number,
  { waitMs, announcedMs, waitShareMax, isOnly, obstacle }: Outlook,
): Refusal | undefined {
  if (obstacle !== undefined) return obstacle;
  if (remainingMs <= 0) return 'deadline';
  const aloneMs = isOnly ? Math.min(costMs, onlyCostMsMax) : costMs;
  const allowedMs = (remainingMs - aloneMs) * waitShareMax;
  const expectedMs = waitMs + Math.min(announcedMs, allowedMs * announcedShareMax);
  return expectedMs <= allowedMs ? undefined : 'wait';
}

/** Returns the outlook of a render that arrives. */
export function outlookOf(work: QueuedWork, backlog: Backlog): Outlook {
  const { queue, threadCount } = backlog;
  const waitMs = waitMsOf(work, backlog);
  const { template, announced } = queue.lengthsOf(work);
  return {
    waitMs,
    announcedMs: startMsOf(work, queue.aheadMs(work, true), backlog) - waitMs,
    waitShareMax: arrivingWaitShareMax,
    isOnly: template + announced === 0,
    obstacle: threadCount === 0 ? 'stuck' : isFull(work, backlog) ? 'queue' : undefined,
  };
}

/** Returns the outlook of a render that waits behind `ahead`. */
export function outlookInQueue(
  work: QueuedWork,
  ahead: WorkAhead,
  isOnly: boolean,
  backlog: Backlog,
): Outlook {
  const waitMs = startMsOf(work, ahead, backlog);
  return { waitMs, announcedMs: 0, waitShareMax: queuedWaitShareMax, isOnly, obstacle: undefined };
}

/** Returns the outlook of a render whose turn has come. */
export function outlookAtTurn(isOnly: boolean): Outlook {
  return { waitMs: 0, announcedMs: 0, waitShareMax: 1, isOnly, obstacle: undefined };
}

/** Milliseconds until a work that arrives now would start. */
export function waitMsOf(work: QueuedWork, backlog: Backlog): number {
  return startMsOf(work, backlog.queue.aheadMs(work), backlog);
}

/** 504 after the deadline, else 503 with `Retry-After`: the time in which the threads do the work ahead. */
export function refusalError(reason: Refusal | 'late' | 'images', waitMs: number): AppError {
  if (reason === 'deadline') return deadlineError();
  const backMs = reason === 'stuck' ? replacedMs : waitMs;
  const seconds = Math.min(retryAfterSecondsMax, Math.max(1, Math.ceil(backMs / 1000)));
  return new AppError(
    'OVERLOADED',
    `Too many images are being rendered; ask again in ${seconds} s.`,
    { reason, retryAfterSeconds: seconds },
  );
}

/** 503 of a service that shuts down. */
export function closedError(): AppError {
  return new AppError('OVERLOADED', 'The service is shutting down; ask again in a moment.', {
    reason: 'closing',
    retryAfterSeconds: 1,
  });
}

/**
 * Milliseconds until a work starts that has this work ahead. All threads share the work ahead, but only some of them
 * start works that are not known to be cheap.
 */
function startMsOf(
  { isCheap }: QueuedWork,
  { organizationMs, allMs }: WorkAhead,
  { threadCount, expensiveThreads, runningMs }: Omit<Backlog, 'queue' | 'queueMax'>,
): number {
  // If no thread is alive, one will be started.
  const allThreadsMs = (allMs + runningMs) / Math.max(1, threadCount);
  return isCheap
    ? allThreadsMs
    : Math.max(allThreadsMs, organizationMs / Math.max(1, expensiveThreads));
}

function isFull(work: QueuedWork, { queue, queueMax }: Backlog): boolean {
  const announced = Math.min(queue.announced, queueMax * announcedShareMax);
  const free = queueMax - queue.length - announced;
  if (free <= 0) return true;
  const { organization, template } = queue.lengthsOf(work);
  return template >= templateSlots * free || organization >= organizationSlots * free;
}
