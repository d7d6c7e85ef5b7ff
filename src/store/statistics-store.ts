/** Counts the answers of links by day, template, version and kind of client. */
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase, writeNote, writeTransaction } from './database/database.ts';
import { storeErrors } from './database/store-error.ts';

/** Numbers of answers of links. */
export interface LinkCounts {
  /** Answers with an image, including those that report an unchanged image. */
  images: number;
  /** Images that were rendered for the request. The other images came from memory. */
  drawn: number;
  /** Images that lack at least one of their source images. */
  degraded: number;
  /** Images sent instead of errors. */
  substitutes: number;
  /** Answers for links with a value that is only merge tags. */
  unmerged: number;
  /** Answers for links with a value that another program escaped, and that was corrected. */
  corrected: number;
}

/** Counts of one template since the last write. */
export interface TemplateCounts {
  uid: string;
  /** Counts by version and kind of client. */
  answers: readonly { version: number; client: string; counts: LinkCounts }[];
  /** Number of errors by code. */
  errors: ReadonlyMap<string, number>;
}

/** Sums of a period. */
export interface Statistics {
  /** Times of the first and the last image ever, ISO 8601 UTC, accurate to some seconds. Null if there is none. */
  first_image_at: string | null;
  last_image_at: string | null;
  total: LinkCounts & { errors: number };
  /** Errors by code, most first. */
  errors: { code: string; errors: number }[];
  /** Days with an answer, oldest first. */
  days: (LinkCounts & { day: string; errors: number })[];
  /** Newest first. */
  versions: (LinkCounts & { version: number })[];
  /** Most images first. */
  clients: (LinkCounts & { client: string })[];
}

/** Number of days for which counts are kept. */
export const statisticsDaysMax = 400;

/** Rows by version and kind of client for one template and day. Above this, further versions count as version 0. */
export const rowsOfDayMax = 200;

export interface StatisticsStore {
  /**
   * Adds counts of templates to those of today. False if the database is busy or read-only, and nothing was written.
   */
  add(counts: readonly TemplateCounts[]): boolean;
  /** Sums from one day to another, both included. The caller checks access to the template. Throws a `StoreError`. */
  read(uid: string, fromDay: string, toDay: string): Statistics;
  /** Deletes up to `deletionsMax` expired rows of each table and returns their number. Throws a `StoreError`. */
  deleteExpired(deletionsMax: number): number;
}

const sums = `coalesce(sum(images), 0) AS images, coalesce(sum(drawn), 0) AS drawn,
  coalesce(sum(degraded), 0) AS degraded, coalesce(sum(substitutes), 0) AS substitutes,
  coalesce(sum(unmerged), 0) AS unmerged, coalesce(sum(corrected), 0) AS corrected`;

const dayMs = 24 * 60 * 60 * 1000;

/** The date in UTC, as `2026-01-31`. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Creates the store of a connection. `nowMs` is the wall clock, ms since the epoch. */
export function createStatisticsStore(
  db: Database,
  nowMs: () => number = Date.now,
): StatisticsStore {
  const write = createCountWriter(db, nowMs);
  const expiring = ['link_statistics', 'link_errors'].map((table) => {
    const columns = table === 'link_errors' ? 'code' : 'version, client';
    return db.prepare<[string, number]>(
      `DELETE FROM ${table} WHERE (template_id, day, ${columns}) IN
         (SELECT template_id, day, ${columns} FROM ${table} WHERE day < ? LIMIT ?)`,
    );
  });
  const read = createReader(db);
  return {
    add: (counts) =>
      !isReadOnlyDatabase(db) &&
      writeNote(db, () => db.transaction(() => counts.forEach(write)).immediate()),
    read: (uid, fromDay, toDay) =>
      storeErrors(`Reading the statistics of template ${uid}`, () => read(uid, fromDay, toDay)),
    deleteExpired: (deletionsMax) =>
      writeTransaction(db, 'Deleting old statistics', () => {
        const firstDay = dayOf(nowMs() - statisticsDaysMax * dayMs);
        return expiring.reduce((sum, each) => sum + each.run(firstDay, deletionsMax).changes, 0);
      }),
  };
}

