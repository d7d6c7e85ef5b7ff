/** What clients get while a process ends, what a failed start reports, and which messages systemd gets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { image, plainImage } from './image-bytes.ts';
import { request } from './request.ts';
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
  t.same(
    [last.status, last.headers.connection],
    [200, 'close'],
    'an open connection gets a request to end',
  );
  held.pop()?.();
  const answer = await open;
  await image(t, answer);
  t.equal(answer.headers.connection, 'close');
  t.same(await service.process.ended, { code: 0, signal: null });
  t.ok(reported().includes('STOPPING=1'), 'systemd is notified of the end');
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
  const folder = t.testdir({ file: '' });
  const wrong: Record<string, RegExp> = {
    [join(folder, 'file')]: /is a file/,
    [join(folder, 'file', 'data')]: /part of the path is a file/,
    '/proc/platen': /data directory \/proc\/platen cannot be used/,
  };
  await Promise.all(
    Object.entries(wrong).map(async ([path, reason]) => {
      const program = startProgram(t, { PLATEN_DATA_DIR: path, PLATEN_PORT: '0' });
      t.same(await program.ended, { code: 1, signal: null }, path);
      t.match(program.stderr, reason);
      t.match(program.stderr, 'PLATEN_DATA_DIR');
      t.notMatch(program.stderr, /^\s+at /m, 'no stack trace');
    }),
  );
});
