/** A process that checks the structure of a database file once, and writes the first problem to standard output. */
import { setPriority } from 'node:os';
import { errorCodeOf } from '../../foundation/errors.ts';
import { openAsItIs } from './database.ts';

// Lower priority than everything that answers requests.
setPriority(19);
process.stdout.write(findProblem(process.argv[2] ?? '') ?? '');

/**
 * The first problem of a database file, in SQLite's words; undefined if its structure is sound. Throws if it cannot be
 * read.
 */
function findProblem(path: string): string | undefined {
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
