/** Stores the rows of one campaign and their problems in a SQLite file, which one thread writes and others read. */
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Database } from '../../../store/database/database.ts';
import { openAsItIs } from '../../../store/database/database.ts';
import { checkSpace } from '../../../store/database/storage-quota.ts';
import type { StorageSpace } from '../../../store/database/storage-quota.ts';
import { StoreError, storeErrors } from '../../../store/database/store-error.ts';
import type { CampaignMode } from './campaign-records.ts';
import { badRowCode, createProblemIndexes, problemSchema, ProblemRows } from './problem-rows.ts';
import type { RowProblem } from './problem-rows.ts';

/** A row of the list. Numbers count from 1 below the header and include empty rows, which are not stored. */
export interface StoredRow {
  row: number;
  /** The line of the file on which the row starts. */
  line: number;
  /** JSON array, one text for each column; null for a row that cannot be used. */
  cellsJson: string | null;
  /** 48 bits of a digest, which are the same for equal rows. */
  digest: number | null;
}

/** The position from which a run resumes after a kill, with its results so far. */
export interface Checkpoint {
  /** Number of the run. A checkpoint of an earlier run is not used. */
  number: number;
  /** The number of the last processed row. */
  row: number;
  /** Count of processed rows. */
  done: number;
  /** JSON whose shape depends on the mode: counts, sizes of files. */
  stateJson: string;
}

/** A row with the base name of its file, before a suffix makes it unique. */
export interface NamedRow {
  row: number;
  name: string;
}

const schema = `
  CREATE TABLE rows (
    row INTEGER PRIMARY KEY, line INTEGER NOT NULL, cells TEXT, digest INTEGER
  ) STRICT;
  ${problemSchema}
  CREATE TABLE checkpoints (
    mode TEXT PRIMARY KEY, number INTEGER NOT NULL, row INTEGER NOT NULL, done INTEGER NOT NULL, state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE file_names (
    row INTEGER PRIMARY KEY, folded TEXT NOT NULL UNIQUE, base TEXT NOT NULL, number INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX file_names_by_base ON file_names (base, number);`;

/** UTF-16 units of rows that are read together: those of the longest rows are eight rows. */
const readCharactersMax = 2 * 1024 * 1024;

/** Owner only: rows are personal data. */
const fileMode = 0o600;

/** Writes the rows of a new list, until `finish`. The caller deletes the file of an unfinished list. */
export interface CampaignListWriter {
  add(rows: readonly StoredRow[], problems: readonly RowProblem[]): void;
  finish(): void;
  /** Closes the unfinished file. */
  abandon(): void;
}

/**
 * Creates the file. No reader opens it before `finish`, so it has no journal. Throws a `StoreError`, and a `QuotaError`
 * as soon as the file has more bytes than `space`.
 */
