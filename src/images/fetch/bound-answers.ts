/** Bounds those parts of an HTTP answer that the reader of its body does not see: interim answers, chunks and bytes. */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { ImageError } from '../image-error.ts';

/** Interim answers (RFC 9110 section 15.2) before an answer, at most. Servers send a few early hints, if any. */
const interimAnswersMax = 8;

/** Chunks of any size in a body. Each takes 1 µs of CPU time, which a byte of a large chunk does not. */
const chunksFree = 4096;
/** Mean size in bytes of the chunks beyond `chunksFree`, at least. Packets have 1,200 bytes and more. */
const chunkBytesMin = 64;

/** Bounds the answers to the requests of a dispatcher; a composed interceptor of undici. */
export function boundAnswers(
  dispatch: Dispatcher['dispatch'],
): (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => boolean {
  return (options, handler) => dispatch(options, boundHandler(handler));
}

/** Errors that a handler throws abort its request. */
function boundHandler(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  let [interimAnswers, chunks, bytes] = [0, 0, 0];
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(controller, status, headers, text) {
      interimAnswers += status < 200 ? 1 : 0;
      if (interimAnswers > interimAnswersMax)
        throw unfetched(`sends more than ${interimAnswersMax} interim answers`);
      handler.onResponseStart?.(controller, status, headers, text);
    },
    onResponseData(controller, chunk) {
      chunks += 1;
      bytes += chunk.byteLength;
      if (chunks > chunksFree + bytes / chunkBytesMin)
        throw unfetched(`sends it in chunks of fewer than ${chunkBytesMin} bytes`);
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}

/**
 * Destroys a socket when more than `bytesMax` bytes have been read since its last request was written. The HTTP parser
 * reports no reason phrase, no space around a header, no extension of a chunk and no empty line, however long.
 */
export function boundReceivedBytes(socket: Socket, bytesMax: number): void {
  let { bytesRead, bytesWritten } = socket;
  let bytesBefore = bytesRead;
  // Added before the listener of the HTTP client, so that it sees each piece before it is parsed.
  socket.on('readable', () => {
    if (socket.bytesWritten > bytesWritten) bytesBefore = bytesRead;
    ({ bytesRead, bytesWritten } = socket);
    if (bytesRead - bytesBefore <= bytesMax) return;
    socket.destroy(unfetched(`sends more than ${bytesMax.toLocaleString('en-US')} bytes`));
  });
}

function unfetched(fault: string): ImageError {
  return new ImageError('network', `could not be fetched: its server ${fault}`);
}
