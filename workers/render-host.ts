/**
 * The program of a render host: a process with a Piscina pool of threads, each of which renders one job at a time. Its
 * argument is a `RenderHostOptions` in JSON. The documents and files of jobs stand here once, in memory that the threads
 * share.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { errorText } from '#wire/error-text.ts';
import { collectGarbage } from '#wire/program/collect-garbage.ts';
import {
  FrameReader,
  readFromService,
  writeLockBytes,
  writeToService,
} from '#wire/program/frames.ts';
import type { Frame } from '#wire/program/frames.ts';
import { hostFrameBounds } from '#wire/render-wire.ts';
import type {
  HostOrder,
  HostReport,
  PartReport,
  RenderHostOptions,
  ThreadFigures,
  ThreadTask,
} from '#wire/render-wire.ts';
import { baseBytesMaxDefault, drawablesBytesMaxDefault, PartIndex } from './shared/part-index.ts';
import { releaseAll, releaseOf, requestMemoryBytes } from './shared/requests.ts';
import { ThreadPool } from './shared/thread-pool.ts';

/**
 * The priority of renders for links. The process that answers requests, and responses in progress, come first. Renders
 * of campaigns come last, at 19: next to renders for links they get an eighth of a core (sched(7), weights 110 and 15).
 */
const linkNiceness = 10;

/**
 * Added to the kernel's score for the process to kill when memory is exhausted (0 to 1,000): a render host before the
 * service, and before a database on the machine.
 */
const oomScoreAdjust = 500;

const { threadFile, threads, niceness, thread }: RenderHostOptions = JSON.parse(
  process.argv[2] ?? '',
);
const { baseRendersBytesMax = baseBytesMaxDefault, drawablesBytesMax = drawablesBytesMaxDefault } =
  thread;

/** What several threads share; a single one has an index and counts of its own. */
const shared = threads < 2 ? undefined : shareParts();

function shareParts() {
  const base = baseRendersBytesMax * threads;
  // Of the bytes for decoded images, half is shared, and half is of canvases, which each thread has for itself.
  const index = new PartIndex({ base, image: (drawablesBytesMax * threads) / 2 });
  const requestMemory = new SharedArrayBuffer(requestMemoryBytes);
  const options = { baseRendersBytesMax: base, drawablesBytesMax: drawablesBytesMax / 2 };
  return { index, requestMemory, options: { ...options, requestMemory } };
}

const templates = new Map<string, Uint8Array>();
const images = new Map<string, Uint8Array>();
const figures = new Map<number, ThreadFigures>();
/** Threads that have started and not ended. */
const started = new Set<number>();
/** Those of them that have done their first job. */
const warm = new Set<number>();

const reader = new FrameReader(hostFrameBounds, (bytes, head) =>
  // What several jobs need is shared by the threads.
  (head as HostOrder).kind === 'job' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes),
);
readFromService(reader, take);
const writeLock = new SharedArrayBuffer(writeLockBytes);

const pool = new ThreadPool(
  threadFile,
  threads,
  { ...thread, ...shared?.options, writeLock },
  {
    onStarted(message) {
      started.add(message.thread);
      shared?.index.addThread(message.thread);
      report(message);
    },
    onEnded: reportEnds,
    // The service learns of it by `reportEnds`.
    onError: (error) => process.stderr.write(`${errorText(error)}\n`),
  },
);

/** Time without a job after which the host returns memory, once until the next job; its threads do so too. */
const idleMs = 5000;
const idle = setTimeout(collectGarbage, idleMs);

function take({ head, body }: Frame): void {
  idle.refresh();
  const order = head as HostOrder;
  if (order.kind === 'template') templates.set(order.key, body);
  else if (order.kind === 'image') images.set(order.key, body);
  else void run(order, takeTask(order, body));
}

/** Resolves the template and images of a job before it removes those in `forget`, so that the job still has them. */
function takeTask(order: HostOrder & { kind: 'job' }, rest: Uint8Array): ThreadTask {
  const template = templates.get(order.template);
  if (template === undefined) throw new Error('A job came before its template.');
  const files = order.images.map(([source, { key, ...facts }]): ThreadTask['images'][number] => {
    const bytes = images.get(key);
    if (bytes === undefined) throw new Error('A job came before its image.');
    return [source, { ...facts, bytes }];
  });
  for (const key of order.forget) if (!templates.delete(key)) images.delete(key);
  return { number: order.number, templateKey: order.template, template, images: files, rest };
}

async function run({ number, thread: id }: HostOrder & { kind: 'job' }, task: ThreadTask) {
  // The service learns of the end, and runs the job elsewhere.
  if (!pool.threads.has(id)) return;
  try {
    const answer = await pool.run(id, { ...task, parts: shared?.index.updateFor(id) });
    if (answer.parts !== undefined) share(id, answer.parts);
    if (answer.frame !== undefined) {
      writeToService(writeLock, answer.frame.head, answer.frame.body);
    }
    if (answer.figures !== undefined) {
      figures.set(id, answer.figures);
      report({ kind: 'figures', figures: sumOf(figures) });
    }
    if (warm.has(id)) return;
    warm.add(id);
    standBack(niceness ?? linkNiceness);
  } catch (error) {
    report({ kind: 'lost', number, detail: errorText(error) });
  }
}

/** Time in ms after which each thread has begun another job than when a part was made: no render takes longer. */
const knownMs = 3000;

/** Makes parts known to the other threads, each with its next job. */
function share(id: number, parts: PartReport): void {
  if (shared === undefined) return;
  const { index, requestMemory } = shared;
  index.take(id, parts);
  for (const { key, kind } of parts.made) {
    if (kind === 'base') setTimeout(() => releaseOf(id, key, requestMemory), knownMs).unref();
  }
}

function sumOf(all: ReadonlyMap<number, ThreadFigures>): ThreadFigures {
  const sum = { heapBytes: 0, baseRendersBytes: 0, drawablesBytes: 0 };
  for (const each of all.values()) {
    sum.heapBytes += each.heapBytes;
    sum.baseRendersBytes += each.baseRendersBytes;
    sum.drawablesBytes += each.drawablesBytes;
  }
  sum.baseRendersBytes += shared?.index.bytesOf('base') ?? 0;
  sum.drawablesBytes += shared?.index.bytesOf('image') ?? 0;
  return sum;
}

function report(message: HostReport): void {
  writeToService(writeLock, JSON.stringify(message));
}

/**
 * Lowers the priority of every thread of this process. Linux has a priority per thread, and a change for the process
 * would not affect the threads that V8 has started. Called after the first job of a thread, which loads the fonts: at
 * the lowest priority, a replacement on a busy machine would take too long to become ready.
 */
function standBack(nice: number): void {
  // A service may have been started nicer. Only a privileged process may become less nice.
  const lower = (id: number): void => setPriority(id, Math.max(nice, getPriority(id)));
  if (process.platform !== 'linux') {
    lower(0);
    return;
  }
  for (const task of readdirSync('/proc/self/task')) lower(Number(task));
  try {
    writeFileSync('/proc/self/oom_score_adj', String(oomScoreAdjust));
  } catch {
    // If /proc is not writable, the kernel chooses by size alone.
  }
}

function reportEnds(): void {
  const living = pool.threads;
  for (const id of [...started].filter((each) => !living.has(each))) {
    started.delete(id);
    figures.delete(id);
    warm.delete(id);
    if (shared !== undefined) {
      shared.index.removeThread(id);
      releaseAll(id, shared.requestMemory);
    }
    report({ kind: 'ended', thread: id });
  }
}
