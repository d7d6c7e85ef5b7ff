/** The thread that writes data tables. It runs one job at a time and sends one message for each. */
import { parentPort } from 'node:worker_threads';
import { deleteRow, mergeRows, upsertRows } from '../store/tables/change-rows.ts';
import { applyRows, fillRows, readRowPart, readRowPosition } from '../store/tables/copied-rows.ts';
import { findEqualKeys } from '../store/tables/equal-keys.ts';
import { importTable } from './import-table.ts';
import { toOutcome } from './jobs.ts';
import type { TableJob, TableOutcome, TableResults } from './jobs.ts';
import { tableLimits } from './table-limits.ts';

function run(job: TableJob): TableResults[TableJob['kind']] | Promise<TableResults['import']> {
  switch (job.kind) {
    case 'import':
      return importTable(job);
    case 'upsert':
      return upsertRows(job.path, job.columns, job.changes, tableLimits);
    case 'deleteRow':
      return deleteRow(job.path, job.key);
    case 'readPart':
      return readRowPart(job.path, job.after, job.charactersMax);
    case 'merge':
      return mergeRows(job.text, job.columns, job.changes, job.figures, tableLimits);
    case 'positions':
      return job.paths.map(readRowPosition);
    case 'fill':
      return fillRows(job.path, job.draftPath, job.textPath, job.position);
    case 'equalKeys':
      return findEqualKeys(job.path);
    case 'apply':
      break;
  }
  return applyRows(job.path, job.from, job.to, job.changes, job.figures);
}

async function answer(job: TableJob): Promise<void> {
  let outcome: TableOutcome;
  try {
    outcome = { ok: true, result: await run(job) };
  } catch (error) {
    outcome = toOutcome(error);
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
  parentPort?.postMessage(outcome);
}

parentPort?.on('message', (job: TableJob) => void answer(job));
