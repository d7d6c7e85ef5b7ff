import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import type { Handler, Route } from '../../src/http/server.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { postRoute, route, serveRoutes } from '../fixtures/api-server.ts';

const mebibyte = 1024 * 1024;
/** More than the buffers of a socket and of a file. */
const large = randomBytes(24 * mebibyte);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The routes of an upload to `/up`. */
const uploadRoutes = (post: Handler): Route[] => [postRoute('/up', post, 32 * mebibyte)];

t.test('an upload goes to a file, whole or not at all', async (t) => {
  const folder = t.testdir();
  let count = 0;
  const failures: unknown[] = [];
  const save: Handler = async (exchange) => {
    count += 1;
    try {
      const file = `${count}.bin`;
      const { bytes, sha256: digest } = await exchange.saveBody(join(folder, file));
      return jsonReply(201, { bytes, file, digest: digest.toString('hex') });
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const base = await serveRoutes(t, uploadRoutes(save));

  const whole = await fetch(`${base}/up`, { method: 'POST', body: large });
  t.equal(whole.status, 201);
  t.same(await whole.json(), { bytes: large.length, file: '1.bin', digest: sha256(large) });
  t.equal(sha256(readFileSync(join(folder, '1.bin'))), sha256(large));

  const empty = await fetch(`${base}/up`, { method: 'POST' });
  t.match(await empty.json(), { bytes: 0, file: '2.bin' });

  // Without a length, the size is known when it is too much.
  const body = new ReadableStream({
    start(controller) {
      for (let index = 0; index < 3; index += 1)
        controller.enqueue(large.subarray(0, 12 * mebibyte));
      controller.close();
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  t.equal((await fetch(`${base}/up`, init)).status, 413);

  const { port } = new URL(base);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nsome');
  await once(socket, 'connect');
  socket.end();
  socket.resume();
  await once(socket, 'close');
  while (failures.length < 2) await new Promise((resolve) => setImmediate(resolve));
  t.match(failures, [{ code: 'PAYLOAD_TOO_LARGE' }, { code: 'BAD_REQUEST' }]);
  t.same(readdirSync(folder).toSorted(), ['1.bin', '2.bin'], 'no file of a failed upload');
});

t.test('a handler lowers the bound of a body, and refuses more from its head', async (t) => {
  const folder = t.testdir();
  const { promise: refused, resolve } = Promise.withResolvers<unknown>();
  const tooLarge = new AppError('PAYLOAD_TOO_LARGE', 'Nothing fits.', { reason: 'quota' });
  const save: Handler = async (exchange) => {
    const saved = exchange.saveBody(join(folder, 'file'), { bytesMax: 1000, tooLarge });
    saved.catch(resolve);
    return jsonReply(201, { bytes: (await saved).bytes });
  };
  const base = await serveRoutes(t, uploadRoutes(save));
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write('POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n');
  t.equal(await refused, tooLarge, 'before a byte of it has arrived');
  socket.destroy();

  const upload = async (body: RequestInit['body']): Promise<Response> =>
    fetch(`${base}/up`, { method: 'POST', body, duplex: 'half' } as RequestInit);
  const chunked = (bytes: number): ReadableStream => new Blob([large.subarray(0, bytes)]).stream();
  t.match(await (await upload(chunked(1001))).json(), { error: 'Nothing fits.' });
  t.same(readdirSync(folder), []);
  t.match(await (await upload(chunked(1000))).json(), { bytes: 1000 });
});

t.test('an upload that the file system refuses is an error', async (t) => {
  const path = join(t.testdir(), 'missing', 'file');
  const save: Handler = async (exchange) => {
    await exchange.saveBody(path);
    return jsonReply(201, {});
  };
  const base = await serveRoutes(t, uploadRoutes(save));
  const answer = await fetch(`${base}/up`, { method: 'POST', body: large });
  t.equal(answer.status, 500);
});

async function* pieces(total: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < total.length; at += pieceBytes) {
    yield total.subarray(at, at + pieceBytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

t.test('a response is sent in chunks, with and without its length', async (t) => {
  const headers = ['Content-Type', 'application/octet-stream'];
  const reply = (bytes?: number): Handler => {
    const sized = bytes === undefined ? {} : { bytes };
    return () => ({
      status: 200,
      headers,
      stream: { ...sized, chunks: pieces(large, 100_000) },
    });
  };
  const base = await serveRoutes(t, [
    route('/sized', reply(large.length)),
    route('/open', reply()),
    route('/short', reply(large.length + 1)),
    route('/broken', () => ({ status: 200, headers, stream: { chunks: broken() } })),
  ]);
  const sized = await fetch(`${base}/sized`);
  t.equal(sized.headers.get('content-length'), String(large.length));
  t.equal(sha256(new Uint8Array(await sized.arrayBuffer())), sha256(large));
  const open = await fetch(`${base}/open`);
  t.equal(open.headers.get('content-length'), null);
  t.equal(sha256(new Uint8Array(await open.arrayBuffer())), sha256(large));
  const head = await fetch(`${base}/sized`, { method: 'HEAD' });
  t.equal(head.headers.get('content-length'), String(large.length));
  await t.rejects(
    fetch(`${base}/short`).then((answer) => answer.arrayBuffer()),
    'too few bytes',
  );
  await t.rejects(
    fetch(`${base}/broken`).then((answer) => answer.arrayBuffer()),
    'a failure',
  );
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('the beginning');
  throw new Error('no more');
}

t.test('a stream ends when its client leaves', async (t) => {
  const ended = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        yield large.subarray(0, 65_536);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      ended.resolve();
    }
  }
  const get: Handler = () => ({ status: 200, headers: [], stream: { chunks: endless() } });
  const base = await serveRoutes(t, [route('/endless', get)]);
  const leaving = new AbortController();
  const answer = await fetch(`${base}/endless`, { signal: leaving.signal });
  const reader = answer.body?.getReader();
  t.ok((await reader?.read())?.value?.length);
  leaving.abort();
  await ended.promise;
  t.pass('the generator is ended');
});
