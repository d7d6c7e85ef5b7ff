/** Damages files of SQLite. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';

/** Of a file whose first pages, which have its schema, stay as they are. */
const wholeBytes = 16 * 1024;

/** Overwrites the pages of rows. */
export function damage(path: string): void {
  const bytes = statSync(path).size - wholeBytes;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, wholeBytes);
  closeSync(file);
}
