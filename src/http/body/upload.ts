/** Streams the body of a request to a file, as fast as the disk takes it. */
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { toStoreError } from '../../store/database/store-error.ts';
import type { BodySink, RequestBody } from './request-body.ts';

/** Bytes that wait for the disk before the client must wait too. */
const waitingBytesMax = 1024 * 1024;

/** A body in a file. */
export interface Upload {
  bytes: number;
  sha256: Buffer;
}

/**
 * Writes `body` to a new file at `path`, which only this user may read. Rejects as `RequestBody.read` does, and with a
 * `StoreError` of the file system; then there is no file.
 */
export async function saveBody(body: RequestBody | undefined, path: string): Promise<Upload> {
  const digest = createHash('sha256');
  const file = createWriteStream(path, {
    flags: 'wx',
    mode: 0o600,
    highWaterMark: waitingBytesMax,
  });
  const isWritten = ended(file);
  // A failure is reported where it is awaited.
  isWritten.catch(() => undefined);
  try {
    if (body === undefined) file.end();
    else await Promise.race([body.passTo(sinkOf(file, digest)), isWritten]);
    await isWritten;
    return { bytes: file.bytesWritten, sha256: digest.digest() };
  } catch (error) {
    file.destroy();
    await closed(file);
    await rm(path, { force: true });
    throw toStoreError('Storing the body of a request', error);
  }
}

function sinkOf(file: WriteStream, digest: Hash): BodySink {
  return {
    write(chunk) {
      digest.update(chunk);
      return file.write(chunk);
    },
    onceDrained: (resume) => file.once('drain', resume),
    end: () => file.end(),
  };
}

/** Resolves when all is written and closed; rejects with the error of the file system. */
function ended(file: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    file.once('close', resolve);
    file.once('error', reject);
  });
}

function closed(file: WriteStream): Promise<void> {
  return file.closed ? Promise.resolve() : new Promise((resolve) => file.once('close', resolve));
}
