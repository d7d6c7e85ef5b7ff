/** Reports data tables of an earlier version with keys that this version takes for equal. */
import { errorText } from '#wire/error-text.ts';
import type { Log } from '../../foundation/log.ts';
import { equalKeysProblem } from '../store/tables/equal-keys.ts';
import type { NamedFile } from '../store/tables/equal-keys.ts';
import { TableThread } from './table-thread.ts';

/** Logs a warning for each table, read one after the other on a thread. Never rejects. */
export async function reportEqualKeys(files: readonly NamedFile[], log: Log): Promise<void> {
  const thread = new TableThread();
  try {
    for (const file of files) {
      const found = await thread.run({ kind: 'equalKeys', path: file.path });
      if (found !== undefined) log.warn('equal keys', { detail: equalKeysProblem(file, found) });
    }
  } catch (error) {
    log.warn('equal keys not looked for', { detail: errorText(error) });
  } finally {
    await thread.close();
  }
}
