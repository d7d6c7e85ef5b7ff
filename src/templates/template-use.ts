/** Counts how often templates are drawn, and knows which were published last: what to have ready. */
import type { Database } from './database.ts';
import { writeTransaction } from './database.ts';
import { storeErrors } from './store-error.ts';

/** A campaign of last week says little about the next one. */
const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
/** Templates counted between two flushes; renders of more are not counted. */
const countedMax = 10_000;
/** Versions that one look at what was published tells of. */
const newVersionsMax = 64;

export interface TemplateUse {
  /** Counts one render, in memory. */
  count(uid: string): void;
  /** Writes what was counted. Throws a `StoreError`; what could not be written is counted with the next. */
  flush(): void;
  /** Uids of the templates drawn most of late, most first; archived ones left out. */
  mostUsed(limit: number): string[];
  /** Uids of templates with a version that was published since the last call, by any process; none on the first. */
  newlyPublished(): string[];
}

interface UseRow {
  id: number;
  renders: number | null;
  counted_at: number | null;
}

/** One a connection. `nowMs` is the time since the epoch. */
export function createTemplateUse(db: Database, nowMs: () => number = Date.now): TemplateUse {
  const counts = new Map<string, number>();
  const select = db.prepare<[string], UseRow>(
    `SELECT t.id, u.renders, u.counted_at FROM templates t
     LEFT JOIN template_use u ON u.template_id = t.id WHERE t.uid = ?`,
  );
  const save = db.prepare<[number, number, number]>(
    `INSERT INTO template_use (template_id, renders, counted_at) VALUES (?, ?, ?)
     ON CONFLICT (template_id) DO UPDATE SET renders = excluded.renders, counted_at = excluded.counted_at`,
  );
  const selectAll = db.prepare<[], { uid: string; renders: number; counted_at: number }>(
    `SELECT t.uid, u.renders, u.counted_at FROM template_use u JOIN templates t ON t.id = u.template_id
     WHERE t.archived_at IS NULL AND t.published_version IS NOT NULL`,
  );
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

  const weigh = (renders: number, countedAt: number): number =>
    renders * 0.5 ** (Math.max(0, nowMs() - countedAt) / halfLifeMs);

  return {
    count(uid) {
      const known = counts.get(uid);
      if (known !== undefined || counts.size < countedMax) counts.set(uid, (known ?? 0) + 1);
    },
    flush() {
      if (counts.size === 0) return;
      writeTransaction(db, 'Counting renders', () => {
        for (const [uid, count] of counts) {
          const row = select.get(uid);
          if (row === undefined) continue;
          const before = weigh(row.renders ?? 0, row.counted_at ?? 0);
          save.run(row.id, before + count, nowMs());
        }
      });
      counts.clear();
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
    newlyPublished: () =>
      storeErrors('Reading what was published', () => {
        const last = newest;
        newest = selectNewest.get() ?? 0;
        return last === undefined || newest <= last ? [] : selectSince.all(last, newVersionsMax);
      }),
  };
}
