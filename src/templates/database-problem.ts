/** Checks the structure of a database file. */
import { errorCodeOf } from '../errors.ts';
import { openAsItIs } from './database.ts';

/** The first problem of a database file, in words of SQLite; undefined when its structure is sound. Throws when it cannot be read. */
export function findProblem(path: string): string | undefined {
  try {
    const db = openAsItIs(path);
    try {
      const [found] = db.prepare<[], string>('PRAGMA quick_check(1)').pluck().all();
      return found === 'ok' ? undefined : found;
    } finally {
      db.close();
    }
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(errorCodeOf(error) ?? '')) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
