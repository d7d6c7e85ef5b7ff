/** Imports the rows of a data table from an uploaded list. */
import { composed } from '#language/normal-form.ts';
import { columnNameCharactersMax } from '#language/values/table-source.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { AppError } from '../../foundation/errors.ts';
import type { List, ListRow } from '../lists/list.ts';
import { openList } from '../lists/open-list.ts';
import { requireSheet } from '../lists/workbook/open-sheet.ts';
import { createRowFile, sizeOfRow } from '../store/tables/row-file.ts';
import type { ImportedTable, ImportJob } from './jobs.ts';
import { tableLimits } from './table-limits.ts';

/** Maximum number of problems in an answer. */
const problemsMax = 20;

/**
 * Writes the rows of a list to a new file. Rejects with an `AppError` that names lines, or with a `StoreError`, and
 * then deletes the file.
 */
export async function importTable(job: ImportJob): Promise<ImportedTable> {
  const { uploadPath, contentType, sheet } = job;
  const list = await openList(uploadPath, {
    contentType,
    hasHeader: true,
    ...(sheet !== undefined && { sheet }),
  });
  requireSheet(list.format);
  const { columns } = list;
  checkColumns(columns, job.key);
  const writer = createRowFile(job.path, job.space);
  try {
    await insertRows(list, columns.indexOf(job.key), writer);
    return { columns, ...writer.finish() };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

function checkColumns(columns: readonly string[], key: string): void {
  const { columnsMax } = tableLimits;
  if (columns.length > columnsMax) {
    throw refused([
      ['line 1', `has ${columns.length} columns, the limit is ${columnsMax}; leave out some`],
    ]);
  }
  const long = columns.findIndex(({ length }) => length > columnNameCharactersMax);
  if (long !== -1) {
    const message = `has a name of more than ${columnNameCharactersMax} characters for column ${long + 1}; shorten it`;
    throw refused([['line 1', message]]);
  }
  if (columns.includes(key)) return;
  const known = columns.slice(0, problemsMax).join('", "');
  throw refused([
    ['key', `names the column "${key}", which the table does not have; it has "${known}"`],
  ]);
}

async function insertRows(
  list: List,
  keyIndex: number,
  writer: ReturnType<typeof createRowFile>,
): Promise<void> {
  const problems: [string, string][] = [];
  for await (const batch of list.batches()) {
    for (const { line, row, message } of batch.problems) problems.push([where(line, row), message]);
    for (const row of batch.rows) {
      const key = composed((row.values[keyIndex] ?? '').trim());
      const json = JSON.stringify(row.values);
      const problem = rowProblem(key, json, row, list.columns, keyIndex);
      if (problem !== undefined) problems.push([where(row.line, row.row), problem]);
      // After a problem, further rows are only checked.
      else if (problems.length === 0) writer.insert(row.row, key, json);
    }
    if (problems.length >= problemsMax) break;
  }
  if (problems.length > 0) throw refused(problems);
}

function where(line: number, row: number): string {
  return `line ${line} (row ${row})`;
}

/** The problem of a row, as text that follows its position. Messages never contain the content of a cell. */
function rowProblem(
  key: string,
  json: string,
  { values }: ListRow,
  columns: readonly string[],
  keyIndex: number,
): string | undefined {
  const { keyCharactersMax, cellCharactersMax, rowBytesMax } = tableLimits;
  if (key === '') return `has no key in the column "${columns[keyIndex]}"`;
  if (key.length > keyCharactersMax) {
    return `has a key of ${key.length} characters, the limit is ${keyCharactersMax}`;
  }
  const long = values.findIndex(({ length }) => length > cellCharactersMax);
  if (long !== -1) {
    const { length } = values[long] ?? '';
    return `has ${length} characters in the column "${columns[long]}", the limit is ${cellCharactersMax}`;
  }
  if (sizeOfRow(key, json) <= rowBytesMax) return undefined;
  return `has more than ${rowBytesMax} bytes, the limit; leave out columns that no template uses`;
}

function refused(problems: readonly (readonly [path: string, message: string])[]): AppError {
  const details = problems
    .slice(0, problemsMax)
    .map(([path, message]): ErrorDetail => ({ path, message }));
  const [first] = details;
  const more = details.length > 1 ? `, and ${details.length - 1} more in details` : '';
  const message = `The table is not valid, and nothing was changed: ${first?.path} ${first?.message}${more}`;
  return new AppError('BAD_REQUEST', message, { reason: 'table', details });
}
