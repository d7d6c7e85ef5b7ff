import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { startRawOrigin } from '../fixtures/images-origin.ts';
import { head } from '../fixtures/raw-http.ts';
import { fillDataDirectory, textLayer, imageLayer, textVariable } from '../e2e/published.ts';
import { demoKey, eventually, startService } from '../e2e/service.ts';

/** Callers of each stage: more than the one process and its queue can hold at a time. */
const callers = 20;

let fetches = 0;
const silent = await startRawOrigin(() => void (fetches += 1));
t.teardown(() => silent.close());

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const photo = { name: 'photo', type: 'image' as const, value: 'https://example.com/a.png' };
  publish('words', {
    width: 600,
    height: 600,
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('{{name}}', { width: 600, height: 600 })],
  });
  publish('photo', { variables: [photo], layers: [imageLayer('{{photo}}')] });
});
// Longer than the test: what nobody waits for must not be held until its deadline.
const service = await startService(t, {
  dataDirectory,
  origins: [silent],
  environment: { PLATEN_RENDER_TIMEOUT_MS: '60000' },
});

/** Opens connections that each send something. */
async function open(bytes: (index: number) => string): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: callers }, async (_, index) => {
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(bytes(index));
      return socket;
    }),
  );
}

function leave(sockets: readonly Socket[]): void {
  for (const [index, socket] of sockets.entries()) {
    if (index % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
}

/** Whether a service has nothing in hand. */
async function isIdle(): Promise<boolean> {
  const lines = [
    'platen_render_flights',
    'platen_render_queue_length',
    'platen_render_threads_busy',
  ];
  const values = await Promise.all(lines.map((line) => service.metric(line)));
  return values.every((value) => value === 0);
}

const stages: [
  stage: string,
  bytes: (index: number) => string,
  reached: (sockets: readonly Socket[]) => Promise<unknown>,
][] = [
  [
    'the head',
    () => 'GET /v1/render/hello?name=a HTTP/1.1\r\nHost: a\r\nX-',
    () => service.get('/healthz'),
  ],
  [
    'the body of a refused request',
    () => `${head('POST', '/v1/render/hello', 'Content-Length: 90000')}abc`,
    () => service.get('/healthz'),
  ],
  [
    'the body of a write',
    (index) =>
      `${head('PUT', `/v1/templates/t${index}`, `X-API-Key: ${demoKey}`, 'Content-Length: 90000')}{"a`,
    () => service.get('/healthz'),
  ],
  [
    'the wait for an image',
    (index) => head('GET', `/v1/render/photo?photo=${silent.url(`/${index}.png`)}`),
    () => eventually(() => fetches > 0),
  ],
  [
    'the queue and the render',
    (index) => head('GET', `/v1/render/words?_scale=2&name=${index}`),
    () => eventually(async () => (await service.metric('platen_render_threads_busy')) > 0),
  ],
  [
    'the sending of the answer',
    () => head('GET', '/v1/render/words?_scale=2&name=same'),
    ([first]) => (first === undefined ? Promise.resolve() : once(first, 'readable')),
  ],
];

for (const [stage, bytes, reached] of stages) {
  t.test(`callers who leave during ${stage} leave nothing behind`, async (t) => {
    const sockets = await open(bytes);
    await reached(sockets);
    leave(sockets);
    // What was begun for them is finished and kept, because such links are asked for again.
    t.ok(await eventually(isIdle), 'nothing is held for them');
    t.ok(
      await eventually(async () => (await service.metric('platen_open_connections')) < callers),
      'no connection is held',
    );
    const answer = await service.render(`hello?name=${encodeURIComponent(stage)}`);
    t.equal(answer.status, 200, 'the next one is answered');
    t.equal(service.process.hasEnded, false);
  });
}

t.test('none of that was an error of the service', async (t) => {
  const lines = (service.process.stdout + service.process.stderr).split('\n');
  const faults = lines.filter((line) => /"status":5\d\d|"level":"error"/.test(line));
  t.same(
    faults.filter((line) => !line.includes('"route":"readyz"')),
    [],
  );
  t.equal((await service.get('/readyz')).status, 200);
});
