/** Inspects fonts in separate threads, one at a time. A thread can be stopped in any state. */
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { programPath } from '#paths.ts';
import type { BundledFamily, FontFile, FontVerdict, InspectionOrder } from '#wire/font-facts.ts';
import { AppError } from '../foundation/errors.ts';

/** Time-out of an inspection. A pan-CJK font of 65,535 glyphs takes 2 s; the rest is reserve for a busy machine. */
const inspectionTimeoutMs = 8000;
/** Inspections that may wait; each holds its file, up to 10 MiB. */
const waitingMax = 16;
/** Inspections of one organization that may wait, so that slots remain for at least seven others. */
const organizationWaitingMax = 2;
/** JavaScript heap of the thread, without the file. */
const heapMbMax = 256;

const inspectorFile = programPath('fonts');

export interface FontInspector {
  /**
   * Inspects an uploaded file, TTF, OTF or WOFF2. Organizations take turns. Rejects with OVERLOADED if 2 files of the
   * organization wait, or 16 of all. A file counts as invalid if the thread dies on it or takes 8 s.
   */
  inspect(organizationUid: string, bytes: Uint8Array): Promise<FontVerdict>;
  /** Returns the families that every organization may name; read once. */
  bundledFamilies(): Promise<BundledFamily[]>;
  /** Returns the bytes of a file that `bundledFamilies` or the store names; only one font of a collection. */
  readFile(file: FontFile): Promise<Uint8Array>;
  /** Stops the running threads. */
  close(): Promise<void>;
}

/** An inspection that waits for its turn. */
interface Waiting {
  start: () => Promise<unknown>;
  reject: (error: Error) => void;
}

/** Runs one inspection at a time; organizations take turns. */
class InspectionTurns {
  /** Waiting inspections by organization, the next organization first; no list is empty. */
  readonly #waiting = new Map<string, Waiting[]>();
  #isBusy = false;

  hasSlot(organizationUid: string): boolean {
    let length = 0;
    for (const queue of this.#waiting.values()) length += queue.length;
    const waiting = this.#waiting.get(organizationUid)?.length ?? 0;
    return length < waitingMax && waiting < organizationWaitingMax;
  }

  run<Answer>(organizationUid: string, inspect: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const start = (): Promise<void> => inspect().then(resolve, reject);
      const queue = this.#waiting.get(organizationUid) ?? [];
      queue.push({ start, reject });
      this.#waiting.set(organizationUid, queue);
      this.#next();
    });
  }

  /** Rejects all waiting inspections. */
  clear(): void {
    const closed = new Error('The service is shutting down.');
    for (const { reject } of [...this.#waiting.values()].flat()) reject(closed);
    this.#waiting.clear();
  }

  #next(): void {
    const [turn] = this.#waiting;
    if (this.#isBusy || turn === undefined) return;
    const [organizationUid, queue] = turn;
    this.#waiting.delete(organizationUid);
    const first = queue.shift();
    // Moves the organization behind all others.
    if (queue.length > 0) this.#waiting.set(organizationUid, queue);
    this.#isBusy = true;
    void first?.start().finally(() => {
      this.#isBusy = false;
      this.#next();
    });
  }
}

export function createFontInspector(): FontInspector {
  const turns = new InspectionTurns();
  /** Separate turns for the extraction of fonts from collections, so that they use no slots of uploads. */
  const extractionTurns = new InspectionTurns();
  const extractions = new Map<string, Promise<Uint8Array>>();
  const running = new Set<Worker>();
  let families: Promise<BundledFamily[]> | undefined;

  function ask<Answer>(order: InspectionOrder): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(inspectorFile, {
        workerData: order,
        resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
      });
      running.add(worker);
      const timer = setTimeout(() => void worker.terminate(), inspectionTimeoutMs);
      worker.once('message', (answer: Answer) => resolve(answer));
      worker.once('error', reject);
      worker.once('exit', () => {
        clearTimeout(timer);
        running.delete(worker);
        reject(new Error('The thread that looks at fonts was stopped.'));
      });
    });
  }

  return {
    async inspect(organizationUid, bytes) {
      if (!turns.hasSlot(organizationUid)) {
        const sentence = 'Too many fonts are being looked at; ask again in a moment.';
        throw new AppError('OVERLOADED', sentence, { reason: 'fonts', retryAfterSeconds: 5 });
      }
      try {
        return await turns.run(organizationUid, () => ask<FontVerdict>({ kind: 'file', bytes }));
      } catch {
        return { ok: false, reason: 'unusable', problem: 'cannot be read in time, or is damaged' };
      }
    },
    bundledFamilies() {
      families ??= turns
        .run('', () => ask<BundledFamily[]>({ kind: 'families' }))
        .catch((error: unknown) => {
          families = undefined;
          throw error;
        });
      return families;
    },
    readFile(file) {
      const { path, face } = file;
      if (face === undefined) return readFile(path);
      const key = `${path}:${face}`;
      const known = extractions.get(key);
      if (known !== undefined) return known;
      const extraction = extractionTurns
        .run('', () => ask<Uint8Array>({ kind: 'face', file }))
        .finally(() => extractions.delete(key));
      extractions.set(key, extraction);
      return extraction;
    },
    async close() {
      turns.clear();
      extractionTurns.clear();
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}
