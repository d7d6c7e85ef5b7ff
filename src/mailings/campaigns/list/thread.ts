/** The program of a thread that imports one list of a campaign. */
import { parentPort, workerData } from 'node:worker_threads';
import { standBack } from '../stand-back.ts';
import { toThreadError } from '../thread-errors.ts';
import { importList } from './import-list.ts';
import type { ListOrder, ListOutcome } from './list-imports.ts';

standBack();
const { campaignsFolder, upload } = workerData as ListOrder;
let outcome: ListOutcome;
try {
  outcome = { imported: await importList(campaignsFolder, upload) };
} catch (error) {
  outcome = { error: toThreadError(error) };
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
parentPort?.postMessage(outcome);
