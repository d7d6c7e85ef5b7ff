/** The proxies of deploy/ in front of the HTTP server: what they spare it, and what they must not change. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { connect as connectPlain } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import t from 'tap';
import type { Test } from 'tap';
import { readAddonVersion } from '../../src/http/native.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import type { Server } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { eventually, freePort } from '../e2e/service.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';

const deploy = join(import.meta.dirname, '../../deploy');

/** A server that says what it was asked, and how often. */
interface Upstream {
  server: Server;
  port: number;
  asked: string[];
  /** Answers the requests of `/held` that have arrived. */
  release: () => void;
}

/** What a client sends, and the answer as text. */
type Send = (pieces: readonly string[]) => Promise<string>;

const large = Buffer.alloc(6_000_000, 'x');

async function startUpstream(t: Test): Promise<Upstream> {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    timeoutMs: 5000,
    trustedProxies: ['127.0.0.1'],
    routes: [
      {
        name: 'echo',
        path: '/v1/render/:uid',
        errorShape: 'render',
        bodyBytesMax: 1000,
        get: ({ url, forwardedFor }) => {
          asked.push(url);
          return {
            ...jsonReply(200, { length: url.length, forwardedFor }),
            headers: ['Cache-Control', 'public, max-age=300'],
          };
        },
        post: () => {
          asked.push('POST');
          return jsonReply(503, {}, { 'Retry-After': '7' });
        },
      },
      {
        name: 'large',
        path: '/large',
        errorShape: 'render',
        get: ({ url }) => {
          asked.push(url);
          return { status: 200, headers: [], body: large };
        },
      },
      {
        name: 'held',
        path: '/held',
        errorShape: 'render',
        get: ({ url }) => {
          asked.push(url);
          return new Promise((resolve) => held.push(() => resolve(jsonReply(200, {}))));
        },
      },
    ],
    onRequest: () => undefined,
    log: createLog(() => undefined),
  });
  const port = await server.listen();
  t.teardown(() => server.close());
  const release = (): void => {
    for (const answer of held.splice(0)) answer();
  };
  return { server, port, asked, release };
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
function converse(socket: Socket, pieces: readonly string[]): Promise<string> {
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

const version = ' HTTP/1.1\r\n';

function request(target: string, ...lines: string[]): string {
  const headers = ['Host: images.example.com', 'Connection: close', ...lines];
  return `GET ${target}${version}${headers.join('\r\n')}\r\n\r\n`;
}

/** A request cut after so many bytes of ` HTTP/1.1\r\n`. */
function cut(target: string, bytes: number): string[] {
  const text = request(target);
  const at = text.indexOf(version) + bytes;
  return [text.slice(0, at), text.slice(at)];
}

const longLink = `/v1/render/a?text=${'a'.repeat(1400)}`;
const statusOf = (text: string): string => text.slice(9, 12);

/** What holds for every proxy. */
async function checkProxy(
  t: Test,
  send: Send,
  upstream: Upstream,
  hold?: () => Socket,
): Promise<void> {
  const { server, asked } = upstream;
  for (let bytes = 0; bytes <= version.length; bytes += 1) {
    const text = await send(cut(`${longLink}&n=${bytes}`, bytes));
    t.equal(statusOf(text), '200', `cut after ${bytes} bytes of ${JSON.stringify(version)}`);
  }
  const full = `/v1/render/a?text=${'a'.repeat(15_500)}`;
  t.match(await send([request(full)]), `"length":${full.length}`, 'a head of nearly 16 KiB passes');
  t.ok(server.openConnections > 0, 'a connection to the service is kept');
  t.ok(server.openConnections <= 4, `${server.openConnections} connections for 14 requests`);

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

t.test('without a proxy some cuts are refused, where the build is one of those', async (t) => {
  const { known } = readAddonVersion();
  const { port } = await startUpstream(t);
  const statuses: string[] = [];
  for (let bytes = 0; bytes <= version.length; bytes += 1) {
    const socket = connectPlain(port, '127.0.0.1');
    statuses.push(statusOf(await converse(socket, cut(longLink, bytes))));
  }
  if (known?.refusesCutLines === true) t.ok(statuses.includes('505'), statuses.join(' '));
  else t.notOk(statuses.includes('505'), statuses.join(' '));
});

const needs = (program: string, flag: string): { skip?: string } =>
  spawnSync(program, [flag]).status === 0 ? {} : { skip: `${program} is not installed` };

/** Starts a proxy that is ended with the test, and waits until its port answers. */
async function startProxy(
  t: Test,
  port: number,
  program: string,
  args: string[],
  home: string,
): Promise<void> {
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let reported = '';
  child.stderr.on('data', (chunk: Buffer) => (reported += chunk.toString()));
  t.teardown(() => void child.kill('SIGTERM'));
  const answers = await eventually(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connectPlain(port, '127.0.0.1');
        socket.on('error', () => resolve(false));
        socket.on('connect', () => {
          socket.destroy();
          resolve(true);
        });
      }),
  );
  if (!answers) throw new Error(`${program} does not listen: ${reported}`);
}

