/** Imports an uploaded list into the file of its campaign, completely or not at all. */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unreadable } from '../../lists/list.ts';
import type { ListBatch, ListOptions } from '../../lists/list.ts';
import { openList } from '../../lists/open-list.ts';
import { withoutProblemColumns } from '../../lists/problem-columns.ts';
import { createCampaignList } from '../../store/campaigns/campaign-list.ts';
import type { StoredRow } from '../../store/campaigns/campaign-list.ts';
import { badRowCode } from '../../store/campaigns/problem-rows.ts';
import type { RowProblem } from '../../store/campaigns/problem-rows.ts';
import { openForOneTurn } from '../../store/campaigns/read-list.ts';
import type { StorageSpace } from '../../../store/database/storage-quota.ts';
import type { ListFacts } from '../campaign.ts';
import { ColumnReadings } from './column-readings.ts';
import { findRecipientColumn, recipientDigest, recipientOf } from './recipient.ts';

/** An imported list. */
export interface ImportedList {
  facts: ListFacts;
  /** Rows with a value, good or bad. */
  rowCount: number;
  badRowCount: number;
  /** Bytes of the list as it was sent. */
  bytes: number;
  /** Bytes of the campaign's file. */
  fileBytes: number;
  /** The first good rows, for a person to check the columns. */
  firstRows: string[][];
}

const firstRowsMax = 5;

/** Upper bound of the shown part of a cell, in UTF-16 units. */
const firstCellUnitsMax = 200;

/** Rows that are read to find the first good rows: bad ones may precede them. */
const firstRowsRead = 50;

/** The paths of a campaign's files. */
export function campaignPaths(
  campaignsFolder: string,
  id: string,
): {
  folder: string;
  list: string;
  images: string;
  sheet: string;
  links: string;
  files: string;
  warm: string;
} {
  const folder = join(campaignsFolder, id);
  return {
    folder,
    list: join(folder, 'list.db'),
    images: join(folder, 'images'),
    sheet: join(folder, 'sheet.png'),
    links: join(folder, 'links.csv'),
    files: join(folder, 'files'),
    warm: join(folder, 'warm'),
  };
}

/** An upload that becomes the list of the campaign `id`. */
export interface ListUpload {
  id: string;
  path: string;
  options: ListOptions;
  space: StorageSpace;
}

/** Imports a list. Throws an `AppError` for an unreadable list and a `QuotaError`; no campaign folder remains then. */
export async function importList(
  campaignsFolder: string,
  { id, path, options, space }: ListUpload,
): Promise<ImportedList> {
  const paths = campaignPaths(campaignsFolder, id);
  const list = withoutProblemColumns(await openList(path, options));
  const { format, columns, headerRow, headerProblems, encodingDoubt, bytes } = list;
  const recipientColumn = findRecipientColumn(columns);
  const facts: ListFacts = {
    format,
    columns,
    headerRow,
    headerProblems,
    ...(encodingDoubt === undefined ? {} : { encodingDoubt }),
    ...(recipientColumn === undefined ? {} : { recipientColumn }),
  };
  mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
  const writer = createCampaignList(paths.list, space);
  const readings = new ColumnReadings(columns.length);
  const imported: ImportedList = {
    facts,
    rowCount: 0,
    badRowCount: 0,
    bytes,
    fileBytes: 0,
    firstRows: [],
  };
  try {
    for await (const batch of list.batches()) {
      writer.add(rowsOf(facts, batch), problemsOf(batch));
      for (const { values } of batch.rows) readings.add(values);
      imported.rowCount += batch.rows.length + batch.problems.length;
      imported.badRowCount += batch.problems.length;
      const missing = firstRowsMax - imported.firstRows.length;
      if (missing > 0)
        imported.firstRows.push(...batch.rows.slice(0, missing).map(({ values }) => cut(values)));
    }
    if (imported.rowCount === 0) {
      throw unreadable('The list has no rows. Expected a row for each contact after the header.');
    }
    writer.finish();
    facts.decimals = readings.decimals(list.numberColumns ?? []);
    facts.dateOrders = readings.orders();
    return { ...imported, fileBytes: statSync(paths.list).size };
  } catch (error) {
    writer.abandon();
    rmSync(paths.folder, { recursive: true, force: true });
    throw error;
  }
}

/** Reads the first good rows of a stored list; none if its file is missing. */
export function readFirstRows(campaignsFolder: string, id: string): string[][] {
  const { list: path } = campaignPaths(campaignsFolder, id);
  if (!existsSync(path)) return [];
  const list = openForOneTurn(path);
  try {
    const rows: string[][] = [];
    let last = 0;
    // Reads one row at a time, because a row may have hundreds of kilobytes.
    for (let read = 0; read < firstRowsRead && rows.length < firstRowsMax; read += 1) {
      const [next] = list.rowsAfter(last, 1);
      if (next === undefined) break;
      last = next.row;
      if (next.cellsJson !== null) rows.push(cut(JSON.parse(next.cellsJson) as string[]));
    }
    return rows;
  } finally {
    list.close();
  }
}

/** Shortens the cells of a row for display. */
function cut(cells: readonly string[]): string[] {
  return cells.map((cell) => cell.slice(0, firstCellUnitsMax));
}

function rowsOf(facts: ListFacts, { rows, problems }: ListBatch): StoredRow[] {
  const good = rows.map(({ row, line, values }): StoredRow => {
    const digest = recipientDigest(recipientOf(facts, values));
    return { row, line, cellsJson: JSON.stringify(values), digest };
  });
  return [
    ...good,
    ...problems.map(({ row, line }) => ({ row, line, cellsJson: null, digest: null })),
  ];
}

function problemsOf({ problems }: ListBatch): RowProblem[] {
  return problems.map(({ row, line, column = null, message }) => ({
    row,
    code: badRowCode,
    variable: column,
    message: `line ${line}: ${message}`,
    needsYou: 1,
  }));
}
