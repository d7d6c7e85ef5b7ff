/** What clients get while a process ends, what a failed start reports, and which messages systemd gets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { decodeImage, image, plainImage } from './image-bytes.ts';
import { request } from './request.ts';
import type { Answer } from './request.ts';
import { eventually, freePort, startProgram, startService } from './service.ts';
import { readyLine, startShared } from './shared-port.ts';

const red = await plainImage('#ff0000');
const held: (() => void)[] = [];
const origin = await startOrigin({
  '/held.png': (_, response) => {
    held.push(() => void response.writeHead(200).end(red));
  },
});
t.teardown(() => origin.close());

/** Stands for systemd's own program, and writes down its messages. */
function fakeNotify(folder: string): { path: string; reported: () => string[] } {
  const messages = join(folder, 'messages');
  const path = join(folder, 'bin');
  mkdirSync(path);
  writeFileSync(messages, '');
  writeFileSync(join(path, 'systemd-notify'), `#!/bin/sh\necho "$1" >>'${messages}'\n`, {
    mode: 0o755,
  });
  return { path, reported: () => readFileSync(messages, 'utf8').split('\n').filter(Boolean) };
}

t.test('after SIGTERM it takes callers until load balancers have noticed, then none', async (t) => {
  const folder = t.testdir();
  const { path, reported } = fakeNotify(folder);
  const service = await startService(t, {
    dataDirectory: join(folder, 'data'),
    origins: [origin],
    environment: {
      PLATEN_SHUTDOWN_DELAY_MS: '1500',
      PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '60000',
      PATH: `${path}:/usr/bin:/bin`,
      NOTIFY_SOCKET: join(folder, 'socket'),
      WATCHDOG_USEC: '600000',
    },
  });
  await eventually(() => reported().length >= 3);
  t.same(reported().slice(0, 3), ['READY=1', 'WATCHDOG=1', 'WATCHDOG=1'], 'systemd is notified');
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => kept.destroy());
  t.equal((await service.get('/readyz', { agent: kept })).status, 200);
  const open = service.render(`product-card?product=${origin.url('/held.png')}`, { agent: false });
  await eventually(() => held.length === 1);
  service.process.kill('SIGTERM');
  await eventually(async () => (await service.get('/readyz', { agent: false })).status === 503);
  t.match((await service.get('/readyz', { agent: kept })).json(), { accepting: false });
  await image(t, await service.render('hello?name=New', { agent: false }));
  t.ok(
    await eventually(async () => {
      const answer = await service.get('/healthz', { agent: false }).catch(() => undefined);
      return answer === undefined;
    }),
    'then new connections are refused',
  );
  t.notOk(service.process.hasEnded, 'while a request is in flight');
  const last = await request(service.port, '/healthz', { agent: kept });
  t.match(last, { status: 200, headers: { connection: 'close' } }, 'a request to end');
  held.pop()?.();
  const answer = await open;
  await image(t, answer);
  t.equal(answer.headers.connection, 'close');
  t.same(await service.process.ended, { code: 0, signal: null });
  t.ok(reported().includes('STOPPING=1'), 'systemd is notified of the end');
});

