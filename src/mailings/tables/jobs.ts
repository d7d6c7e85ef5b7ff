/** The jobs of the threads that write data tables, and their results. */
import type { ErrorDetail } from '../../foundation/errors.ts';
import { AppError } from '../../foundation/errors.ts';
import { QuotaError } from '../../store/database/storage-quota.ts';
import type { StorageSpace } from '../../store/database/storage-quota.ts';
import { StoreError } from '../../store/database/store-error.ts';
import type { StoreErrorCode } from '../../store/database/store-error.ts';
import type { RowChange } from '../store/tables/change-rows.ts';
import type { AppliedRows, RowChanges, RowPosition } from '../store/tables/copied-rows.ts';
import type { EqualKeys } from '../store/tables/equal-keys.ts';
import type { RowFigures } from '../store/tables/row-file.ts';

/** Writes the rows of a table from an upload. */
export interface ImportJob {
  kind: 'import';
  uploadPath: string;
  path: string;
  key: string;
  contentType: string;
  sheet?: string | undefined;
  space: StorageSpace;
}

/** Changes and adds rows. `columns` is the number of columns. */
export interface UpsertJob {
  kind: 'upsert';
  path: string;
  columns: number;
  changes: readonly RowChange[];
}

export interface DeleteRowJob {
  kind: 'deleteRow';
  path: string;
  key: string;
}

// Jobs of a node of a shared database, which sends and receives rows as text.

/** Reads a part of the rows in the order of keys; undefined at the end. */
export interface ReadPartJob {
  kind: 'readPart';
  path: string;
  /** The last key of the previous part. */
  after: string;
  charactersMax: number;
}

/** Changes and adds rows of a text. `columns` is the number of columns. */
export interface MergeJob {
  kind: 'merge';
  text: string;
  columns: number;
  changes: readonly RowChange[];
  figures: RowFigures;
}

/** Reads the positions of files; undefined for a missing file. */
export interface PositionsJob {
  kind: 'positions';
  paths: readonly string[];
}

/** Creates a file with the rows of a text file, or replaces the rows of an existing file. */
export interface FillJob {
  kind: 'fill';
  path: string;
  draftPath: string;
  textPath: string;
  position: RowPosition;
}

/** Brings a file from the revision `from` to the position `to`. */
export interface ApplyJob {
  kind: 'apply';
  path: string;
  from: number;
  to: RowPosition;
  changes: RowChanges;
  /** Expected figures of the table after the changes. */
  figures: RowFigures;
}

/** Looks for keys that are equal in NFC. */
export interface EqualKeysJob {
  kind: 'equalKeys';
  path: string;
}

export type TableJob =
  | ImportJob
  | UpsertJob
  | DeleteRowJob
  | ReadPartJob
  | MergeJob
  | PositionsJob
  | FillJob
  | ApplyJob
  | EqualKeysJob;

export interface ImportedTable extends RowFigures {
  columns: readonly string[];
}

/** Results by job. The result of `deleteRow` is undefined for an unknown row. */
export interface TableResults {
  import: ImportedTable;
  upsert: RowFigures;
  deleteRow: RowFigures | undefined;
  readPart: { text: string; lastKey: string } | undefined;
  merge: { text: string; figures: RowFigures };
  positions: (RowPosition | undefined)[];
  fill: RowFigures | undefined;
  apply: AppliedRows;
  equalKeys: EqualKeys | undefined;
}

/** Result or error of a job as a message between threads. An error would lose its class and its fields there. */
export type TableOutcome =
  | { ok: true; result: TableResults[TableJob['kind']] }
  | { ok: false; store: StoreErrorCode; isQuota: boolean; message: string }
  | { ok: false; isTooLarge: boolean; message: string; details: readonly ErrorDetail[] }
  | { ok: false; bug: string };

/** Converts an error to a message. */
export function toOutcome(error: unknown): TableOutcome & { ok: false } {
  if (error instanceof StoreError) {
    const { code, message } = error;
    return { ok: false, store: code, isQuota: error instanceof QuotaError, message };
  }
  if (error instanceof AppError) {
    const { message, code, details = [] } = error;
    return { ok: false, isTooLarge: code === 'PAYLOAD_TOO_LARGE', message, details };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { ok: false, bug: text };
}

/** Converts a message back to an error. */
export function toError(outcome: TableOutcome & { ok: false }): Error {
  if ('store' in outcome) {
    return new (outcome.isQuota ? QuotaError : StoreError)(outcome.store, outcome.message);
  }
  if ('bug' in outcome) return new Error(outcome.bug);
  const { isTooLarge, message, details } = outcome;
  const code = isTooLarge ? 'PAYLOAD_TOO_LARGE' : 'BAD_REQUEST';
  return new AppError(code, message, {
    reason: 'table',
    ...(details.length === 0 ? {} : { details }),
  });
}
