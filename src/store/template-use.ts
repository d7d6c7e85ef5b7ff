/** Counts renders of templates and lists recent publications, for base renders at the start; records the use of assets. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase, writeTransaction } from './database/database.ts';
import { storeErrors } from './database/store-error.ts';
import { writeRoute } from './database/write-route.ts';

/** A campaign of last week says little about the next one. */
const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** Templates counted between two flushes; further templates are not counted. */
const countedMax = 10_000;
/** Assets of a day, with a key of some 100 bytes each. Beyond this, some of a minute are not recorded. */
const assetsMax = 100_000;
/** Rows of one transaction beside requests: 4 ms. A minute may have all of them in parts. */
const partRowsMax = 500;
/** Versions that one query for publications returns. */
const newVersionsMax = 64;

export interface TemplateUse {
  /** Counts one render, in memory. */
  count(uid: string): void;
  /** Records, in memory, that a render used this asset of the organization today. */
  noteAsset(organizationUid: string, id: string): void;
  /** Writes the counts and records; an asset has one row a day. Throws a `StoreError`; unwritten counts join the next write. */
  flush(): void;
  /** As `flush`, but some rows alone: some milliseconds. True if more wait. */
  flushPart(): boolean;
  /** As `flush`, with requests answered between its parts. */
  flushInParts(): Promise<void>;
  /** Uids of the templates rendered most of late, most first, without archived ones. */
  mostUsed(limit: number): string[];
  /** Uids of templates that any process published since the last call; none on the first call. */
  newlyPublished(): string[];
}

interface UseRow {
  id: number;
  renders: number | null;
  counted_at: number | null;
}

/** Returns the day in UTC. Making the text of a date takes longer than all else of a note. */
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

/** One for each connection. `nowMs` is the time since the epoch. */
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
      // oxlint-disable-next-line no-await-in-loop -- requests are answered between two parts
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

/** Makes the function that writes up to `rowsMax` rows of what was counted; true if more wait and can be written. */
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

/** Makes the function that lists publications since its last call. */
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

/** Use of assets by day; each is written to the database once a day. */
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
    /** Some of those that wait: `write` runs in a transaction. */
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
