import { Agent } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { head } from '../fixtures/raw-http.ts';
import { decodeImage, image, pixelAt, plainImage } from './image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from './published.ts';
import { converse, request } from './request.ts';
import type { Answer } from './request.ts';
import { eventually, startService } from './service.ts';

const red = await plainImage('#ff0000');
let letGo = (): void => undefined;
const waiting: (() => void)[] = [];
const origin = await startOrigin({
  '/red.png': (_, response) => void response.writeHead(200).end(red),
  '/held.png': (_, response) => {
    letGo = () => void response.writeHead(200).end(red);
  },
  '/held-for-all.png': (_, response) => {
    waiting.push(() => void response.writeHead(200).end(red));
  },
});
t.teardown(() => origin.close());

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
  const photo = { name: 'photo', type: 'image' as const, value: saveAsset(red) };
  publish('card', {
    width: 1200,
    height: 630,
    variables: [textVariable('name', 'friend'), photo],
    layers: [textLayer('{{name}}', { width: 1000, height: 400 }), imageLayer('{{photo}}')],
  });
  publish('small', {
    width: 600,
    height: 400,
    variables: [textVariable('name', 'friend'), photo],
    layers: [
      textLayer('{{name}}', { width: 600, height: 200 }),
      imageLayer('{{photo}}', { width: 300, height: 300 }),
    ],
  });
  publish('keyed', { linkAuth: 'key', variables: [photo] });
});
const service = await startService(t, { dataDirectory, origins: [origin], processCount: 2 });

const rendersDone = (state: string): Promise<number> =>
  service.metric(`platen_renders_total{cache="${state}"}`);

t.test('as many processes render as the environment says', async (t) => {
  t.equal(await service.metric('platen_render_threads'), 2);
});

t.test('a thousand requests at once for one new image make one render', async (t) => {
  const requests = 1000;
  const rendersBefore = await rendersDone('miss');
  const agent = new Agent({ maxSockets: requests });
  const target = `card.png?name=Everybody&photo=${origin.url('/red.png')}`;
  const answers = await Promise.all(
    Array.from({ length: requests }, () => service.render(target, { agent })),
  );
  agent.destroy();

  t.ok(
    answers.every(({ status }) => status === 200),
    'each is answered',
  );
  const [first] = answers;
  t.ok(
    answers.every(({ body }) => first?.body.equals(body)),
    'with the same bytes',
  );
  t.equal(new Set(answers.map(({ headers }) => headers.etag)).size, 1);
  t.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, requests);

  const drawn = answers.filter(({ headers }) => /miss/.test(headers['server-timing'] as string));
  t.equal(drawn.length, 1, 'one answer says that it was drawn');
  t.equal((await rendersDone('miss')) - rendersBefore, 1, 'the metrics count one render');
  const fetches = origin.requests.filter((line) => line === 'GET /red.png');
  t.equal(fetches.length, 1, 'the origin was asked once');
});

t.test('a reader who leaves half-way does no harm, and the image is kept', async (t) => {
  const target = `card.png?name=Gone&photo=${origin.url('/held.png')}`;
  const leaving = new AbortController();
  const left = service.render(target, { agent: false, signal: leaving.signal });
  t.ok(await eventually(() => origin.requests.includes('GET /held.png')), 'the render waits');
  leaving.abort();
  await t.rejects(left);
  letGo();
  t.ok(await eventually(async () => (await service.metric('platen_render_flights')) === 0));
  const next = await service.render(target);
  t.match(next.headers['server-timing'], /hit/, 'the result was kept for the next reader');
  t.same(pixelAt(await image(t, next), 220, 20), [255, 0, 0]);
});

t.test('readers who leave while the image is on its way do no harm', async (t) => {
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const leaving = new AbortController();
      const target = `card.png?_scale=2&name=Leaver${index % 5}`;
      const left = service.render(target, { agent: false, signal: leaving.signal });
      setImmediate(() => leaving.abort());
      await left.catch(() => undefined);
    }),
  );
  t.ok(await eventually(async () => (await service.metric('platen_render_flights')) === 0));
  t.equal((await service.render('card.png?_scale=2&name=Leaver0')).status, 200);
  t.equal((await service.get('/readyz')).status, 200);
});

