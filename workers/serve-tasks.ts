/** The task of a thread of a render host: reads a job, renders it, and writes its outcome. */
import { readlinkSync } from 'node:fs';
import { isMarkedAsUntransferable, parentPort, threadId } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { writeToService } from '#wire/program/frames.ts';
import { collectGarbage } from '#wire/program/collect-garbage.ts';
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import type {
  HostReport,
  JobRest,
  JobTemplate,
  ThreadAnswer,
  ThreadFigures,
  ThreadTask,
} from '#wire/render-wire.ts';
import { takePartReport, updateParts } from './shared/parts.ts';
import { threadOptions } from './thread-options.ts';

/** Minimum interval between two reports of figures, which are sent with outcomes. */
const figuresEveryMs = 1000;

/** Time without a job after which the thread returns memory, once until the next job. */
const idleMs = 5000;

/** Documents whose text a thread keeps; it keeps more of them parsed. */
const documentsMax = 64;

/** Reports that the thread takes jobs, and returns the function that runs each. */
export function serveTasks(
  render: (job: RenderJob) => Promise<RenderOutcome>,
  readFigures?: () => ThreadFigures,
): (task: ThreadTask) => Promise<ThreadAnswer> {
  let figuresAtMs = -Infinity;
  const idle = setTimeout(collectGarbage, idleMs).unref();
  const documents = new LRUCache<string, JobTemplate>({ max: documentsMax });

  function documentOf({ templateKey, template }: ThreadTask): JobTemplate {
    const known = documents.get(templateKey);
    if (known !== undefined) return known;
    const document = parse(template) as JobTemplate;
    documents.set(templateKey, document);
    return document;
  }

  function nextFigures(): ThreadFigures | undefined {
    const nowMs = performance.now();
    if (nowMs - figuresAtMs < figuresEveryMs) return undefined;
    figuresAtMs = nowMs;
    return readFigures?.();
  }

  const { writeLock } = threadOptions;
  if (writeLock === undefined) throw new Error('Only a render host starts this thread.');
  report({ kind: 'started', thread: threadId, ...taskNumber() });
  return async (task) => {
    if (task.parts !== undefined) updateParts(task.parts);
    const { values, ...rest } = parse(task.rest) as JobRest;
    const { templateKey, images } = task;
    const job = { ...rest, templateKey, ...documentOf(task), images, values: new Map(values) };
    const outcome = await render(job);
    idle.refresh();
    const parts = takePartReport();
    const answer = { figures: nextFigures(), parts };
    const frame = frameOf(task.number, outcome);
    // The next job may follow at once, and must see the parts.
    if (parts !== undefined && parts.made.length > 0) return { ...answer, frame };
    writeToService(writeLock, frame.head, frame.body);
    free(frame.body);
    return answer;
  };
}

function frameOf(number: number, result: RenderOutcome): NonNullable<ThreadAnswer['frame']> {
  const { bytes, ...outcome } = { bytes: undefined, ...result };
  return { head: JSON.stringify({ kind: 'outcome', number, outcome }), body: bytes };
}

/** V8 would free the memory of a file much later. Buffers that Node pools cannot be freed alone. */
function free(bytes: Uint8Array | undefined): void {
  if (bytes !== undefined && !isMarkedAsUntransferable(bytes.buffer))
    (bytes.buffer as ArrayBuffer).transfer(0);
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
}

/** The number of this thread in `/proc`; nothing on other systems. */
function taskNumber(): { task?: number } {
  try {
    return { task: Number(readlinkSync('/proc/thread-self').split('/').at(-1)) };
  } catch {
    return {};
  }
}

function report(message: HostReport): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
  parentPort?.postMessage(message);
}
