/** Counts renders and lists recent publications, for base renders at the start; records the use of assets. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase, writeTransaction } from './database/database.ts';
import { storeErrors } from './database/store-error.ts';
import { writeRoute } from './database/write-route.ts';

/** Half-life of the counts, one week: older campaigns say little about the next one. */
const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** Maximum number of templates counted between two flushes; further templates are not counted. */
const countedMax = 10_000;
/** Maximum number of assets in memory, some 100 bytes each. Further assets of a minute are not recorded. */
const assetsMax = 100_000;
/** Rows of one transaction while requests are answered: 4 ms. */
const partRowsMax = 500;
/** Maximum number of templates that one query for publications returns. */
const newVersionsMax = 64;

export interface TemplateUse {
  /** Counts one render, in memory. */
  count(uid: string): void;
  /** Records, in memory, that a render used this asset of the organization today. */
  noteAsset(organizationUid: string, id: string): void;
  /** Writes counts and records. Throws a `StoreError`; the next write includes unwritten counts. */
  flush(): void;
  /** As `flush`, but writes only some rows, for some milliseconds. True if more rows wait. */
  flushPart(): boolean;
  /** As `flush`, in parts, so that requests are answered in between. */
  flushInParts(): Promise<void>;
  /** Uids of the templates most rendered recently, in descending order, without archived ones. */
  mostUsed(limit: number): string[];
  /** Uids of templates that any process published since the last call; none on the first call. */
  newlyPublished(): string[];
}

interface UseRow {
  id: number;
  renders: number | null;
  counted_at: number | null;
}

/** Creates a function that returns the day in UTC. It caches the text, which is expensive to format. */
function dayReader(nowMs: () => number): () => string {
  let number = Number.NaN;
  let text = '';
  return () => {
    const current = Math.floor(nowMs() / dayMs);
    if (current !== number) text = new Date(current * dayMs).toISOString().slice(0, 10);
    number = current;
    return text;
  };
}

/** Creates the counters of a connection. `nowMs` is the wall clock, ms since the epoch. */
export function createTemplateUse(db: Database, nowMs: () => number = Date.now): TemplateUse {
  const counts = new Map<string, number>();
  const selectAll = db.prepare<[], { uid: string; renders: number; counted_at: number }>(
    `SELECT t.uid, u.renders, u.counted_at FROM template_use u JOIN templates t ON t.id = u.template_id
     WHERE t.archived_at IS NULL AND t.published_version IS NOT NULL`,
  );
  const assets = createAssetNotes(db);
  const newlyPublished = createPublications(db);

  const weigh = (renders: number, countedAt: number): number =>
    renders * 0.5 ** (Math.max(0, nowMs() - countedAt) / halfLifeMs);

  const today = dayReader(nowMs);

  const flush = createFlush(db, nowMs, { counts, assets, weigh });

  return {
    count(uid) {
      const known = counts.get(uid);
      if (known !== undefined || counts.size < countedMax) counts.set(uid, (known ?? 0) + 1);
    },
    noteAsset: (organizationUid, id) => assets.note(organizationUid, id, today()),
    flush: () => void flush(Infinity),
    flushPart: () => flush(partRowsMax),
    async flushInParts() {
      while (flush(partRowsMax)) await nextTurn();
    },
    mostUsed: (limit) =>
      storeErrors('Reading what is used most', () => selectAll.all())
        .map(({ uid, renders, counted_at: countedAt }) => ({
          uid,
          weight: weigh(renders, countedAt),
        }))
        .toSorted((a, b) => b.weight - a.weight)
        .slice(0, limit)
        .map(({ uid }) => uid),
    newlyPublished,
  };
}

