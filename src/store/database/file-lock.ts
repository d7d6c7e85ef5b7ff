/** A lock between processes that ends with the process that holds it: an open transaction on an empty SQLite file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from '../../foundation/errors.ts';
import { openAsItIs } from './database.ts';

/**
 * Acquires the lock of a file and creates a missing file. Returns a function that releases the lock. Returns undefined
 * while another process holds it.
 */
export function tryLock(path: string): (() => void) | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, '', { flag: 'a', mode: 0o600 });
  const db = openAsItIs(path);
  try {
    db.pragma('busy_timeout = 0');
    db.exec('BEGIN EXCLUSIVE');
    return () => db.close();
  } catch (error) {
    db.close();
    if (errorCodeOf(error)?.startsWith('SQLITE_BUSY') === true) return undefined;
    throw error;
  }
}
