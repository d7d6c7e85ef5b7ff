/** Has fonts looked at in threads of their own, one at a time: such a thread can be stopped, whatever a file does to it. */
import { Worker } from 'node:worker_threads';
import type { BundledFamily, FontVerdict, InspectionOrder } from '#shared/font-facts.ts';
import { AppError } from '../errors.ts';

/** A pan-CJK font of 65,535 glyphs takes 2 s; the rest is for a busy machine. */
const inspectionTimeoutMs = 8000;
/** Inspections that may wait for their turn. */
const waitingMax = 8;
/** Heap of JavaScript in the thread; the file itself is no part of it. */
const heapMbMax = 256;

const inspectorFile = new URL('../../workers/inspect-fonts.ts', import.meta.url);

export interface FontInspector {
  /**
   * Judges an uploaded file, TTF, OTF or WOFF2. Rejects with OVERLOADED when eight others wait; a file on which the
   * thread dies or takes 8 s is no sound font.
   */
  inspect(bytes: Uint8Array): Promise<FontVerdict>;
  /** The families that every organization may name; found out once. */
  bundledFamilies(): Promise<BundledFamily[]>;
  /** Stops what runs. */
  close(): Promise<void>;
}

export function createFontInspector(): FontInspector {
  let running: Worker | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let families: Promise<BundledFamily[]> | undefined;

  function ask<Answer>(order: InspectionOrder): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(inspectorFile, {
        workerData: order,
        resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
      });
      running = worker;
      const timer = setTimeout(() => void worker.terminate(), inspectionTimeoutMs);
      worker.once('message', (answer: Answer) => resolve(answer));
      worker.once('error', reject);
      worker.once('exit', () => {
        clearTimeout(timer);
        running = undefined;
        reject(new Error('The thread that looks at fonts was stopped.'));
      });
    });
  }

  /** One after the other. */
  function enqueue<Answer>(order: InspectionOrder): Promise<Answer> {
    waiting += 1;
    const answer = last.then(() => ask<Answer>(order)).finally(() => (waiting -= 1));
    last = answer.catch(() => undefined);
    return answer;
  }

  return {
    async inspect(bytes) {
      if (waiting > waitingMax) {
        const sentence = 'Too many fonts are being looked at; ask again in a moment.';
        throw new AppError('OVERLOADED', sentence, { reason: 'fonts', retryAfterSeconds: 5 });
      }
      try {
        return await enqueue<FontVerdict>({ kind: 'file', bytes });
      } catch {
        return { ok: false, problem: 'cannot be read in time, or is damaged' };
      }
    },
    bundledFamilies() {
      families ??= enqueue<BundledFamily[]>({ kind: 'families' }).catch((error: unknown) => {
        families = undefined;
        throw error;
      });
      return families;
    },
    async close() {
      await running?.terminate();
    },
  };
}
