/** A lock between processes that ends with its process: an SQLite file that is never written. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from '../../foundation/errors.ts';
import { openAsItIs } from './database.ts';

/** Takes the lock of a file, which is created if it is missing; returns its release, or undefined while another holds it. */
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