t.test('a request that is wrong asks no origin', async (t) => {
  const fetchesBefore = origin.requests.length;
  const photo = `photo=${origin.url('/red.png')}?unasked`;
  const cases: [target: string, status: number][] = [
    [`nobody?${photo}`, 404],
    [`card?_scale=9&${photo}`, 400],
    [`card?_version=99&${photo}`, 404],
    [`card?name=${'x'.repeat(2001)}&${photo}`, 400],
    ['card?photo=nonsense', 400],
    ['card?photo=http://169.254.169.254/', 400],
    [`keyed?${photo}`, 401],
  ];
  for (const [target, status] of cases) {
    t.equal((await service.render(target)).status, status, target.slice(0, 50));
  }
  t.equal(origin.requests.length, fetchesBefore);
});

t.test('many different images at once are all answered', async (t) => {
  const agent = new Agent({ maxSockets: 60 });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      service.render(`card.jpg?name=Reader+${index}`, { agent }),
    ),
  );
  agent.destroy();
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(new Set(answers.map(({ headers }) => headers.etag)).size, 60);
  t.notMatch(service.process.stderr, /"level":"error"/, 'nothing went wrong in this file');
});

/** Readers whose images wait for an origin. */
const patientReaders = 50;
/** Readers that request one image after the other, each on a connection of its own, until they are refused. */
const busyReaders = 10;

t.test(
  'a service that is asked to stop under load answers everything that it has accepted',
  async (t) => {
    const agent = new Agent({ maxSockets: patientReaders });
    const held = `photo=${origin.url('/held-for-all.png')}`;
    const pending = Array.from({ length: patientReaders }, (_, index) =>
      service.render(`small.png?name=Patient+${index}&${held}`, { agent }),
    );
    const flights = (): Promise<number> => service.metric('platen_render_flights');
    t.ok(await eventually(async () => (await flights()) === patientReaders), 'all are accepted');

    const answers: Answer[] = [];
    const failures: string[] = [];
    const readUntilRefused = async (name: string): Promise<void> => {
      try {
        for (let index = 0; ; index += 1) {
          const target = `/v1/render/small.png?name=${name}-${index}`;
          answers.push(await request(service.port, target, { agent: false }));
        }
      } catch (error) {
        failures.push(String(error));
      }
    };
    const busy = Array.from({ length: busyReaders }, (_, index) =>
      readUntilRefused(`busy${index}`),
    );
    t.ok(await eventually(() => answers.length >= 2 * busyReaders), 'there is load');

    const [alive, ready] = await converse(
      service.port,
      [head('GET', '/healthz'), head('GET', '/readyz')],
      async (index) => {
        if (index === 0) return;
        service.process.kill('SIGTERM');
        await eventually(() => service.process.stdout.includes('"stopping"'));
      },
    );
    t.match(alive, /^HTTP\/1\.1 200 /);
    t.match(
      ready,
      /^HTTP\/1\.1 503 /,
      'on a connection that was kept it says that it is not ready',
    );
    await Promise.all(busy);
    const late = await service.render('card', { agent: false }).catch((error: unknown) => error);
    t.match(late, { code: 'ECONNREFUSED' }, 'new connections are refused');
    t.equal(service.process.hasEnded, false, 'the process waits for its readers');

    for (const release of waiting.splice(0)) release();
    answers.push(...(await Promise.all(pending)));
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]), 'each answer is an image');
    const widths = await Promise.all(
      answers.map(async ({ body }) => (await decodeImage(body)).width),
    );
    t.same(new Set(widths), new Set([600]), 'to the last byte');
    const cut = failures.filter((failure) => !/ECONNREFUSED|ECONNRESET|hang up/.test(failure));
    t.same(cut, [], 'who came too late was refused, and nobody got half an image');
    t.same(await service.process.ended, { code: 0, signal: null });
    t.notMatch(service.process.stderr, /"level":"error"/);
    agent.destroy();
  },
);
