/** Bounds what one organization may store beside its templates: assets and fonts together. */
import type { Database } from './database.ts';
import { StoreError } from './store-error.ts';

/** Bytes of an organization's assets and fonts, unless a setting says otherwise: some thousand photos of e-mails. */
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
  const sum = db
    .prepare<[string, string], number>(
      `SELECT (SELECT coalesce(sum(size_bytes), 0) FROM assets WHERE organization_uid = ?) +
              (SELECT coalesce(sum(size_bytes), 0) FROM fonts WHERE organization_uid = ?)`,
    )
    .pluck();
  const storedBytes = (organizationUid: string): number =>
    sum.get(organizationUid, organizationUid) ?? 0;
  return {
    storedBytes,
    check(organizationUid, addedBytes) {
      const stored = storedBytes(organizationUid);
      if (stored + addedBytes <= bytesMax) return;
      throw new QuotaError(
        'CONFLICT',
        `The organization stores ${toMebibytes(stored)} MiB of assets and fonts and may store ${toMebibytes(bytesMax)} MiB; ${toMebibytes(addedBytes)} MiB more are too many. Delete what is not used.`,
      );
    },
  };
}

function toMebibytes(bytes: number): string {
  return String(Number((bytes / 1024 / 1024).toPrecision(3)));
}