/** Requests of one address at a time in this test; deploy/nginx.conf allows more than a test should open. */
const requestsMax = 3;

/** Starts nginx with the file of deploy/; resolves to a function that connects to it. */
async function startNginx(t: Test, upstream: Upstream): Promise<() => Socket> {
  const folder = t.testdir();
  const port = await freePort();
  const { key, cert } = makeCertificate(['images.example.com']);
  writeFileSync(join(folder, 'privkey.pem'), key);
  writeFileSync(join(folder, 'fullchain.pem'), cert);
  const settings = readFileSync(join(deploy, 'nginx.conf'), 'utf8')
    .replaceAll('/etc/letsencrypt/live/images.example.com', folder)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/(limit_conn platen_clients) \d+;/, `$1 ${requestsMax};`)
    .replace('127.0.0.1:3000', `127.0.0.1:${upstream.port}`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const path = join(folder, 'nginx.conf');
  writeFileSync(
    path,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${folders.join(' ')}\n${settings}\n}`,
  );
  const args = ['-e', 'stderr', '-p', folder, '-c', path];
  const checked = spawnSync('nginx', ['-t', ...args], { encoding: 'utf8' });
  t.notMatch(checked.stderr, /\[(warn|emerg)\]/);
  await startProxy(t, port, 'nginx', args, folder);
  return () => connectTls({ port, host: '127.0.0.1', servername: 'images.example.com', ca: cert });
}

t.test('nginx', needs('nginx', '-v'), async (t) => {
  const upstream = await startUpstream(t);
  const open = await startNginx(t, upstream);
  const hold = (): Socket => {
    const socket = open();
    socket.on('error', () => undefined);
    socket.write(request('/large'));
    socket.pause();
    return socket;
  };
  await checkProxy(t, (pieces) => converse(open(), pieces), upstream, hold);
  for (const [title, head] of [
    ['two hosts', request('/v1/render/a', 'Host: other.example')],
    ['an empty host', request('/v1/render/a').replace('Host: images.example.com', 'Host:')],
    ['a method in lower case', request('/v1/render/a').replace('GET', 'get')],
    ['an empty length', request('/v1/render/a', 'Content-Length:')],
    ['an empty field name', request('/v1/render/a', ': a')],
  ] as const) {
    t.equal(statusOf(await converse(open(), [head])), '400', title);
  }
});

t.test('nginx bounds the requests of one address at a time', needs('nginx', '-v'), async (t) => {
  const upstream = await startUpstream(t);
  const open = await startNginx(t, upstream);
  const held = Array.from({ length: requestsMax }, () => converse(open(), [request('/held')]));
  t.ok(await eventually(() => upstream.asked.length === requestsMax));
  t.equal(statusOf(await converse(open(), [request('/held')])), '429');
  t.equal(upstream.asked.length, requestsMax, 'Platen does not see it');
  upstream.release();
  t.same((await Promise.all(held)).map(statusOf), ['200', '200', '200']);
  t.equal(statusOf(await converse(open(), [request('/v1/render/a')])), '200', 'and then the next');
});

t.test('Caddy', needs('caddy', 'version'), async (t) => {
  const upstream = await startUpstream(t);
  const folder = t.testdir();
  const port = await freePort();
  const path = join(folder, 'Caddyfile');
  const settings = readFileSync(join(deploy, 'Caddyfile'), 'utf8')
    // Certificates come from the network.
    .replace(
      /^images\.example\.com/m,
      `http://127.0.0.1:${port}, http://images.example.com:${port}`,
    )
    .replace('127.0.0.1:3000', `127.0.0.1:${upstream.port}`)
    .replace(/^\{/m, '{\n\tadmin off');
  writeFileSync(path, settings);
  await startProxy(t, port, 'caddy', ['run', '--adapter', 'caddyfile', '--config', path], folder);
  const open = (): Socket => connectPlain(port, '127.0.0.1');
  // It streams: what a slow reader leaves is bounded by the service itself.
  await checkProxy(t, (pieces) => converse(open(), pieces), upstream);
});
