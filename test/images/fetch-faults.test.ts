/** Origins that stall, drip, lie about lengths or break off: each costs at most its limit and ends as an error. */
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { bytesOf, pngOf } from '../fixtures/images-files.ts';
import { loadFrom, startLoader, settled } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler } from '../fixtures/images-origin.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const html = '<!doctype html><title>Sign in</title>';

/** Writes a block for as long as anybody reads. */
const endless =
  (block: Buffer | string, onBlock: () => void = () => undefined): Handler =>
  (_request, response) => {
    const pump = (): void => {
      do onBlock();
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', pump);
    pump();
  };

t.test('a stalled origin costs its time for the first byte and no more', async (t) => {
  const times = { firstByteTimeoutMs: 60, totalTimeoutMs: 5000 };
  const { fail, url } = await loadFrom(t, { '/stall': () => undefined }, times);
  const message = 'could not be reached within 0.06 s';
  t.match(await fail(url('/stall')), { reason: 'timeout', message });
});

t.test('an origin that accepts no connection costs the time for connecting', async (t) => {
  const origin = await startOrigin({});
  // TEST-NET-1 leads nowhere: the packet is dropped, or refused at once where there is no route.
  const { fail } = startLoader(t, [origin], {
    allowedAddresses: ['192.0.2.1'],
    connectTimeoutMs: 60,
  });
  const error = await fail(`http://192.0.2.1:${origin.port}/`);
  t.ok(['timeout', 'network'].includes(error.reason));
  t.match(error.message, /^could not be reached/);
});

t.test('a slow body after a quick head has the total time', async (t) => {
  const slow: Handler = (_request, response) => {
    response.write(png.subarray(0, 20));
    setTimeout(() => response.end(png.subarray(20)), 700);
  };
  const { load, url } = await loadFrom(t, { '/slow': slow }, { firstByteTimeoutMs: 500 });
  t.equal((await load(url('/slow'))).image.widthPx, 30);
});

t.test('a dripping origin is cut off by the total time', async (t) => {
  const drip: Handler = (_request, response) => {
    let sent = 0;
    const timer = setInterval(() => response.write(png.subarray(sent, ++sent)), 5);
    response.on('close', () => clearInterval(timer));
  };
  const { fail, url } = await loadFrom(t, { '/drip': drip }, { totalTimeoutMs: 80 });
  const message = 'did not arrive within 0.08 s';
  t.match(await fail(url('/drip')), { reason: 'timeout', message });
});

t.test('a refused connection is reported as such', async (t) => {
  const { fail, origin, url } = await loadFrom(t, {});
  await origin.close();
  origin.close = () => Promise.resolve();
  const message = 'could not be reached: its server refuses connections';
  t.match(await fail(url('/')), { reason: 'network', message });
});

/** An answer with a header, and the beginning or all of its body. */
const answerOf = (header: string, body: string | Buffer): Buffer =>
  bytesOf(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`, body);

/** So many interim answers before a whole answer. */
const hinted = (count: number): string | Buffer =>
  bytesOf('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(count), whole);

const half = answerOf('Content-Length: 4000', png);
const whole = answerOf(`Content-Length: ${png.byteLength}`, png);
const rawAnswers: [title: string, answer: string | Buffer, message: RegExp][] = [
  ['closes without a word', '', /ended early/],
  ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', /does not answer in HTTP/],
  ['sends less than it announces', half, /ended early/],
  [
    'ends in the middle of a chunk',
    answerOf('Transfer-Encoding: chunked', bytesOf('fff\r\n', png)),
    /ended early/,
  ],
  [
    'sends a chunk of no length',
    answerOf('Transfer-Encoding: chunked', 'xyz\r\n'),
    /does not answer in HTTP/,
  ],
  ['sends endless headers', answerOf('X-Filler: 0123456789\r\n'.repeat(5000), ''), /./],
  ['sends interim answers without end', hinted(9), /sends more than 8 interim answers/],
  ['announces a length twice', answerOf('Content-Length: 9\r\nContent-Length: 8', png), /./],
];

for (const [title, answer, message] of rawAnswers) {
  t.test(`an origin that ${title} gives an error`, async (t) => {
    const { fail, url } = await loadFrom(t, (socket) => socket.end(answer));
    t.match(await fail(url('/')), { reason: 'network', message });
  });
}

t.test('an origin that resets the connection gives an error', async (t) => {
  const { fail, url } = await loadFrom(t, (socket) => {
    socket.write(half, () => socket.resetAndDestroy());
  });
  t.match(await fail(url('/')), { reason: 'network', message: /ended early/ });
});

t.test('early hints before an answer do not count as one', async (t) => {
  const { load, url } = await loadFrom(t, (socket) => void socket.write(hinted(8)));
  t.equal((await load(url('/'))).image.widthPx, 30);
});

t.test('a kept connection that closes under the next request costs one more try', async (t) => {
  const { load, origin, url } = await loadFrom(t, (socket) => {
    socket.write(whole);
    socket.once('data', () => socket.destroy());
  });
  for (const path of ['/1', '/2', '/3']) {
    t.equal((await load(url(path))).image.widthPx, 30);
    // The pool takes a connection back one turn after its answer has ended.
    await new Promise(setImmediate);
  }
  t.equal(origin.connections, 3);
});

t.test('a server that closes a new connection is not asked again', async (t) => {
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    const { fail, origin, url } = await loadFrom(t, (socket) => socket[end]());
    t.match(await fail(url('/')), { reason: 'network', message: /ended early/ });
    t.equal(origin.connections, 1, end);
  }
});

t.test('a server that closes at each second request gets one more try', async (t) => {
  let requests = 0;
  const { load, fail, origin, url } = await loadFrom(t, (socket) => {
    requests++;
    if (requests > 1) {
      socket.destroy();
      return;
    }
    socket.write(whole);
    socket.once('data', () => socket.resetAndDestroy());
  });
  await load(url('/1'));
  await new Promise(setImmediate);
  t.match(await fail(url('/2')), { reason: 'network', message: /ended early/ });
  t.equal(origin.connections, 2);
});

t.test('a body without a length is loaded, and no more than the announced one', async (t) => {
  for (const answer of [answerOf('Connection: close', png), bytesOf(whole, 'x'.repeat(99))]) {
    const { load, url } = await loadFrom(t, (socket) => socket.end(answer));
    t.equal((await load(url('/'))).image.bytes.byteLength, png.byteLength);
  }
});

const overLimit = { reason: 'too_large', message: 'is larger than 10 MiB, the limit' };

const chunked = (rest: string): Buffer => {
  const size = png.byteLength.toString(16);
  return answerOf('Transfer-Encoding: chunked', bytesOf(`${size}\r\n`, png, `\r\n${rest}`));
};
const tooManyBytes = /its server sends more than 344,064 bytes/;
const endlessAnswers: [title: string, head: string | Buffer, block: string, message: RegExp][] = [
  ['a reason', 'HTTP/1.1 200 ', 'a', tooManyBytes],
  ['empty lines', '', '\r\n', tooManyBytes],
  ['space before a value', 'HTTP/1.1 200 OK\r\nX:', ' ', tooManyBytes],
  ['an extension of a chunk', chunked('1;'), 'a', tooManyBytes],
  ['space in a trailer', chunked('0\r\nX:'), ' ', tooManyBytes],
  ['trailers', chunked('0\r\n'), 'X: 1\r\n', /ended early/],
  ['chunks of one byte', chunked(''), '1\r\nx\r\n', /in chunks of fewer than 64 bytes/],
];

for (const [title, head, block, message] of endlessAnswers) {
  t.test(`an origin that sends ${title} without end is left`, async (t) => {
    const limits = {
      sourceBytesMax: 64 * 1024,
      firstByteTimeoutMs: 60_000,
      totalTimeoutMs: 60_000,
    };
    const blocks = block.repeat(10_000);
    const { fail, url } = await loadFrom(
      t,
      (socket) => {
        socket.write(head);
        const pump = (): void => {
          while (!socket.destroyed && socket.write(blocks));
        };
        socket.on('drain', pump);
        pump();
      },
      limits,
    );
    t.match(await fail(url('/')), { reason: 'network', message });
  });
}

t.test('an announced length over the limit ends the fetch at its head', async (t) => {
  // Nothing of the body ever comes.
  const big: Handler = (_request, response) =>
    response.writeHead(200, { 'content-length': '999999999' }).flushHeaders();
  const { fail, url } = await loadFrom(t, { '/big': big }, { totalTimeoutMs: 60_000 });
  t.match(await fail(url('/big')), overLimit);
});

t.test('an endless body costs no more than the limit', async (t) => {
  let sentBytes = 0;
  const block = Buffer.alloc(64 * 1024);
  const write = endless(block, () => (sentBytes += block.byteLength));
  const image: Handler = (request, response) => {
    response.write(png);
    write(request, response);
  };
  const handlers = { '/image': image, '/page': endless(html.repeat(100)) };
  const { fail, url } = await loadFrom(t, handlers, { sourceBytesMax: 1024 * 1024 });
  const message = 'is larger than 1 MiB, the limit';
  t.match(await fail(url('/image')), { reason: 'too_large', message });
  // What lies in the two sockets' buffers comes on top.
  t.ok(sentBytes > 1024 * 1024, 'more than the limit was offered');
  t.ok(sentBytes < 16 * 1024 * 1024, `${sentBytes} bytes`);
  t.match(await fail(url('/page')), { reason: 'not_image', message: /^is HTML/ });
});

t.test('a bomb counts unpacked, and its origin is left at once', async (t) => {
  const bomb = gzipSync(Buffer.concat([png, Buffer.alloc(64 * 1024 * 1024)]));
  const nothing = Buffer.concat(Array(1000).fill(gzipSync('')));
  let isOver = false;
  const { fail, url } = await loadFrom(t, {
    '/bomb': (_request, response) => {
      response.on('close', () => (isOver = true));
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb);
    },
    // Gzip files of no bytes, one after the other: they unpack to nothing, for ever.
    '/nothing': (request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      endless(nothing)(request, response);
    },
  });
  t.ok(bomb.byteLength < 100_000);
  t.match(await fail(url('/bomb')), overLimit);
  t.ok(await settled(() => isOver), 'although it would have gone on');
  t.match(await fail(url('/nothing')), { reason: 'too_large' });
});