/** Creates the function that adds the counts of one template. It runs in a transaction. */
function createCountWriter(db: Database, nowMs: () => number): (counts: TemplateCounts) => void {
  const find = db.prepare<[string], number>('SELECT id FROM templates WHERE uid = ?').pluck();
  const addTo = db.prepare<
    [number, number, number, number, number, number, number, string, number, string]
  >(
    `UPDATE link_statistics SET images = images + ?, drawn = drawn + ?, degraded = degraded + ?,
       substitutes = substitutes + ?, unmerged = unmerged + ?, corrected = corrected + ?
     WHERE template_id = ? AND day = ? AND version = ? AND client = ?`,
  );
  const insert = db.prepare<[number, string, number, string]>(
    'INSERT OR IGNORE INTO link_statistics VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0, 0)',
  );
  const countRows = db
    .prepare<[number, string], number>(
      'SELECT count(*) FROM link_statistics WHERE template_id = ? AND day = ?',
    )
    .pluck();
  const addErrors = db.prepare<[number, string, string, number]>(
    `INSERT INTO link_errors VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET errors = errors + excluded.errors`,
  );
  const noteUse = db.prepare<[number, number, number]>(
    `INSERT INTO link_use VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last_at = excluded.last_at`,
  );
  return ({ uid, answers, errors }) => {
    const id = find.get(uid);
    if (id === undefined) return;
    const now = nowMs();
    const day = dayOf(now);
    for (const { version, client, counts } of answers) {
      const { images, drawn, degraded, substitutes, unmerged, corrected } = counts;
      const added = [images, drawn, degraded, substitutes, unmerged, corrected] as const;
      const addAs = (known: number): boolean =>
        addTo.run(...added, id, day, known, client).changes === 1;
      if (addAs(version)) continue;
      const isFull = (countRows.get(id, day) ?? 0) >= rowsOfDayMax;
      const kept = isFull ? 0 : version;
      insert.run(id, day, kept, client);
      addAs(kept);
    }
    for (const [code, count] of errors) addErrors.run(id, day, code, count);
    if (answers.some(({ counts }) => counts.images > 0)) noteUse.run(id, now, now);
  };
}

/** Creates the function that reads the sums of a period. */
function createReader(db: Database): (uid: string, fromDay: string, toDay: string) => Statistics {
  const period =
    'WHERE template_id = (SELECT id FROM templates WHERE uid = ?) AND day BETWEEN ? AND ?';
  const prepare = <Row>(sql: string) => db.prepare<[string, string, string], Row>(sql);
  const total = prepare<LinkCounts>(`SELECT ${sums} FROM link_statistics ${period}`);
  const days = prepare<LinkCounts & { day: string }>(
    `SELECT day, ${sums} FROM link_statistics ${period} GROUP BY day ORDER BY day`,
  );
  const versions = prepare<LinkCounts & { version: number }>(
    `SELECT version, ${sums} FROM link_statistics ${period} GROUP BY version ORDER BY version DESC`,
  );
  const clients = prepare<LinkCounts & { client: string }>(
    `SELECT client, ${sums} FROM link_statistics ${period} GROUP BY client ORDER BY images DESC, client`,
  );
  const codes = prepare<{ code: string; errors: number }>(
    `SELECT code, sum(errors) AS errors FROM link_errors ${period} GROUP BY code ORDER BY errors DESC, code`,
  );
  const errorDays = prepare<{ day: string; errors: number }>(
    `SELECT day, sum(errors) AS errors FROM link_errors ${period} GROUP BY day`,
  );
  const use = db.prepare<[string], { first_at: number; last_at: number }>(
    'SELECT first_at, last_at FROM link_use WHERE template_id = (SELECT id FROM templates WHERE uid = ?)',
  );
  return (uid, fromDay, toDay) => {
    const of = [uid, fromDay, toDay] as const;
    const errors = codes.all(...of);
    const byDay = new Map<string, LinkCounts & { day: string; errors: number }>();
    for (const counts of days.all(...of)) byDay.set(counts.day, { ...counts, errors: 0 });
    for (const { day, errors: count } of errorDays.all(...of)) {
      byDay.set(day, { ...(byDay.get(day) ?? { day, ...noCounts() }), errors: count });
    }
    const used = use.get(uid);
    return {
      first_image_at: used === undefined ? null : new Date(used.first_at).toISOString(),
      last_image_at: used === undefined ? null : new Date(used.last_at).toISOString(),
      total: {
        ...(total.get(...of) ?? noCounts()),
        errors: errors.reduce((sum, { errors: count }) => sum + count, 0),
      },
      errors,
      days: [...byDay.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1)),
      versions: versions.all(...of),
      clients: clients.all(...of),
    };
  };
}

export function noCounts(): LinkCounts {
  return { images: 0, drawn: 0, degraded: 0, substitutes: 0, unmerged: 0, corrected: 0 };
}
