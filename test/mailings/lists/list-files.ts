/** Lists for tests: files of given bytes, and all that is read from them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../src/foundation/errors.ts';
import type { List, ListOptions, ListRow, RowProblem } from '../../../src/mailings/lists/list.ts';
import { openList } from '../../../src/mailings/lists/open-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-lists-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
let count = 0;

/** The path of a new file with this content. */
export function listFile(content: string | Uint8Array): string {
  count += 1;
  const path = join(folder, String(count));
  writeFileSync(path, content);
  return path;
}

/** A list with all of its rows. */
export interface WholeList extends List {
  rows: ListRow[];
  problems: RowProblem[];
}

export async function readList(
  content: string | Uint8Array,
  options: ListOptions = {},
): Promise<WholeList> {
  return readListFile(listFile(content), options);
}

export async function readListFile(path: string, options: ListOptions = {}): Promise<WholeList> {
  const list = await openList(path, options);
  const rows: ListRow[] = [];
  const problems: RowProblem[] = [];
  for await (const batch of list.batches()) {
    rows.push(...batch.rows);
    problems.push(...batch.problems);
  }
  return { ...list, rows, problems };
}

/** The code and the message with which a list is refused; throws for anything but an `AppError`. */
export async function refusal(
  content: string | Uint8Array,
  options: ListOptions = {},
): Promise<{ code: string; message: string }> {
  try {
    await readList(content, options);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the list was read');
}

export function valuesOf(list: WholeList): string[][] {
  return list.rows.map(({ values }) => values);
}
