/** Origins that stall, drip, lie about lengths or break off: each costs at most its limit and ends as an error. */
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { bytesOf, pngOf } from '../fixtures/images-files.ts';
import { startLoader } from '../fixtures/images-loader.ts';
import { startOrigin, startRawOrigin } from '../fixtures/images-origin.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const html = '<!doctype html><title>Sign in</title>';

/** Waits for something to become true; the test's own time-out is the limit. */
async function settled(isTrue: () => boolean): Promise<boolean> {
  while (!isTrue()) await new Promise(setImmediate);
  return true;
}

t.test('a stalled origin costs its time for the first byte and no more', async (t) => {
  const origin = await startOrigin({ '/stall': () => undefined });
  const { fail } = startLoader(t, [origin], { firstByteTimeoutMs: 60, totalTimeoutMs: 5000 });
  t.match(await fail(origin.url('/stall')), {
    reason: 'timeout',
    message: 'could not be reached within 0.06 s',
  });
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
  const origin = await startOrigin({
    '/slow': (_request, response) => {
      response.write(png.subarray(0, 20));
      setTimeout(() => response.end(png.subarray(20)), 100);
    },
  });
  const { load } = startLoader(t, [origin], { firstByteTimeoutMs: 60 });
  t.equal((await load(origin.url('/slow'))).image.widthPx, 30);
});

t.test('a dripping origin is cut off by the total time', async (t) => {
  let timer: NodeJS.Timeout | undefined;
  const origin = await startOrigin({
    '/drip': (_request, response) => {
      let sent = 0;
      timer = setInterval(() => response.write(png.subarray(sent, ++sent)), 5);
      response.on('close', () => clearInterval(timer));
    },
  });
  const { fail } = startLoader(t, [origin], { totalTimeoutMs: 80 });
  t.match(await fail(origin.url('/drip')), {
    reason: 'timeout',
    message: 'did not arrive within 0.08 s',
  });
});

t.test('a refused connection is reported as such', async (t) => {
  const origin = await startOrigin({});
  const { fail } = startLoader(t, [origin]);
  await origin.close();
  origin.close = () => Promise.resolve();
  t.match(await fail(origin.url('/')), {
    reason: 'network',
    message: 'could not be reached: its server refuses connections',
  });
});

const rawAnswers: [title: string, answer: string | Buffer, reason: string, message: RegExp][] = [
  ['closes without a word', '', 'network', /ended early/],
  ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'network', /does not answer in HTTP/],
  [
    'sends less than it announces',
    bytesOf('HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n', png),
    'network',
    /ended early/,
  ],
  [
    'ends in the middle of a chunk',
    bytesOf('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n', png),
    'network',
    /ended early/,
  ],
  [
    'sends a chunk of no length',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    'network',
    /does not answer in HTTP/,
  ],
  [
    'sends endless headers',
    `HTTP/1.1 200 OK\r\n${'X-Filler: 0123456789\r\n'.repeat(5000)}`,
    'network',
    /./,
  ],
  [
    'announces a length twice',
    bytesOf('HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n', png),
    'network',
    /./,
  ],
];

for (const [title, answer, reason, message] of rawAnswers) {
  t.test(`an origin that ${title} gives an error`, async (t) => {
    const origin = await startRawOrigin((socket) => socket.end(answer));
    const { fail } = startLoader(t, [origin]);
    t.match(await fail(origin.url('/')), { reason, message });
  });
}

t.test('an origin that resets the connection gives an error', async (t) => {
  const origin = await startRawOrigin((socket) => {
    socket.write(bytesOf('HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n', png), () =>
      socket.resetAndDestroy(),
    );
  });
  const { fail } = startLoader(t, [origin]);
  t.match(await fail(origin.url('/')), { reason: 'network', message: /ended early/ });
});

t.test(
  'a kept connection that its server closes under the next request costs one more try',
  async (t) => {
    const answer = bytesOf(`HTTP/1.1 200 OK\r\nContent-Length: ${png.byteLength}\r\n\r\n`, png);
    const origin = await startRawOrigin((socket) => {
      socket.write(answer);
      socket.once('data', () => socket.destroy());
    });
    const { load } = startLoader(t, [origin]);
    for (const path of ['/1', '/2', '/3']) {
      t.equal((await load(origin.url(path))).image.widthPx, 30);
      // The pool takes a connection back one turn after its answer has ended.
      await new Promise(setImmediate);
    }
    t.equal(origin.connections, 3);
  },
);

t.test('a server that closes a new connection is not asked again', async (t) => {
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    const origin = await startRawOrigin((socket) => socket[end]());
    const { fail } = startLoader(t, [origin]);
    t.match(await fail(origin.url('/')), { reason: 'network', message: /ended early/ });
    t.equal(origin.connections, 1, end);
  }
});

