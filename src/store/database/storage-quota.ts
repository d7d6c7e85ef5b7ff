/** Bounds what one organization may store: drafts and versions of templates, assets and fonts together. */
import type { Database } from './database.ts';
import { StoreError } from './store-error.ts';

/** Bytes of an organization, unless a setting says otherwise: some thousand photos of e-mails. */
export const storageBytesMaxDefault = 1024 * 1024 * 1024;

/** Thrown for what would take an organization over its quota. */
export class QuotaError extends StoreError {
  override name = 'QuotaError';
}

export interface StorageQuota {
  /** Bytes that the organization stores now. */
  storedBytes(organizationUid: string): number;
  /** Throws a `QuotaError` (code `CONFLICT`) when so many bytes more are too many. Call it inside the transaction that stores them. */
  check(organizationUid: string, addedBytes: number): void;
}

/** One a connection. */
export function createStorageQuota(db: Database, bytesMax = storageBytesMaxDefault): StorageQuota {
  // Triggers keep the sum, so that a process of an older version counts too.
  const find = db
    .prepare<[string], number>('SELECT stored_bytes FROM organizations WHERE uid = ?')
    .pluck();
  const storedBytes = (organizationUid: string): number => find.get(organizationUid) ?? 0;
  return {
    storedBytes,
    check(organizationUid, addedBytes) {
      const stored = storedBytes(organizationUid);
      // What becomes smaller is never refused, also when the quota was lowered.
      if (addedBytes <= 0 || stored + addedBytes <= bytesMax) return;
      throw new QuotaError(
        'CONFLICT',
        `The organization stores ${toMebibytes(stored)} MiB in templates with their versions, assets and fonts, and may store ${toMebibytes(bytesMax)} MiB; ${toMebibytes(addedBytes)} MiB more are too many. Delete assets and fonts that are not used, or ask the operator for more room.`,
      );
    },
  };
}

function toMebibytes(bytes: number): string {
  return String(Number((bytes / 1024 / 1024).toPrecision(3)));
}
