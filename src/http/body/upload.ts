/** Streams the body of a request to a file, as fast as the disk takes it. */
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { BodySink, RequestBody } from './request-body.ts';

/** Bytes that wait for the disk before the client must wait too. */
const waitingBytesMax = 1024 * 1024;

/**
 * Writes `body` to a new file at `path`, which only this user may read, and resolves to its bytes. Rejects as
 * `RequestBody.read` does, and with the error of the file system; then there is no file.
 */
export async function saveBody(body: RequestBody | undefined, path: string): Promise<number> {
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
    else await Promise.race([body.passTo(sinkOf(file)), isWritten]);
    await isWritten;
    return file.bytesWritten;
  } catch (error) {
    file.destroy();
    await closed(file);
    await rm(path, { force: true });
    throw error;
  }
}

function sinkOf(file: WriteStream): BodySink {
  return {
    write: (chunk) => file.write(chunk),
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
