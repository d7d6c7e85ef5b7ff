/** Maintains the row file of a data table as a node's copy of the rows in the shared database. */
import { closeSync, existsSync, linkSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { errorCodeOf } from '../../../foundation/errors.ts';
import type { Database } from '../../../store/database/database.ts';
import { openAsItIs } from '../../../store/database/database.ts';
import { StoreError, storeErrors } from '../../../store/database/store-error.ts';
import { changeRows, prepareSave, removeRow } from './change-rows.ts';
import { createRowFile, deleteRowFileSync, isDamage, rowErrors, sizeOfRow } from './row-file.ts';
import type { RowFigures } from './row-file.ts';
import { fromHex, readRowText, writeRowText } from './row-text.ts';

/** The last change that a file has. */
export interface RowPosition {
  /** Number of changes of single rows since the upload. */
  revision: number;
  /** Id of the database copy that counts these revisions. A file of revision 0 is equal in every copy. */
  copy: string;
}

/** Result of `applyRows`. Only `applied` has changed the file. */
export interface AppliedRows {
  /** `moved`: the file has another position, or does not exist. `incomplete`: earlier changes are missing. */
  outcome: 'applied' | 'moved' | 'incomplete';
  /** The current position of the file. */
  position: RowPosition | undefined;
}

/** Changes of the rows of a file. */
export interface RowChanges {
  /** New and changed rows, one a line. */
  text: string;
  /** Keys of deleted rows, in hex. */
  deletedKeys: readonly string[];
}

const uploaded: RowPosition = { revision: 0, copy: '' };
const doing = 'Copying a data table';
const blockBytes = 1024 * 1024;

/** Thrown to roll a transaction back. */
const incomplete = new Error('Changes of a data table are missing.');

/** The position of a file; undefined if it is missing. Deletes a damaged file: the shared database has its rows. */
export function readRowPosition(path: string): RowPosition | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return storeErrors(doing, () => {
      const db = openAsItIs(path);
      try {
        return positionOf(db);
      } finally {
        db.close();
      }
    });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'CORRUPT') throw error;
    deleteRowFileSync(path);
    return undefined;
  }
}

function positionOf(db: Database): RowPosition {
  const isCopy = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'position'").get();
  if (isCopy === undefined) return uploaded;
  return db.prepare<[], RowPosition>('SELECT revision, copy FROM position').get() ?? uploaded;
}

function savePosition(db: Database, { revision, copy }: RowPosition): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS position (revision INTEGER NOT NULL, copy TEXT NOT NULL) STRICT',
  );
  db.exec('DELETE FROM position');
  db.prepare('INSERT INTO position (revision, copy) VALUES (?, ?)').run(revision, copy);
}

/**
 * Creates the file of a table from the text of all its rows at `textPath`, as `draftPath` until it is whole. Replaces
 * the rows of an existing file in one transaction, because others may have it open. Creates a damaged file again.
 * Returns the figures of the rows; undefined if another process of this node was first.
 */
export function fillRows(
  path: string,
  draftPath: string,
  textPath: string,
  position: RowPosition,
): RowFigures | undefined {
  if (existsSync(path)) {
    try {
      return refillRows(path, textPath, position);
    } catch (error) {
      if (!isDamage(error)) throw error;
      deleteRowFileSync(path);
    }
  }
  const writer = createRowFile(draftPath);
  try {
    let number = 0;
    for (const line of linesOf(textPath)) {
      for (const [key, json] of readRowText(line)) writer.insert((number += 1), key, json);
    }
    const figures = writer.finish();
    changeRows(draftPath, (db) => savePosition(db, position));
    linkSync(draftPath, path);
    return figures;
  } catch (error) {
    // Another process of this node was first.
    if (errorCodeOf(error) !== 'EEXIST') throw error;
    return undefined;
  } finally {
    deleteRowFileSync(draftPath);
  }
}

function refillRows(path: string, textPath: string, position: RowPosition): RowFigures | undefined {
  let isFilled = false;
  const filled = changeRows(path, (db, figures) => {
    const { revision, copy } = positionOf(db);
    // Another process of this node was first.
    if (copy === position.copy && revision >= position.revision) return;
    isFilled = true;
    db.exec('DELETE FROM rows');
    Object.assign(figures, { rows: 0, bytes: 0 });
    const save = prepareSave(db);
    for (const line of linesOf(textPath)) {
      for (const [key, json] of readRowText(line)) {
        save.run(key, json);
        figures.rows += 1;
        figures.bytes += sizeOfRow(key, json);
      }
    }
    savePosition(db, position);
  });
  return isFilled ? filled : undefined;
}

/**
 * Brings a file from revision `from` to `to`: deletes rows, and then saves those of the text. `figures` are the
 * expected figures after the change. Deletes a damaged file.
 */
export function applyRows(
  path: string,
  from: number,
  to: RowPosition,
  { text, deletedKeys }: RowChanges,
  figures: RowFigures,
): AppliedRows {
  if (!existsSync(path)) return { outcome: 'moved', position: undefined };
  let applied: AppliedRows = { outcome: 'applied', position: to };
  try {
    changeRows(path, (db, changed) => {
      const position = positionOf(db);
      if (position.revision !== from || (from > 0 && position.copy !== to.copy)) {
        applied = { outcome: 'moved', position };
        return;
      }
      for (const key of deletedKeys) removeRow(db, fromHex(key), changed);
      const save = prepareSave(db);
      for (const [key, json] of readRowText(text)) {
        removeRow(db, key, changed);
        save.run(key, json);
        changed.rows += 1;
        changed.bytes += sizeOfRow(key, json);
      }
      if (changed.rows !== figures.rows || changed.bytes !== figures.bytes) {
        applied = { outcome: 'incomplete', position };
        throw incomplete;
      }
      savePosition(db, to);
    });
  } catch (error) {
    if (isDamage(error)) {
      deleteRowFileSync(path);
      return { outcome: 'moved', position: undefined };
    }
    if (error !== incomplete) throw error;
  }
  return applied;
}

/**
 * Rows after the key `after` in the order of keys, as text of at least `charactersMax` unless the rows end. Undefined
 * if there are none.
 */
export function readRowPart(
  path: string,
  after: string,
  charactersMax: number,
): { text: string; lastKey: string } | undefined {
  return rowErrors(doing, () => {
    const db = openAsItIs(path);
    try {
      const select = db.prepare<[string], { key: string; cells: string }>(
        'SELECT key, cells FROM rows WHERE key > ? ORDER BY key',
      );
      const lines: string[] = [];
      let lastKey = after;
      let characters = 0;
      for (const { key, cells } of select.iterate(after)) {
        const line = writeRowText(key, cells);
        lines.push(line);
        lastKey = key;
        characters += line.length;
        if (characters >= charactersMax) break;
      }
      return lines.length === 0 ? undefined : { text: lines.join('\n'), lastKey };
    } finally {
      db.close();
    }
  });
}

/** Reads the lines of a file, block by block. */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const block = Buffer.alloc(blockBytes);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (;;) {
      const length = readSync(file, block);
      if (length === 0) break;
      const lines = (rest + decoder.write(block.subarray(0, length))).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(file);
  }
}
