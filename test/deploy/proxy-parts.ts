/** What a proxy in front of the HTTP server spares it, and what it must not change. */
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Test } from 'tap';
import { jsonReply } from '../../src/http/reply.ts';
import type { Handler, Route, Server } from '../../src/http/server.ts';
import { eventually } from '../e2e/service.ts';
import { route, startServer } from '../fixtures/api-server.ts';
import { requestsMax } from './start-proxies.ts';

/** A server that says what it was asked, and how often. */
export interface Upstream {
  server: Server;
  port: number;
  asked: string[];
  /** What `/readyz` answers. */
  isReady: boolean;
  /** Answers the requests of `/held` that have arrived. */
  release: () => void;
}

/** What a client sends, and the answer as text. */
type Send = (pieces: readonly string[]) => Promise<string>;

const large = Buffer.alloc(6_000_000, 'x');

/** A server of this process that answers without Platen's parts. */
export async function startUpstream(t: Test): Promise<Upstream> {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  /** A route that notes what it was asked. */
  const noted = (path: string, answer: Handler): Route =>
    route(path, (exchange) => {
      asked.push(exchange.url);
      return answer(exchange);
    });
  const echo = noted('/v1/render/:uid', ({ url, forwardedFor }) => ({
    ...jsonReply(200, { length: url.length, forwardedFor }),
    headers: ['Cache-Control', 'public, max-age=300'],
  }));
  const routes: Route[] = [
    {
      ...echo,
      bodyBytesMax: 1000,
      post: () => {
        asked.push('POST');
        return jsonReply(503, {}, { 'Retry-After': '7' });
      },
    },
    route('/readyz', () => jsonReply(upstream.isReady ? 200 : 503, {})),
    noted('/v1/templates', () => jsonReply(200, {})),
    noted('/large', () => ({ status: 200, headers: [], body: large })),
    noted('/held', () => {
      return new Promise((resolve) => held.push(() => resolve(jsonReply(200, {}))));
    }),
  ];
  const { server, port } = await startServer(t, routes, { trustedProxies: ['127.0.0.1'] });
  const upstream: Upstream = {
    server,
    port,
    asked,
    isReady: true,
    release: () => {
      for (const answer of held.splice(0)) answer();
    },
  };
  return upstream;
}

/** Long enough for a server of this process to read what has arrived. */
async function turns(): Promise<void> {
  for (let index = 0; index < 20; index += 1) await turn();
}

async function sendPieces(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await turns();
  }
}

/** Sends each piece as a packet of its own, and reads until the connection ends or falls silent. */
export function converse(socket: Socket, pieces: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setNoDelay(true);
    socket.setTimeout(5000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    void sendPieces(socket, pieces);
  });
}

/** The end of a request line. */
const version = ' HTTP/1.1\r\n';

/** A head that asks for the end of its connection. */
export function request(target: string, ...lines: string[]): string {
  const headers = ['Host: images.example.com', 'Connection: close', ...lines];
  return `GET ${target}${version}${headers.join('\r\n')}\r\n\r\n`;
}

/** A request cut after so many bytes of ` HTTP/1.1\r\n`. */
function cut(target: string, bytes: number): string[] {
  const text = request(target);
  const at = text.indexOf(version) + bytes;
  return [text.slice(0, at), text.slice(at)];
}

/** Longer than a packet. */
const longLink = `/v1/render/a?text=${'a'.repeat(1400)}`;
/** Of an answer as text. */
export const statusOf = (text: string): string => text.slice(9, 12);

/** What holds for every proxy. */
export async function checkProxy(
  t: Test,
  send: Send,
  upstream: Upstream,
  { hold, connectionsMax = 4 }: { hold?: () => Socket; connectionsMax?: number } = {},
): Promise<void> {
  const { server, asked } = upstream;
  for (let bytes = 0; bytes <= version.length; bytes += 1) {
    const text = await send(cut(`${longLink}&n=${bytes}`, bytes));
    t.equal(statusOf(text), '200', `cut after ${bytes} bytes of ${JSON.stringify(version)}`);
  }
  const full = `/v1/render/a?text=${'a'.repeat(15_500)}`;
  t.match(await send([request(full)]), `"length":${full.length}`, 'a head of nearly 16 KiB passes');
  t.ok(server.openConnections > 0, 'a connection to the service is kept');
  const count = server.openConnections;
  t.ok(count <= connectionsMax, `${count} connections for 14 requests`);

  asked.length = 0;
  const again = request('/v1/render/a?again', 'X-Forwarded-For: 203.0.113.9');
  const first = await send([again]);
  await send([again]);
  t.match(first, '"forwardedFor":"127.0.0.1"', 'the client is who is connected');
  t.equal(asked.length, 2, 'nothing is kept, although it might be');

  asked.length = 0;
  const post = request('/v1/render/a', 'Content-Length: 2').replace('GET', 'POST');
  const refused = await send([`${post}{}`]);
  t.equal(statusOf(refused), '503');
  t.match(refused, /retry-after: 7/i);
  t.same(asked, ['POST'], 'an answer is never asked for again');

  if (hold === undefined) return;
  const slow = hold();
  t.ok(
    await eventually(() => server.openRequests === 0 && asked.length === 2),
    'the service is free while a reader does not read',
  );
  slow.destroy();
}

/** Whether heads that two parsers could read differently are refused. */
export async function refusesBrokenHeads(t: Test, open: () => Socket): Promise<void> {
  for (const [title, head] of [
    ['two hosts', request('/v1/render/a', 'Host: other.example')],
    ['an empty host', request('/v1/render/a').replace('Host: images.example.com', 'Host:')],
    ['a method in lower case', request('/v1/render/a').replace('GET', 'get')],
    ['an empty length', request('/v1/render/a', 'Content-Length:')],
    ['an empty field name', request('/v1/render/a', ': a')],
  ] as const) {
    // HAProxy passes a method that it does not know on, and Platen refuses it.
    t.match(statusOf(await converse(open(), [head])), /^40[05]$/, title);
  }
}

/** Whether one address has at most `requestsMax` requests in flight. */
export async function boundsRequests(
  t: Test,
  upstream: Upstream,
  open: () => Socket,
): Promise<void> {
  const held = Array.from({ length: requestsMax }, () => converse(open(), [request('/held')]));
  t.ok(await eventually(() => upstream.asked.length === requestsMax));
  t.equal(statusOf(await converse(open(), [request('/held')])), '429');
  t.equal(upstream.asked.length, requestsMax, 'Platen does not see it');
  upstream.release();
  t.same((await Promise.all(held)).map(statusOf), ['200', '200', '200']);
  t.equal(statusOf(await converse(open(), [request('/v1/render/a')])), '200', 'and then the next');
}
