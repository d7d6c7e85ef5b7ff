/** The files of organizations' fonts for render hosts: a thread writes and checks them, organizations in turn. */
import { rmSync, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { programPath } from '#paths.ts';
import { FairTurns } from '../../foundation/fair-turns.ts';
import { SingleFlight } from '../../foundation/single-flight.ts';
import { StoreError } from '../database/store-error.ts';
import type { StoreErrorCode } from '../database/store-error.ts';
import { copyPath, sweepCopies } from './font-copies.ts';
import type { CopyOutcome, FontCopy } from './font-copies.ts';

/** Maximum bytes of all copies, besides those of renders in progress: eight times the limit of one document. */
const copiesBytesMax = 512 * 1024 * 1024;

/** An order to the thread. */
export interface CopyOrder extends FontCopy {
  databasePath: string;
  bytesMax: number;
  /** The font, if the database does not have it. */
  bytes: Uint8Array | undefined;
}

export type CopyAnswer =
  | { ok: true; outcome: CopyOutcome }
  | { ok: false; code: StoreErrorCode; message: string };

/**
 * `deleted`: a font is no longer in the database. `full`: other renders of the organization in progress need as many
 * bytes as there may be.
 */
export type RestoreOutcome = 'restored' | 'deleted' | 'full';

/** Reads a font from the shared database, on a node. Rejects with a `StoreError`. */
export type FetchFont = (organizationUid: string, digest: string) => Promise<Uint8Array>;

export class FontFiles {
  /** Total size of the files after the last change by this process. */
  bytes = 0;
  /** Files that were written again because a render host found them missing or damaged. */
  restored = 0;
  readonly #directory: string;
  readonly #databasePath: string;
  readonly #fetch: FetchFont;
  readonly #turns = new FairTurns(1);
  readonly #flights = new SingleFlight<CopyOutcome>();
  #worker: Worker | undefined;

  constructor(directory: string, databasePath: string, fetch: FetchFont) {
    this.#directory = directory;
    this.#databasePath = databasePath;
    this.#fetch = fetch;
  }

  pathOf(organizationUid: string, digest: string): string {
    return copyPath({ directory: this.#directory, organizationUid, digest });
  }

  /** Whether the file is missing and fits within the limit. */
  lacks(organizationUid: string, digest: string, sizeBytes: number): boolean {
    const found = statSync(this.pathOf(organizationUid, digest), { throwIfNoEntry: false });
    return found?.size !== sizeBytes && this.bytes + sizeBytes <= copiesBytesMax;
  }

  /** Writes missing or damaged files again. Rejects with a `StoreError`. */
  async restore(organizationUid: string, digests: readonly string[]): Promise<RestoreOutcome> {
    const outcomes = await Promise.all(
      digests.map((digest) => this.bring(organizationUid, digest)),
    );
    this.restored += outcomes.filter(({ state }) => state === 'written').length;
    if (outcomes.some(({ state }) => state === 'absent')) return 'deleted';
    return outcomes.some(({ state }) => state === 'full') ? 'full' : 'restored';
  }

  /** Writes a file unless it is there and sound. Callers at the same time share one write. Rejects with a `StoreError`. */
  async bring(organizationUid: string, digest: string): Promise<CopyOutcome> {
    const { value } = await this.#flights.run(`${organizationUid} ${digest}`, async () => {
      const outcome = await this.#write(organizationUid, digest);
      if (outcome.state !== 'apart') return outcome;
      return this.#write(organizationUid, digest, await this.#fetch(organizationUid, digest));
    });
    return value;
  }

  /** Removes a font's file. Processes that have loaded it continue to use it. Never throws. */
  remove(organizationUid: string, digest: string): void {
    const path = this.pathOf(organizationUid, digest);
    try {
      const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      rmSync(path, { force: true });
      this.bytes -= sizeBytes;
    } catch {
      // The file stays until the next start.
    }
  }

  /** Removes files of killed processes and of deleted fonts, at a start. Throws the errors of the disk. */
  sweep(isStored: (organizationUid: string, digest: string) => boolean): void {
    this.bytes = sweepCopies(this.#directory, isStored);
  }

  async #write(organizationUid: string, digest: string, bytes?: Uint8Array): Promise<CopyOutcome> {
    const answer = await this.#turns.run(organizationUid, () =>
      this.#ask({
        directory: this.#directory,
        organizationUid,
        digest,
        databasePath: this.#databasePath,
        bytesMax: copiesBytesMax,
        bytes,
      }),
    );
    if (!answer.ok) throw new StoreError(answer.code, answer.message);
    if (answer.outcome.state === 'written') this.bytes = answer.outcome.bytes;
    return answer.outcome;
  }

  /** Sends an order to the thread, which the first one starts. */
  #ask(order: CopyOrder): Promise<CopyAnswer> {
    const worker = (this.#worker ??= new Worker(programPath('font-copies')));
    worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<CopyAnswer>();
    const onEnd = (): void => {
      this.#worker = undefined;
      reject(new StoreError('BUSY', 'The thread that writes fonts has ended; try again.'));
    };
    worker.once('message', resolve).once('error', onEnd).once('exit', onEnd);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
    worker.postMessage(order);
    return promise.finally(() => {
      worker.off('message', resolve).off('error', onEnd).off('exit', onEnd);
      // An idle thread does not keep the process alive.
      worker.unref();
    });
  }
}
