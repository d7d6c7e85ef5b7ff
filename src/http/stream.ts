/** Sends a body in chunks, one after the other, as fast as the client reads them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpResponse } from 'uWebSockets.js';
import type { Exchange } from './exchange.ts';
import type { BodyStream } from './reply.ts';
import type { UnreadAnswers, UnreadGroup } from './unread-answers.ts';

/** Bytes of a response that are produced and sent in one turn, before other requests are served. */
const turnBytesMax = 64 * 1024;

/** Bounds on chunks that clients do not read. */
interface Sending {
  /** Counts the chunks that wait for their client. */
  unread: UnreadAnswers;
  stallMsMax: number;
}

/**
 * Sends `stream` after the head of its response. Never rejects. A failure of the stream closes the connection, so that
 * the client notices the missing part. A client that reads nothing for `stallMsMax` is disconnected too.
 */
export async function sendStream(
  response: HttpResponse,
  exchange: Exchange,
  { chunks, bytes }: BodyStream,
  sending: Sending,
): Promise<void> {
  exchange.outliveHandler(response);
  // Read while the response is open.
  const group: UnreadGroup = [exchange.organizationUid, exchange.networkOf(response)];
  const iterator = chunks[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => {
    exchange.onAborted = () => resolve(undefined);
  });
  const isOpen = (): boolean => !exchange.isAborted;
  let turnBytes = 0;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next === undefined || !isOpen()) break;
      if (next.done === true) {
        if (bytes === undefined) response.cork(() => response.end());
        // The last announced byte would have ended the response, so the stream had fewer bytes.
        else response.close();
        return;
      }
      if (next.value.byteLength === 0) continue;
      const isEnded = await sendChunk(response, next.value, bytes, { ...sending, group }, aborted);
      if (isEnded) break;
      turnBytes += next.value.byteLength;
      if (turnBytes < turnBytesMax) continue;
      turnBytes = 0;
      await nextTurn();
    }
  } catch {
    if (isOpen()) response.close();
  } finally {
    exchange.onAborted = undefined;
    // The response does not wait for `return`, which a pending generator never completes.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Resolves when the socket accepts more or the client has disconnected; true if the response has ended. */
async function sendChunk(
  response: HttpResponse,
  chunk: Uint8Array,
  bytes: number | undefined,
  { unread, group, stallMsMax }: Sending & { group: UnreadGroup },
  aborted: Promise<undefined>,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let isTaken = true;
  response.cork(() => {
    if (bytes === undefined) {
      // The addon buffers the bytes that the socket does not accept.
      isTaken = response.write(chunk);
      response.onWritable(() => {
        resolve(false);
        return true;
      });
      return;
    }
    const start = response.getWriteOffset();
    const [isWhole, isEnded] = response.tryEnd(chunk, bytes);
    if (isEnded) return resolve(true);
    isTaken = isWhole;
    response.onWritable((offset) => {
      const [isRest, isLast] = response.tryEnd(chunk.subarray(offset - start), bytes);
      // After this callback the addon stops watching the socket, so the next chunk must be written after its return.
      if (isRest || isLast) setImmediate(() => resolve(isLast));
      return isRest;
    });
  });
  if (isTaken && bytes === undefined) return false;
  if (isTaken) resolve(false);
  const timer = setTimeout(() => response.close(), stallMsMax);
  timer.unref();
  unread.add(response, chunk, group);
  try {
    return (await Promise.race([promise, aborted])) ?? true;
  } finally {
    clearTimeout(timer);
    unread.remove(response);
  }
}