export function createCampaignList(path: string, space: StorageSpace): CampaignListWriter {
  return storeErrors('Creating the list of a campaign', () => {
    closeSync(openSync(path, 'wx', fileMode));
    const db = openAsItIs(path);
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.exec(schema);
    const insert = db.prepare<[number, number, string | null, number | null]>(
      'INSERT INTO rows (row, line, cells, digest) VALUES (?, ?, ?, ?)',
    );
    const stored = new ProblemRows(db);
    // Includes pages that are not on the disk yet.
    const size = db
      .prepare<[], number>('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
      .pluck();
    db.exec('BEGIN');
    return {
      add: (rows, problems) =>
        storeErrors('Storing the list of a campaign', () => {
          for (const { row, line, cellsJson, digest } of rows)
            insert.run(row, line, cellsJson, digest);
          for (const problem of problems) stored.add(problem);
          checkSpace(size.get() ?? 0, space);
        }),
      finish: () =>
        storeErrors('Storing the list of a campaign', () => {
          // An index that grows with the rows, in the order of digests, takes three times as long.
          db.exec('CREATE INDEX rows_by_digest ON rows (digest)');
          createProblemIndexes(db);
          db.exec('COMMIT');
          db.pragma('synchronous = FULL');
          db.pragma('journal_mode = WAL');
          db.close();
        }),
      abandon: () => db.close(),
    };
  });
}

/** An open list. Every method throws a `StoreError`. */
export interface CampaignList {
  /** Up to `limit` rows after `row`, fewer if they are long; none only at the end. */
  rowsAfter(row: number, limit: number): StoredRow[];
  find(row: number): StoredRow | undefined;
  /** The first row with this digest, if it is before `row`. */
  firstBefore(row: number, digest: number): StoredRow | undefined;
  readonly problems: ProblemRows;
  /** Number of rows that cannot be used. */
  countBadRows(): number;
  findCheckpoint(mode: CampaignMode): Checkpoint | undefined;
  /** Stores a checkpoint and the problems found since the last one, in one transaction. */
  commit(mode: CampaignMode, checkpoint: Checkpoint, problems?: readonly RowProblem[]): void;
  /** Removes all checkpoints except that of the proof, because files are missing or stay behind when the list moves. */
  forgetFiles(): void;
  /** Begins a run: replaces its checkpoint. A proof also deletes the problems of the previous proof. */
  begin(mode: CampaignMode, checkpoint: Checkpoint): void;
  /**
   * Gives each file a unique name, ignoring case: the second file of a name gets the suffix `-2`. First deletes the
   * names of the first of these rows and of all later ones, so that a repeated batch gets the same names.
   */
  nameFiles(files: readonly NamedRow[]): string[];
  /** Whether no other connection can use the list until it is closed. */
  isOnly: boolean;
  close(): void;
}

/**
 * Opens the list of a campaign, with 2 MB of cache or `cacheKib`. Throws a `StoreError` `IO` if the file is missing.
 */
export function openCampaignList(
  path: string,
  cacheKib = 2000,
  openFile: (path: string) => Database = openAsItIs,
): CampaignList {
  if (!existsSync(path)) throw lostList();
  return storeErrors('Opening the list of a campaign', () => {
    const db = openFile(path);
    // After a power cut, a run repeats the rows of a lost checkpoint.
    db.pragma('synchronous = NORMAL');
    db.pragma(`cache_size = -${cacheKib}`);
    return createList(db);
  });
}

function createList(db: Database): CampaignList {
  const columns = 'row, line, cells AS cellsJson, digest';
  const after = db.prepare<[number, number], StoredRow>(
    `SELECT ${columns} FROM rows WHERE row > ? ORDER BY row LIMIT ?`,
  );
  const find = db.prepare<[number], StoredRow>(`SELECT ${columns} FROM rows WHERE row = ?`);
  const firstBefore = db.prepare<[number, number], StoredRow>(
    `SELECT ${columns} FROM rows WHERE digest = ? AND row < ? ORDER BY row LIMIT 1`,
  );
  const countBad = db.prepare<[], number>('SELECT count(*) FROM rows WHERE cells IS NULL').pluck();
  const findCheckpoint = db.prepare<[string], Checkpoint>(
    'SELECT number, row, done, state AS stateJson FROM checkpoints WHERE mode = ?',
  );
  const setCheckpoint = db.prepare<[Checkpoint & { mode: string }]>(
    `INSERT OR REPLACE INTO checkpoints (mode, number, row, done, state)
     VALUES (@mode, @number, @row, @done, @stateJson)`,
  );
  const forgetFiles = db.prepare("DELETE FROM checkpoints WHERE mode <> 'proof'");
  const problems = new ProblemRows(db);
  const removeProblems = db.prepare<[string]>('DELETE FROM problems WHERE code <> ?');
  const doing = 'Reading the list of a campaign';
  const write = (work: () => void): void => {
    storeErrors('Storing the state of a campaign', () => db.transaction(work).immediate());
  };
  return {
    rowsAfter: (row, limit) =>
      storeErrors(doing, () => {
        const rows: StoredRow[] = [];
        let characters = 0;
        for (const found of after.iterate(row, limit)) {
          rows.push(found);
          characters += found.cellsJson?.length ?? 0;
          if (characters > readCharactersMax) break;
        }
        return rows;
      }),
    find: (row) => storeErrors(doing, () => find.get(row)),
    firstBefore: (row, digest) => storeErrors(doing, () => firstBefore.get(digest, row)),
    problems,
    countBadRows: () => storeErrors(doing, () => countBad.get() ?? 0),
    findCheckpoint: (mode) => storeErrors(doing, () => findCheckpoint.get(mode)),
    commit: (mode, checkpoint, found = []) =>
      write(() => {
        for (const problem of found) problems.add(problem);
        setCheckpoint.run({ ...checkpoint, mode });
      }),
    begin: (mode, checkpoint) =>
      write(() => {
        if (mode === 'proof') removeProblems.run(badRowCode);
        setCheckpoint.run({ ...checkpoint, mode });
      }),
    forgetFiles: () => write(() => void forgetFiles.run()),
    nameFiles: prepareNames(db),
    isOnly: db.pragma('locking_mode', { simple: true }) === 'exclusive',
    close: () => db.close(),
  };
}

function prepareNames(db: Database): CampaignList['nameFiles'] {
  const forget = db.prepare<[number]>('DELETE FROM file_names WHERE row >= ?');
  const last = db
    .prepare<[string], number | null>('SELECT max(number) FROM file_names WHERE base = ?')
    .pluck();
  const insert = db.prepare<[number, string, string, number]>(
    'INSERT OR IGNORE INTO file_names (row, folded, base, number) VALUES (?, ?, ?, ?)',
  );
  const nameFile = ({ row, name }: NamedRow): string => {
    const base = name.toLowerCase();
    // The name with the suffix may exist already as the name of another file.
    for (let number = (last.get(base) ?? 0) + 1; ; number += 1) {
      const suffix = number === 1 ? '' : `-${number}`;
      if (insert.run(row, base + suffix, base, number).changes === 1) return name + suffix;
    }
  };
  return (files) =>
    storeErrors('Naming the files of a campaign', () =>
      db
        .transaction(() => {
          const [first] = files;
          if (first !== undefined) forget.run(first.row);
          return files.map(nameFile);
        })
        .immediate(),
    );
}

function lostList(): StoreError {
  return new StoreError(
    'IO',
    'The list of the campaign is missing: it is not part of a backup. Delete the campaign, and upload the list again.',
  );
}
