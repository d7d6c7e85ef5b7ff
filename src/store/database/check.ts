/** A process that checks the structure of a database file once; it writes the first problem to its standard output. */
import { setPriority } from 'node:os';
import { errorCodeOf } from '../../foundation/errors.ts';
import { openAsItIs } from './database.ts';

// Behind everything that answers.
setPriority(19);
process.stdout.write(findProblem(process.argv[2] ?? '') ?? '');

/** The first problem of a database file, in words of SQLite; undefined when its structure is sound. Throws when it cannot be read. */
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
