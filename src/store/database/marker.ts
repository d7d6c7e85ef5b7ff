/** A file beside the database that says that there is one: a folder that lost its database must not pass for a new one. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreError } from './store-error.ts';

const markerName = 'platen.marker';

const markerText = `This folder has a Platen database. If the database is missing, the service does not start: restore it.
The service makes this file anew.
`;

/**
 * Whether the folder of `path` has had a database: it has the marker, or a write-ahead log. Ask before looking for the
 * database itself: another process may be making it, and makes the marker last.
 */
export function hadDatabase(path: string): boolean {
  return existsSync(join(dirname(path), markerName)) || sizeOf(`${path}-wal`) > 0;
}

/** Bytes of a file; 0 when there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Makes the marker unless it is there. Never throws: on a full disk a later start makes it. */
export function markDatabase(path: string): void {
  const marker = join(dirname(path), markerName);
  try {
    if (!existsSync(marker)) writeFileSync(marker, markerText, { mode: 0o600 });
  } catch {
    // The service is worth more than its marker.
  }
}

/** The error of a folder whose database is missing or empty. */
export function lostDatabase(path: string): StoreError {
  return new StoreError(
    'IO',
    `The data directory ${dirname(path)} had a database, but ${basename(path)} is missing or empty: mount the directory or restore a backup (docs/operations.md), or start once with --init to make a new, empty database.`,
  );
}