t.test('a service that is stopped under load answers all that it has accepted', async (t) => {
  const service = await startService(t, {
    dataDirectory: join(t.testdir(), 'data'),
    origins: [origin],
    threadCount: 2,
    environment: { PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '60000' },
  });
  t.equal(await service.metric('platen_render_threads'), 2);
  const flights = (): Promise<number> => service.metric('platen_render_flights');
  // Many readers of one image, and readers of others, all of which wait for an origin.
  const patient = 60;
  const agent = new Agent({ maxSockets: patient });
  t.teardown(() => agent.destroy());
  const pending = Array.from({ length: patient }, (_, index) => {
    const name = index < 20 ? 'Everybody' : `Patient+${index}`;
    return service.render(`product-card.png?title=${name}&product=${origin.url('/held.png')}`, {
      agent,
    });
  });
  t.ok(await eventually(async () => (await flights()) === 41), 'one render for the 20');
  t.ok(await eventually(() => held.length === 1), 'the origin is asked once');
  const answers: Answer[] = [];
  const failures: string[] = [];
  const readUntilRefused = async (name: string): Promise<void> => {
    try {
      for (let index = 0; ; index += 1) {
        const path = `/v1/render/hello.png?name=${name}-${index}`;
        answers.push(await request(service.port, path, { agent: false }));
      }
    } catch (error) {
      failures.push(String(error));
    }
  };
  const busy = Array.from({ length: 10 }, (_, index) => readUntilRefused(`busy${index}`));
  t.ok(await eventually(() => answers.length >= 20), 'there is load');
  service.process.kill('SIGTERM');
  await Promise.all(busy);
  t.equal(service.process.hasEnded, false, 'the process waits for its readers');
  for (const release of held.splice(0)) release();
  answers.push(...(await Promise.all(pending)));
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]), 'each answer is an image');
  const images = await Promise.all(answers.map(({ body }) => decodeImage(body)));
  t.equal(new Set(images.map(({ width }) => width)).size, 2, 'to the last byte');
  const cut = failures.filter((failure) => !/ECONNREFUSED|ECONNRESET|hang up/.test(failure));
  t.same(cut, [], 'who came too late was refused, and nobody got half an image');
  t.same(await service.process.ended, { code: 0, signal: null });
  t.notMatch(service.process.stderr, /"level":"error"/);
});

t.test('a port that another process holds stops the start, unless both share it', async (t) => {
  const port = await freePort();
  const dataDirectory = join(t.testdir(), 'data');
  const first = await startShared(t, port, dataDirectory, {
    PATH: t.testdirName,
    NOTIFY_SOCKET: '/x',
  });
  t.ok(
    await eventually(() => first.stderr.includes('install systemd-notify')),
    'systemd-notify that is missing is reported',
  );
  const second = startProgram(t, {
    PLATEN_HOST: '127.0.0.1',
    PLATEN_PORT: String(port),
    PLATEN_DATA_DIR: dataDirectory,
    PLATEN_THREADS: '1',
  });
  t.same(await second.ended, { code: 1, signal: null });
  t.match(
    second.stderr,
    `Platen cannot start. Cannot listen on 127.0.0.1, port ${port}: it is in use`,
  );
  t.match(second.stderr, 'PLATEN_PORT');
  t.notMatch(second.stdout, readyLine);
});

t.test('a process that ends beside another leaves the metrics to it at once', async (t) => {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const dataDirectory = join(t.testdir(), 'data');
  const environment = {
    PLATEN_METRICS_PORT: String(metricsPort),
    // Longer than the test, so that the end of the process is not what the test sees.
    PLATEN_SHUTDOWN_DELAY_MS: '60000',
  };
  const first = await startShared(t, port, dataDirectory, environment);
  const startOf = async (): Promise<string | undefined> => {
    const { text } = await request(metricsPort, '/metrics', { agent: false });
    return /^process_start_time_seconds (.+)$/m.exec(text)?.[1];
  };
  const firstStart = await startOf();
  t.ok(firstStart);
  await startShared(t, port, dataDirectory, environment);
  first.kill('SIGTERM');
  const scrapes = Array.from({ length: 40 });
  t.ok(
    await eventually(async () => {
      const starts = await Promise.all(scrapes.map(() => startOf().catch(() => firstStart)));
      return !starts.includes(firstStart);
    }),
    'every scrape meets the successor',
  );
  t.notOk(first.hasEnded, 'while the other process still takes callers');
});

t.test('a data folder that cannot be used stops the start with what to do', async (t) => {
  const file = join(t.testdir({ file: '' }), 'file');
  for (const path of [file, join(file, 'data')]) {
    const program = startProgram(t, { PLATEN_DATA_DIR: path, PLATEN_PORT: '0' });
    t.same(await program.ended, { code: 1, signal: null }, path);
    t.match(program.stderr, /cannot be used: .* is a file\. Set PLATEN_DATA_DIR to/);
    t.notMatch(program.stderr, /^\s+at /m, 'no stack trace');
  }
});
