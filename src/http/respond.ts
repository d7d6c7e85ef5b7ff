/** Sends an answer: the only place that writes to a socket. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import { writeRequestId } from './response-head.ts';
import { headText } from './response-head.ts';

/** Milliseconds that a caller may take to read an answer; then the connection is closed (a stalled reader holds memory). */
export const writeTimeoutMs = 30_000;

/** Bodies up to this size may be copied, by `end`, when it is the connection's last answer and the socket is full. */
const copiedBytesMax = 16_384;

/**
 * Sends `reply` once, unless the caller has gone. HEAD gets the headers of GET. `closes` ends the
 * connection afterwards. The body is read until the last byte is written and never changed; `onSent` is
 * called once, when that is so or when the caller has left before.
 */
export function send(
  response: HttpResponse,
  exchange: Exchange,
  reply: Reply,
  closes: boolean,
  onSent: () => void,
): void {
  if (exchange.isAborted) return onSent();
  let isSent = true;
  if (exchange.outlivesHandler) {
    response.cork(() => {
      isSent = write(response, exchange, reply, closes, onSent);
    });
  } else {
    // The server corks a request for as long as its handler runs.
    isSent = write(response, exchange, reply, closes, onSent);
  }
  if (isSent) onSent();
}

/** Writes head and body. True when all is sent; else `onSent` is called later. */
function write(
  response: HttpResponse,
  exchange: Exchange,
  reply: Reply,
  closes: boolean,
  onSent: () => void,
): boolean {
  const { status, headers, head } = reply;
  if (head === undefined) {
    response.writeStatus(headText(status, headers, exchange.requestId));
  } else {
    // The addon copies it before the next answer writes its id there.
    writeRequestId(exchange.number, head);
    response.writeStatus(head.buffer);
  }
  return sendBody(response, exchange, reply, closes, onSent);
}

/** True when all is sent; else `onSent` is called later. */
function sendBody(
  response: HttpResponse,
  exchange: Exchange,
  reply: Reply,
  closes: boolean,
  onSent: () => void,
): boolean {
  const { body } = reply;
  if (body === undefined) {
    // 204 and 304 end with their head (RFC 9112, 6.3); every other answer goes on until its length or the close.
    if (reply.status !== 204 && reply.status !== 304) response.writeHeader('Content-Length', '0');
    endWithoutBody(response, closes);
  } else if (exchange.isHead) {
    sendHead(response, reply, Buffer.byteLength(body), closes);
  } else if (closes && body.length <= copiedBytesMax) {
    response.end(body, true);
  } else {
    // `tryEnd` cannot close: the caller is asked to, and the end of the service does it anyway.
    if (closes) response.writeHeader('Connection', 'close');
    return sendUncopied(response, exchange, body, onSent);
  }
  return true;
}

function sendHead(response: HttpResponse, reply: Reply, bodyBytes: number, closes: boolean): void {
  // Only `end` closes the socket. After an error it must be closed (a smuggled request may stand behind
  // it), so the error's length is given up for the close.
  if (closes && reply.status >= 400) {
    response.end(undefined, true);
    return;
  }
  response.writeHeader('Content-Length', String(bodyBytes));
  endWithoutBody(response, closes);
}

/**
 * Ends an answer that has no body. The addon's `endWithoutBody` must be called without arguments: with
 * any, uWebSockets.js 20 never finishes the answer, and the next request on the connection kills it.
 */
function endWithoutBody(response: HttpResponse, closes: boolean): void {
  if (closes) response.writeHeader('Connection', 'close');
  response.endWithoutBody();
}

/**
 * Sends a body as the socket takes it, without a copy: `end` would keep what a caller does not read, and one that
 * sends thousands of requests at a time would have thousands of bodies kept. An answer that waits for its reader is
 * open still, so that the addon closes the connection when another request stands behind it.
 */
function sendUncopied(
  response: HttpResponse,
  exchange: Exchange,
  body: Uint8Array | string,
  onSent: () => void,
): boolean {
  const [, isDone] = response.tryEnd(body, Buffer.byteLength(body));
  if (isDone) return true;
  sendRest(response, exchange, typeof body === 'string' ? Buffer.from(body) : body, onSent);
  return false;
}

function sendRest(
  response: HttpResponse,
  exchange: Exchange,
  body: Uint8Array,
  onSent: () => void,
): void {
  exchange.outliveHandler(response);
  const timer = setTimeout(() => response.close(), writeTimeoutMs);
  timer.unref();
  const finish = (): void => {
    clearTimeout(timer);
    exchange.onAborted = undefined;
    onSent();
  };
  exchange.onAborted = finish;
  response.onWritable((offset) => {
    const [isTaken, isFinished] = response.tryEnd(body.subarray(offset), body.byteLength);
    if (isFinished) finish();
    return isTaken;
  });
}
