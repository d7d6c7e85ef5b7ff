/** The loop of a render process: reads orders, runs one job at a time, writes outcomes. */
import { readdirSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { collectGarbage } from '#wire/collect-garbage.ts';
import type { RenderJob, RenderOutcome, SourceImage } from '#wire/render-job.ts';
import { WireReader, writeFrame } from '#wire/render-wire.ts';
import type { JobTemplate, ProcessFigures, WireOrder } from '#wire/render-wire.ts';
import { freeBytes } from './pixels.ts';
import { processOptions } from './process-options.ts';

/** Descriptor of the socket to the service; 0 to 2 are the standard streams. */
const socketDescriptor = 3;

/** A job usually fits into the buffer; its images, each sent once, arrive in several chunks. */
const bufferBytes = 64 * 1024;

/**
 * The priority of renders for links. The process that answers requests, and responses in progress, come first. Renders
 * of campaigns come last, at 19: next to renders for links they get an eighth of a core (sched(7), weights 110 and 15).
 */
const linkNiceness = 10;

/**
 * Added to the kernel's score for the process to kill when memory is exhausted (0 to 1,000): a render process before
 * the service, and before a database on the machine.
 */
const oomScoreAdjust = 500;

/** Minimum interval between two reports of figures, which are sent with outcomes. */
const figuresEveryMs = 1000;

/** Time without a job after which the process returns memory, once until the next job. */
const idleMs = 5000;

/** Serves jobs until the service closes the socket, then ends the process. */
export function serveRenders(
  render: (job: RenderJob) => Promise<RenderOutcome>,
  readFigures?: () => ProcessFigures,
): void {
  let figuresAtMs = -Infinity;
  let isFirst = true;
  const idle = setTimeout(collectGarbage, idleMs);
  const templates = new Map<string, JobTemplate>();
  const images = new Map<string, Uint8Array<ArrayBuffer>>();
  const reader = new WireReader();
  const buffer = new Uint8Array(bufferBytes);
  const socket = new Socket({
    fd: socketDescriptor,
    readable: true,
    writable: true,
    onread: {
      buffer,
      callback: (length) => {
        take(buffer.subarray(0, length));
        return true;
      },
    },
  });

  /** Resolves the template and images of a job before it removes those in `forget`, so that the job still has them. */
  function takeJob(order: WireOrder & { kind: 'job' }): RenderJob {
    const { values, images: wanted, ...rest } = order.job;
    const template = templates.get(rest.templateKey);
    if (template === undefined) throw new Error('A job came before its template.');
    const files = wanted.map(([source, { key, ...facts }]): [string, SourceImage] => {
      const bytes = images.get(key);
      if (bytes === undefined) throw new Error('A job came before its image.');
      return [source, { ...facts, bytes }];
    });
    for (const key of order.forget) if (!templates.delete(key)) images.delete(key);
    return { ...rest, ...template, values: new Map(values), images: files };
  }

  async function answer(job: RenderJob): Promise<void> {
    const { bytes, ...head } = { bytes: undefined, ...(await render(job)) };
    writeFrame(socket, { ...head, figures: nextFigures() }, bytes, () => freeFile(bytes));
    if (isFirst) standBack(processOptions.niceness ?? linkNiceness);
    isFirst = false;
    idle.refresh();
  }

  function nextFigures(): ProcessFigures | undefined {
    const nowMs = performance.now();
    if (nowMs - figuresAtMs < figuresEveryMs) return undefined;
    figuresAtMs = nowMs;
    return readFigures?.();
  }

  function take(chunk: Uint8Array): void {
    for (const { head, body } of reader.push(chunk)) {
      const order = head as WireOrder;
      if (order.kind === 'template') templates.set(order.key, order.template);
      else if (order.kind === 'image') images.set(order.key, body);
      else void answer(takeJob(order));
    }
  }

  socket.resume();
  // The service has ended. A job in native code does not notice; the shell that started this process does.
  for (const event of ['end', 'error', 'close']) socket.on(event, () => process.exit(0));
  // Signals to a whole control group or terminal are for the service, which ends its processes when their jobs are
  // done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  writeFrame(socket, 'ready');
}

/** Frees the file of an image that is written: V8 otherwise marks its whole heap after every 64 MiB of files. */
function freeFile(bytes: Uint8Array | undefined): void {
  if (bytes !== undefined) freeBytes(bytes);
}

/**
 * Lowers the priority of every thread of this process. Linux has a priority per thread, and a change for the process
 * would not affect the threads that V8 has started. Called after the first job, which loads the fonts: at the lowest
 * priority, a replacement process on a busy machine would take too long to become ready.
 */
function standBack(niceness: number): void {
  // A service may have been started nicer. Only a privileged process may become less nice.
  const lower = (id: number): void => setPriority(id, Math.max(niceness, getPriority(id)));
  if (process.platform !== 'linux') {
    lower(0);
    return;
  }
  for (const thread of readdirSync('/proc/self/task')) lower(Number(thread));
  try {
    writeFileSync('/proc/self/oom_score_adj', String(oomScoreAdjust));
  } catch {
    // If /proc is not writable, the kernel chooses by size alone.
  }
}
