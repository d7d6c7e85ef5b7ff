/** Sends orders to the thread of large files, one at a time, organizations in turn. */
import { Worker } from 'node:worker_threads';
import { programPath } from '#paths.ts';
import type { SourceImage } from '#wire/render-job.ts';
import { FairTurns } from '../../foundation/fair-turns.ts';
import { StoreError } from '../database/store-error.ts';
import type { StoreErrorCode } from '../database/store-error.ts';
import type { CopyOutcome, FontCopy } from './font-copies.ts';

/** Writes a copy of a font unless it is there and sound. */
export interface CopyOrder extends FontCopy {
  kind: 'font';
  databasePath: string;
  bytesMax: number;
  /** The font, if the database does not have it. */
  bytes: Uint8Array | undefined;
}

/** Reads an asset as an image for renders. */
export interface AssetOrder {
  kind: 'asset';
  databasePath: string;
  /** Of a node of a shared database: where files are that the database does not have. */
  diskDirectory: string | undefined;
  organizationUid: string;
  digest: string;
}

export type FileOrder = CopyOrder | AssetOrder;

export interface FileResults {
  font: CopyOutcome;
  asset: SourceImage | undefined;
}

export type FileAnswer =
  | { ok: true; result: FileResults[FileOrder['kind']] }
  | { ok: false; code: StoreErrorCode; message: string };

const turns = new FairTurns(1);
let thread: Worker | undefined;

/** Resolves with the result of an order. The first one starts the thread. Rejects with a `StoreError`. */
export async function askFiles<Order extends FileOrder>(
  order: Order,
): Promise<FileResults[Order['kind']]> {
  const answer = await turns.run(order.organizationUid, () => send(order));
  if (!answer.ok) throw new StoreError(answer.code, answer.message);
  return answer.result as FileResults[Order['kind']];
}

function send(order: FileOrder): Promise<FileAnswer> {
  const worker = (thread ??= new Worker(programPath('files')));
  worker.ref();
  const { promise, resolve, reject } = Promise.withResolvers<FileAnswer>();
  const onEnd = (): void => {
    thread = undefined;
    reject(new StoreError('BUSY', 'The thread that reads files has ended; try again.'));
  };
  worker.once('message', resolve).once('error', onEnd).once('exit', onEnd);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
  worker.postMessage(order);
  return promise.finally(() => {
    worker.off('message', resolve).off('error', onEnd).off('exit', onEnd);
    // An idle thread does not keep the process alive.
    worker.unref();
  });
}
