/** The files of organizations' fonts for render hosts: a thread writes and checks them. */
import { rmSync, statSync } from 'node:fs';
import { SingleFlight } from '../../foundation/single-flight.ts';
import { askFiles } from './ask-files.ts';
import { copyPath, sweepCopies } from './font-copies.ts';
import type { CopyOutcome } from './font-copies.ts';

/** Maximum bytes of all copies, besides those of renders in progress: eight times the limit of one document. */
const copiesBytesMax = 512 * 1024 * 1024;

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
  readonly #flights = new SingleFlight<CopyOutcome>();

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
    const { value, shared } = await this.#flights.run(`${organizationUid} ${digest}`, async () => {
      const outcome = await this.#write(organizationUid, digest);
      if (outcome.state !== 'apart') return outcome;
      return this.#write(organizationUid, digest, await this.#fetch(organizationUid, digest));
    });
    return shared && value.state === 'written' ? { state: 'sound' } : value;
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
    const outcome = await askFiles({
      kind: 'font',
      directory: this.#directory,
      organizationUid,
      digest,
      databasePath: this.#databasePath,
      bytesMax: copiesBytesMax,
      bytes,
    });
    if (outcome.state === 'written') this.bytes = outcome.bytes;
    return outcome;
  }
}
