/** Opens lists of campaigns for reads, also on a full disk. */
import { errorCodeOf } from '../../../foundation/errors.ts';
import type { Database } from '../../../store/database/database.ts';
import { openAsItIs } from '../../../store/database/database.ts';
import { openCampaignList } from './campaign-list.ts';
import type { CampaignList } from './campaign-list.ts';

/** As `openCampaignList`, also on a full disk: for reads in one turn, because others may have to wait for them. */
export function openForOneTurn(path: string, cacheKib?: number): CampaignList {
  return openCampaignList(path, cacheKib, openReadable);
}

/** A list that is read in several turns. */
export interface ReadList {
  /** Calls `work`, which must not wait, with the list. */
  read<Result>(work: (list: CampaignList) => Result): Result;
  close(): void;
}

/** As `openForOneTurn`, for reads in several turns. On a full disk the list is closed after each, so that nobody waits. */
export function openForTurns(path: string, cacheKib: number): ReadList {
  let kept: CampaignList | undefined;
  return {
    read(work) {
      const list = kept ?? openForOneTurn(path, cacheKib);
      kept = list.isOnly ? undefined : list;
      try {
        return work(list);
      } finally {
        if (list.isOnly) list.close();
      }
    },
    close: () => kept?.close(),
  };
}

/**
 * Connections to a database with a write-ahead log share an index of it in a file of 32 KiB, for which a full disk has no
 * space. An only connection needs none (https://sqlite.org/wal.html#noshm).
 */
function openReadable(path: string): Database {
  const db = openAsItIs(path);
  try {
    db.pragma('schema_version');
    return db;
  } catch (error) {
    db.close();
    if (errorCodeOf(error) !== 'SQLITE_IOERR_SHMSIZE') throw error;
    const only = openAsItIs(path);
    only.pragma('busy_timeout = 0');
    only.pragma('locking_mode = EXCLUSIVE');
    return only;
  }
}
