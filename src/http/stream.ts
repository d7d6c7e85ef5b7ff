/** Sends a body in chunks, one after the other, as fast as the client takes them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpResponse } from 'uWebSockets.js';
import type { Exchange } from './exchange.ts';
import type { BodyStream } from './reply.ts';
import type { UnreadAnswers, UnreadGroup } from './unread-answers.ts';

/** Bytes of a response that are made and sent before other requests get their turn. */
const turnBytesMax = 64 * 1024;

/** How chunks are sent. */
interface Sending {
  /** Of chunks that wait for their client. */
  unread: UnreadAnswers;
  stallMsMax: number;
}

/**
 * Sends `stream` after the head of its response. Never rejects: a failure of the stream closes the connection, so that
 * the client cannot take a part for the whole. So does a client that takes nothing for `stallMsMax`.
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
      // oxlint-disable-next-line no-await-in-loop -- a chunk is made when the one before is sent
      const next = await Promise.race([iterator.next(), aborted]);
      if (next === undefined || !isOpen()) break;
      if (next.done === true) {
        if (bytes === undefined) response.cork(() => response.end());
        // The last byte that the head announces ends the response: there were fewer.
        else response.close();
        return;
      }
      if (next.value.byteLength === 0) continue;
      // oxlint-disable-next-line no-await-in-loop
      const isEnded = await sendChunk(response, next.value, bytes, { ...sending, group }, aborted);
      if (isEnded) break;
      turnBytes += next.value.byteLength;
      if (turnBytes < turnBytesMax) continue;
      turnBytes = 0;
      // oxlint-disable-next-line no-await-in-loop
      await nextTurn();
    }
  } catch {
    if (isOpen()) response.close();
  } finally {
    exchange.onAborted = undefined;
    // A generator that waits never returns, and the response does not wait for it.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Resolves when the socket takes more, or the client is gone; true if the chunk ended the response. */
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
      // The addon keeps what the socket does not take.
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
      // After this call the addon stops to watch the socket, so a next chunk must not be written before it returns.
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