t.test(
  'a server that closes every connection at its second request gets one more try',
  async (t) => {
    const answer = bytesOf(`HTTP/1.1 200 OK\r\nContent-Length: ${png.byteLength}\r\n\r\n`, png);
    let requests = 0;
    const origin = await startRawOrigin((socket) => {
      requests++;
      if (requests > 1) {
        socket.destroy();
        return;
      }
      socket.write(answer);
      socket.once('data', () => socket.resetAndDestroy());
    });
    const { load, fail } = startLoader(t, [origin]);
    await load(origin.url('/1'));
    await new Promise(setImmediate);
    t.match(await fail(origin.url('/2')), { reason: 'network', message: /ended early/ });
    t.equal(origin.connections, 2);
  },
);

t.test('a body without a length is loaded when it is whole', async (t) => {
  const origin = await startRawOrigin((socket) =>
    socket.end(bytesOf('HTTP/1.1 200 OK\r\n\r\n', png)),
  );
  const { load } = startLoader(t, [origin]);
  t.equal((await load(origin.url('/'))).image.bytes.byteLength, png.byteLength);
});

t.test('more bytes than announced are not read', async (t) => {
  const origin = await startRawOrigin((socket) =>
    socket.end(
      bytesOf(`HTTP/1.1 200 OK\r\nContent-Length: ${png.byteLength}\r\n\r\n`, png, 'x'.repeat(99)),
    ),
  );
  const { load } = startLoader(t, [origin]);
  t.equal((await load(origin.url('/'))).image.bytes.byteLength, png.byteLength);
});

t.test('an announced length over the limit ends the fetch at its head', async (t) => {
  const origin = await startOrigin({
    // Nothing of the body ever comes.
    '/big': (_request, response) => {
      response.writeHead(200, { 'content-length': '999999999' }).flushHeaders();
    },
  });
  const { fail } = startLoader(t, [origin], { totalTimeoutMs: 60_000 });
  t.match(await fail(origin.url('/big')), {
    reason: 'too_large',
    message: 'is larger than 10 MiB, the limit',
  });
});

t.test('an endless body costs no more than the limit', async (t) => {
  let sentBytes = 0;
  const block = Buffer.alloc(64 * 1024);
  const origin = await startOrigin({
    '/endless': (_request, response) => {
      response.write(png);
      const pump = (): void => {
        do sentBytes += block.byteLength;
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', pump);
      pump();
    },
  });
  const { fail } = startLoader(t, [origin], { sourceBytesMax: 1024 * 1024 });
  t.match(await fail(origin.url('/endless')), {
    reason: 'too_large',
    message: 'is larger than 1 MiB, the limit',
  });
  // What lies in the two sockets' buffers comes on top.
  t.ok(sentBytes > 1024 * 1024, 'more than the limit was offered');
  t.ok(sentBytes < 16 * 1024 * 1024, `${sentBytes} bytes`);
});

t.test('a bomb counts unpacked, and its origin is left at once', async (t) => {
  const bomb = gzipSync(Buffer.concat([png, Buffer.alloc(64 * 1024 * 1024)]));
  const nothing = gzipSync('');
  let isOver = false;
  const origin = await startOrigin({
    '/bomb': (_request, response) => {
      response.on('close', () => (isOver = true));
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb);
    },
    // Gzip files of no bytes, one after the other: they unpack to nothing, for ever.
    '/nothing': (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const pump = (): void => {
        while (!response.destroyed && response.write(Buffer.concat(Array(1000).fill(nothing))));
      };
      response.on('drain', pump);
      pump();
    },
  });
  const { fail } = startLoader(t, [origin]);
  t.ok(bomb.byteLength < 100_000);
  t.match(await fail(origin.url('/bomb')), {
    reason: 'too_large',
    message: 'is larger than 10 MiB, the limit',
  });
  t.ok(await settled(() => isOver), 'although it would have gone on');
  t.match(await fail(origin.url('/nothing')), { reason: 'too_large' });
});

t.test('an endless page costs its first bytes', async (t) => {
  const origin = await startOrigin({
    '/page': (_request, response) => {
      const pump = (): void => {
        while (!response.destroyed && response.write(html.repeat(100)));
      };
      response.on('drain', pump);
      pump();
    },
  });
  const { fail } = startLoader(t, [origin]);
  t.match(await fail(origin.url('/page')), { reason: 'not_image', message: /^is HTML/ });
});

t.test('all bodies together stay within their budget', async (t) => {
  const origin = await startOrigin({
    '/b': (_request, response) => response.end(Buffer.concat([png, Buffer.alloc(200_000)])),
  });
  const { fail } = startLoader(t, [origin], { bytesInFlightMax: 100_000 });
  t.match(await fail(origin.url('/b')), { reason: 'overloaded', message: /try again$/ });
});
