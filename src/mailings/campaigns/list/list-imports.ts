/** Imports lists, each on a thread of its own: a list that ends its thread ends no run and no other upload. */
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { programPath } from '#paths.ts';
import { listHeapMbMax, lostListError } from '../../lists/lost-list.ts';
import type { ThreadError } from '../messages.ts';
import { fromThreadError, serviceEnds } from '../thread-errors.ts';
import { campaignPaths } from './import-list.ts';
import type { ImportedList, ListUpload } from './import-list.ts';

export interface ListOrder {
  campaignsFolder: string;
  upload: ListUpload;
}

export type ListOutcome = { imported: ImportedList } | { error: ThreadError };

export class ListImports {
  readonly #campaignsFolder: string;
  readonly #heapMbMax: number;
  readonly #threads = new Set<Worker>();
  #isClosed = false;

  constructor(campaignsFolder: string, heapMbMax: number = listHeapMbMax) {
    this.#campaignsFolder = campaignsFolder;
    this.#heapMbMax = heapMbMax;
  }

  /** Imports a list. The caller bounds the uploads. Rejects as `importList` does; no campaign folder remains then. */
  async run(upload: ListUpload): Promise<ImportedList> {
    try {
      return await this.#import(upload);
    } catch (error) {
      // A thread that ends leaves a part of the list.
      const { folder } = campaignPaths(this.#campaignsFolder, upload.id);
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Ends all imports: their lists are lost, and must be sent again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  async #import(upload: ListUpload): Promise<ImportedList> {
    if (this.#isClosed) throw serviceEnds();
    const order: ListOrder = { campaignsFolder: this.#campaignsFolder, upload };
    const thread = new Worker(programPath('lists'), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMbMax },
    });
    this.#threads.add(thread);
    const { promise, resolve, reject } = Promise.withResolvers<ListOutcome>();
    thread.once('message', resolve);
    thread.once('error', (error) => reject(lostListError(error)));
    thread.once('exit', () => {
      this.#threads.delete(thread);
      reject(this.#isClosed ? serviceEnds() : lostListError(undefined));
    });
    const outcome = await promise;
    if ('error' in outcome) throw fromThreadError(outcome.error);
    return outcome.imported;
  }
}
