/** The thread that writes data tables: does one job at a time, and sends one message for each. */
import { parentPort } from 'node:worker_threads';
import { deleteRow, upsertRows } from '../store/tables/row-file.ts';
import { importTable } from './import-table.ts';
import { toOutcome } from './jobs.ts';
import type { TableJob, TableOutcome, TableResults } from './jobs.ts';
import { tableLimits } from './table-limits.ts';

function run(job: TableJob): TableResults[TableJob['kind']] | Promise<TableResults['import']> {
  if (job.kind === 'import') return importTable(job);
  if (job.kind === 'upsert') return upsertRows(job.path, job.columns, job.changes, tableLimits);
  return deleteRow(job.path, job.key);
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
