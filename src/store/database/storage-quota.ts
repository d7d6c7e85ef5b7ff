/**
 * Limits what one organization stores: templates with versions and comments, assets, fonts, tables, short links, lists.
 */
import type { Database } from './database.ts';
import { StoreError } from './store-error.ts';

/** Default limit of an organization in bytes: some thousand photographs for emails. */
export const storageBytesMaxDefault = 1024 * 1024 * 1024;

/** The error of a write that would exceed the quota of its organization. */
export class QuotaError extends StoreError {
  override name = 'QuotaError';
}

/** Space for a write whose size is checked while it grows, also on another thread. */
export interface StorageSpace {
  bytesMax: number;
  /** Message of the error when the write exceeds `bytesMax`. */
  refusal: string;
}

/** Throws a `QuotaError` if a write has more bytes than its space. */
export function checkSpace(bytes: number, { bytesMax, refusal }: StorageSpace): void {
  if (bytes > bytesMax) throw new QuotaError('CONFLICT', refusal);
}

export interface StorageQuota {
  /** Bytes that the organization stores. */
  storedBytes(organizationUid: string): number;
  /** The space for a write that replaces `replacedBytes` of the organization. */
  space(organizationUid: string, replacedBytes?: number): StorageSpace;
  /**
   * Throws a `QuotaError` (`CONFLICT`) if additional bytes exceed the quota. Call it in the transaction that stores
   * them.
   */
  check(organizationUid: string, addedBytes: number): void;
}

/** Creates the quota of a connection. */
export function createStorageQuota(db: Database, bytesMax = storageBytesMaxDefault): StorageQuota {
  // Triggers maintain the sum, so that writes of an older version count too.
  const find = db
    .prepare<[string], number>('SELECT stored_bytes FROM organizations WHERE uid = ?')
    .pluck();
  const storedBytes = (organizationUid: string): number => find.get(organizationUid) ?? 0;
  const refusal = (stored: number, added: string): string =>
    `The organization stores ${toMebibytes(stored)} MiB in templates with their versions and comments, assets, fonts, data tables, short links and lists of campaigns, and may store ${toMebibytes(bytesMax)} MiB; ${added} are too many. Delete assets, fonts, tables, comments and campaigns that are not used, or ask the operator for more space.`;
  return {
    storedBytes,
    space(organizationUid, replacedBytes = 0) {
      const stored = storedBytes(organizationUid);
      const left = Math.max(0, bytesMax - stored);
      return {
        bytesMax: Math.max(replacedBytes, bytesMax - stored + replacedBytes),
        refusal: refusal(stored, `more than ${toMebibytes(left)} MiB more`),
      };
    },
    check(organizationUid, addedBytes) {
      const stored = storedBytes(organizationUid);
      // A document that shrinks is never refused, even if the quota was lowered.
      if (addedBytes <= 0 || stored + addedBytes <= bytesMax) return;
      throw new QuotaError('CONFLICT', refusal(stored, `${toMebibytes(addedBytes)} MiB more`));
    },
  };
}

/** Formats bytes as MiB for messages: three significant digits below 100 MiB, else whole MiB. */
export function toMebibytes(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return String(mebibytes < 100 ? Number(mebibytes.toPrecision(3)) : Math.round(mebibytes));
}