/** Creates the function that writes up to `rowsMax` rows; it returns true if more wait and can be written. */
function createFlush(
  db: Database,
  nowMs: () => number,
  {
    counts,
    assets,
    weigh,
  }: {
    counts: Map<string, number>;
    assets: ReturnType<typeof createAssetNotes>;
    weigh: (renders: number, countedAt: number) => number;
  },
): (rowsMax: number) => boolean {
  const select = db.prepare<[string], UseRow>(
    `SELECT t.id, u.renders, u.counted_at FROM templates t
     LEFT JOIN template_use u ON u.template_id = t.id WHERE t.uid = ?`,
  );
  const save = db.prepare<[number, number, number]>(
    `INSERT INTO template_use (template_id, renders, counted_at) VALUES (?, ?, ?)
     ON CONFLICT (template_id) DO UPDATE SET renders = excluded.renders, counted_at = excluded.counted_at`,
  );
  const isEmpty = (): boolean => counts.size === 0 && assets.isEmpty();
  return (rowsMax) => {
    if (isEmpty() || isReadOnlyDatabase(db)) return false;
    const counted = firstOf(counts, rowsMax);
    const noted = assets.take(rowsMax - counted.length);
    const write = (): void =>
      writeTransaction(db, 'Counting renders', () => {
        noted.write();
        for (const [uid, count] of counted) {
          const row = select.get(uid);
          if (row === undefined) continue;
          const before = weigh(row.renders ?? 0, row.counted_at ?? 0);
          save.run(row.id, before + count, nowMs());
        }
      });
    const route = writeRoute();
    if (route?.db !== db) write();
    else if (!route.note(write)) return false;
    for (const [uid] of counted) counts.delete(uid);
    noted.noteWritten();
    return !isEmpty();
  };
}

/** Creates the function that lists publications since its last call. */
function createPublications(db: Database): TemplateUse['newlyPublished'] {
  const selectNewest = db
    .prepare<[], number>('SELECT coalesce(max(rowid), 0) FROM template_versions')
    .pluck();
  const selectSince = db
    .prepare<[number, number], string>(
      `SELECT DISTINCT t.uid FROM template_versions v JOIN templates t ON t.id = v.template_id
       WHERE v.rowid > ? AND t.archived_at IS NULL ORDER BY v.rowid DESC LIMIT ?`,
    )
    .pluck();
  let newest: number | undefined;
  return () =>
    storeErrors('Reading what was published', () => {
      const last = newest;
      newest = selectNewest.get() ?? 0;
      return last === undefined || newest <= last ? [] : selectSince.all(last, newVersionsMax);
    });
}

function firstOf<Key, Value>(map: ReadonlyMap<Key, Value>, countMax: number): [Key, Value][] {
  const first: [Key, Value][] = [];
  for (const entry of map) {
    if (first.length >= countMax) break;
    first.push(entry);
  }
  return first;
}

/** Records the use of assets by day. Each asset is written to the database once a day. */
function createAssetNotes(db: Database) {
  const waiting = new Map<string, [organizationUid: string, digest: string]>();
  const written = new Set<string>();
  let day = '';
  // An asset may be deleted before its record is written.
  const save = db.prepare<[string, string, string]>(
    `INSERT INTO asset_use (organization_uid, digest, used_on)
     SELECT organization_uid, digest, ? FROM assets WHERE organization_uid = ? AND digest = ?
     ON CONFLICT (organization_uid, digest) DO UPDATE SET used_on = excluded.used_on
     WHERE used_on < excluded.used_on`,
  );
  return {
    note(organizationUid: string, id: string, today: string): void {
      if (today !== day || written.size >= assetsMax) written.clear();
      day = today;
      const key = `${organizationUid} ${id}`;
      if (written.has(key) || waiting.size >= assetsMax) return;
      waiting.set(key, [organizationUid, id.slice('asset:'.length)]);
    },
    isEmpty: () => waiting.size === 0,
    /** Takes some waiting records. `write` must run in a transaction; `noteWritten` then removes them. */
    take(countMax: number): { write: () => void; noteWritten: () => void } {
      const taken = firstOf(waiting, countMax);
      const usedOn = day;
      return {
        write() {
          for (const [, [organizationUid, digest]] of taken) {
            save.run(usedOn, organizationUid, digest);
          }
        },
        noteWritten() {
          for (const [key] of taken) {
            written.add(key);
            waiting.delete(key);
          }
        },
      };
    },
  };
}
