/** Sends a response: the only code that writes to a socket. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Exchange } from './exchange.ts';
import type { BodyStream, Reply } from './reply.ts';
import { sendStream } from './stream.ts';
import { writeRequestId } from './response-head.ts';
import { headText } from './response-head.ts';
import { requireBody } from './unread-answers.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/**
 * Time in which a client must read a response; then the connection is closed, because a stalled client holds memory.
 */
export const writeTimeoutMs = 30_000;

/**
 * Bodies of up to this size may be copied, by `end`, if they are the last response of a connection whose socket is
 * full.
 */
const copiedBytesMax = 16_384;

/** Parameters of sending one response. */
export interface Sending {
  /** The connection ends. */
  closes: boolean;
  /** Holds the body while the client reads it. */
  unread: UnreadAnswers;
  /** Called once: when the last byte is written, or when the client disconnects before. */
  onSent: () => void;
}

/**
 * Sends `reply` once, unless the client has disconnected. HEAD gets the headers of GET. The body is read until the last
 * byte is written, and never modified.
 */
export function send(
  response: HttpResponse,
  exchange: Exchange,
  reply: Reply,
  sending: Sending,
): void {
  if (exchange.isAborted) return sending.onSent();
  if (reply.body instanceof Uint8Array) requireBody(reply.body);
  let isSent = true;
  if (exchange.outlivesHandler) {
    response.cork(() => {
      isSent = write(response, exchange, reply, sending);
    });
  } else {
    // The server corks a request while its handler runs.
    isSent = write(response, exchange, reply, sending);
  }
  if (isSent) sending.onSent();
}

/** Writes head and body. Returns true if all is sent; otherwise `onSent` is called later. */
function write(
  response: HttpResponse,
  exchange: Exchange,
  reply: Reply,
  sending: Sending,
): boolean {
  const { status, headers, head } = reply;
  if (head === undefined) {
    response.writeStatus(headText(status, headers, exchange.requestId));
  } else {
    // The addon copies the head before the next response writes its id into it.
    writeRequestId(exchange.number, head);
    response.writeStatus(head.buffer);
  }
  return sendBody(response, exchange, reply, sending);
}

/** Returns true if all is sent; otherwise `onSent` is called later. */
function sendBody(
  response: HttpResponse,
  exchange: Exchange,
  reply: Reply,
  sending: Sending,
): boolean {
  const { body, stream } = reply;
  const { closes } = sending;
  if (stream !== undefined) return startStream(response, exchange, stream, sending);
  if (body === undefined) {
    // 204 and 304 end with their head (RFC 9112, 6.3); every other response continues to its length or to the close.
    if (reply.status !== 204 && reply.status !== 304) response.writeHeader('Content-Length', '0');
    endWithoutBody(response, closes);
  } else if (exchange.isHead) {
    sendHead(response, reply, Buffer.byteLength(body), closes);
  } else if (closes && body.length <= copiedBytesMax) {
    response.end(body, true);
  } else {
    // `tryEnd` cannot close the connection: the header asks the client to, and the end of the service closes it anyway.
    if (closes) response.writeHeader('Connection', 'close');
    return sendUncopied(response, exchange, body, sending);
  }
  return true;
}

/** Returns true if all is sent; otherwise `onSent` is called later. */
function startStream(
  response: HttpResponse,
  exchange: Exchange,
  stream: BodyStream,
  { closes, unread, onSent }: Sending,
): boolean {
  if (closes) response.writeHeader('Connection', 'close');
  if (exchange.isHead) {
    if (stream.bytes !== undefined) response.writeHeader('Content-Length', String(stream.bytes));
    response.endWithoutBody();
    return true;
  }
  void sendStream(response, exchange, stream, { unread, stallMsMax: writeTimeoutMs }).then(onSent);
  return false;
}

function sendHead(response: HttpResponse, reply: Reply, bodyBytes: number, closes: boolean): void {
  // Only `end` closes the socket. It must be closed after an error, because a smuggled request may follow, so the error
  // has no length.
  if (closes && reply.status >= 400) {
    response.end(undefined, true);
    return;
  }
  response.writeHeader('Content-Length', String(bodyBytes));
  endWithoutBody(response, closes);
}

/**
 * Ends a response without a body. The addon's `endWithoutBody` must be called without arguments: with any,
 * uWebSockets.js 20 never finishes the response, and the next request on the connection ends it.
 */
function endWithoutBody(response: HttpResponse, closes: boolean): void {
  if (closes) response.writeHeader('Connection', 'close');
  response.endWithoutBody();
}

/**
 * Sends a body as fast as the socket accepts it, without a copy. `end` would copy the unread part: a client that sends
 * thousands of requests at a time would make it keep thousands of bodies. A response that waits for its client is still
 * open, so the addon closes the connection if another request follows.
 */
function sendUncopied(
  response: HttpResponse,
  exchange: Exchange,
  body: Uint8Array | string,
  sending: Sending,
): boolean {
  const [, isDone] = response.tryEnd(body, Buffer.byteLength(body));
  if (isDone) return true;
  sendRest(response, exchange, typeof body === 'string' ? Buffer.from(body) : body, sending);
  return false;
}

function sendRest(
  response: HttpResponse,
  exchange: Exchange,
  body: Uint8Array,
  { unread, onSent }: Sending,
): void {
  exchange.outliveHandler(response);
  const timer = setTimeout(() => response.close(), writeTimeoutMs);
  timer.unref();
  const finish = (): void => {
    clearTimeout(timer);
    exchange.onAborted = undefined;
    unread.remove(response);
    onSent();
  };
  exchange.onAborted = finish;
  unread.add(response, body, [exchange.organizationUid, exchange.networkOf(response)]);
  response.onWritable((offset) => {
    const [isTaken, isFinished] = response.tryEnd(body.subarray(offset), body.byteLength);
    if (isFinished) finish();
    return isTaken;
  });
}
