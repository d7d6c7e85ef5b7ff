/** Admission control of the render queue: one rule, applied when a render arrives and again when its turn comes. */
import { deadlineError } from '../foundation/deadline.ts';
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

/** What a render can expect of the queue. */
export interface Outlook {
  /** Milliseconds until it starts. */
  waitMs: number;
  /** Milliseconds more if every announced render came first. */
  announcedMs: number;
  /** Its template has nothing else in the queue. */
  isOnly: boolean;
  /** No thread lives, or no slot is free. */
  obstacle: 'stuck' | 'queue' | undefined;
}

/** Why a render is refused: the log has it as the error's reason. */
export type Refusal = 'stuck' | 'queue' | 'wait' | 'deadline';

/**
 * Share of the time left that a render may wait. Costs are estimates, and an organization or a template that arrives
 * later gets its fair share of the threads, which makes all others wait twice as long.
 */
const waitShareMax = 0.5;

/** Share of the capacity that announced renders may take, whose images are being fetched: origins may stall. */
const announcedShareMax = 0.5;

/**
 * Queue slots that a template, and an organization, may use per free slot: alone, a template fills 16/17 of the queue,
 * and a newcomer finds a slot (Choudhury, Hahne: dynamic queue length thresholds, 1998).
 */
const templateSlots = 16;
const organizationSlots = 32;

/**
 * Upper bound of the cost estimate for a template with nothing else in the queue, in ms: its estimate may come from a
 * moment in which everything was slow, and only a render can correct it.
 */
const onlyCostMsMax = 500;

const retryAfterSecondsMax = 60;

/**
 * Milliseconds until a thread is back where none is: jobs are ended after 6 s of CPU time, a thread counts as lost after
 * 5 s, and its process is replaced within 2 s.
 */
const replacedMs = 3000;

/**
 * Why a render must not be queued, or not be started when its turn comes; undefined when it may. It may while its wait
 * takes at most half of the time that its own work leaves. At its turn nothing is ahead: it may if it can be in time.
 */
export function refusalOf(
  { costMs }: Pick<QueuedWork, 'costMs'>,
  remainingMs: number,
  { waitMs, announcedMs, isOnly, obstacle }: Outlook,
): Refusal | undefined {
  if (obstacle !== undefined) return obstacle;
  if (remainingMs <= 0) return 'deadline';
  const aloneMs = isOnly ? Math.min(costMs, onlyCostMsMax) : costMs;
  const allowedMs = (remainingMs - aloneMs) * waitShareMax;
  const expectedMs = waitMs + Math.min(announcedMs, allowedMs * announcedShareMax);
  return expectedMs <= allowedMs ? undefined : 'wait';
}

/** The outlook of a render that arrives. */
export function outlookOf(work: QueuedWork, backlog: Backlog): Outlook {
  const { queue, threads } = backlog;
  const waitMs = waitMsOf(work, backlog);
  const { template, announced } = queue.lengthsOf(work);
  return {
    waitMs,
    announcedMs: startMsOf(work, queue.aheadMs(work, true), backlog) - waitMs,
    isOnly: template + announced === 0,
    obstacle: threads === 0 ? 'stuck' : isFull(work, backlog) ? 'queue' : undefined,
  };
}

/** The outlook of a render whose turn has come. */
export function outlookAtTurn(isOnly: boolean): Outlook {
  return { waitMs: 0, announcedMs: 0, isOnly, obstacle: undefined };
}

/** Milliseconds until a work that arrives now would start. */
export function waitMsOf(work: QueuedWork, backlog: Backlog): number {
  return startMsOf(work, backlog.queue.aheadMs(work), backlog);
}

/** 504 after the deadline, else 503 with `Retry-After`: the time in which the threads do what is ahead. */
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

/** 503 of a service that ends. */
export function closedError(): AppError {
  return new AppError('OVERLOADED', 'The service is shutting down; ask again in a moment.', {
    reason: 'closing',
    retryAfterSeconds: 1,
  });
}

/** Milliseconds until a work starts with so much ahead: all threads do that, except what only some may do. */
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

function isFull(work: QueuedWork, { queue, queueMax }: Backlog): boolean {
  const announced = Math.min(queue.announced, queueMax * announcedShareMax);
  const free = queueMax - queue.length - announced;
  if (free <= 0) return true;
  const { organization, template } = queue.lengthsOf(work);
  return template >= templateSlots * free || organization >= organizationSlots * free;
}
