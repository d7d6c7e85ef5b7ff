/** The task of a thread of a render host: reads a job, renders it, and returns what the host writes. */
import { readlinkSync } from 'node:fs';
import { parentPort, threadId } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
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
import { withBytes } from './shared/thread-pool.ts';

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

  report({ kind: 'started', thread: threadId, ...taskNumber() });
  return async (task) => {
    if (task.parts !== undefined) updateParts(task.parts);
    const { values, ...rest } = parse(task.rest) as JobRest;
    const { templateKey, images } = task;
    const job = { ...rest, templateKey, ...documentOf(task), images, values: new Map(values) };
    const { bytes, ...outcome } = { bytes: undefined, ...(await render(job)) };
    idle.refresh();
    const json = JSON.stringify(outcome);
    const answer = { outcome: json, figures: nextFigures(), parts: takePartReport() };
    return bytes === undefined ? answer : withBytes(answer, bytes);
  };
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
