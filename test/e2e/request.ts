/** A plain HTTP client that sends a target exactly as it is written, without the repairs of a browser. */
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Test } from 'tap';
import { errorCodeOf } from '../../src/foundation/errors.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body as UTF-8. */
  text: string;
  /** The body as JSON; throws when it is none. */
  json(): unknown;
}

export interface RequestOptions {
  /** Default: 127.0.0.1. */
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  /** Default: connections are kept and shared; false: one for this request alone. */
  agent?: Agent | false;
  signal?: AbortSignal;
  /** Sent with its length. */
  body?: string | Buffer;
}

const keptConnections = new Agent({ keepAlive: true });

/**
 * Sends a request and reads the whole answer; rejects when the answer is cut off. A request on a kept connection that the
 * service has just closed is sent again, as Node's documentation of `reusedSocket` advises.
 */
export function request(port: number, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { body = '', ...rest } = options;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', agent: keptConnections, ...rest, port, path },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          if (!incoming.complete) return reject(new Error('The answer is cut off.'));
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: bytes,
            text,
            json: () => JSON.parse(text) as unknown,
          });
        });
      },
    );
    outgoing.on('error', (error) => {
      const isClosed = outgoing.reusedSocket && errorCodeOf(error) === 'ECONNRESET';
      if (isClosed) resolve(request(port, path, options));
      else reject(error);
    });
    outgoing.end(body === '' ? undefined : body);
  });
}

/**
 * Sends requests on one connection, each after the answer of the one before has come, and resolves to the
 * answers, as latin1; an empty one where the connection had ended.
 */
export async function converse(port: number, requests: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  let got = '';
  let wake = (): void => undefined;
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1');
    wake();
  });
  for (const event of ['close', 'error', 'timeout']) socket.on(event, () => wake());
  socket.setTimeout(5000, () => socket.destroy());
  const answers: string[] = [];
  for (const each of requests) {
    got = '';
    socket.write(each);
    const isHead = each.startsWith('HEAD ');
    while (!socket.destroyed && !isWhole(got, isHead)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    answers.push(got);
  }
  socket.destroy();
  return answers;
}

function isWhole(got: string, isHead: boolean): boolean {
  const end = got.indexOf('\r\n\r\n');
  if (end === -1) return false;
  if (isHead || got.startsWith('HTTP/1.1 304')) return true;
  const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0);
  return got.length >= end + 4 + length;
}

/** Checks an error of the render endpoint in the specification's shape, and returns its message. */
export function checkError(t: Test, answer: Answer, status: number, code: string): string {
  const isJson = /json/.test(answer.headers['content-type'] ?? '');
  t.equal(answer.status, status, isJson ? answer.text.slice(0, 300) : 'an error');
  if (!isJson) return '';
  t.match(answer.headers['content-type'], /^application\/json\b/);
  t.equal(answer.headers['cache-control'], 'no-store');
  const { error } = answer.json() as { error: Record<string, string> };
  t.equal(error['code'], code);
  t.match(error['requestId'], /^req_[A-Za-z0-9]+$/);
  t.equal(error['requestId'], answer.headers['x-request-id'], 'body and header name one request');
  t.equal(typeof error['message'], 'string');
  t.equal(answer.headers.etag, undefined);
  return error['message'] ?? '';
}
