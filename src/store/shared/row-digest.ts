/** A digest of rows, by which two databases are compared. */
import { createHash } from 'node:crypto';
import type { Row } from '../database/shared-contract.ts';

const digestBytes = 32;

/** Counts rows and combines their digests, independently of their order. */
export class RowDigest {
  rows = 0;
  readonly #sum = Buffer.alloc(digestBytes);

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const text = JSON.stringify(row);
      this.#combine(createHash('sha256').update(text).digest());
      this.rows += 1;
    }
  }

  #combine(digest: Buffer): void {
    for (const [index, byte] of digest.entries()) this.#sum[index] = (this.#sum[index] ?? 0) ^ byte;
  }

  /** Adds the rows of another digest. */
  merge(other: RowDigest): void {
    this.rows += other.rows;
    this.#combine(other.#sum);
  }

  get digest(): string {
    return this.#sum.toString('hex');
  }
}
