import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { checkDatabase } from '../../src/cli/doctor/data.ts';
import { checkDeadlines, checkZoneRules } from '../../src/cli/doctor/zones.ts';
import { packagedZoneRules } from '../../src/foundation/zone-rules.ts';
import { parseConfig } from '../../src/settings.ts';
import { fillDataDirectory } from '../e2e/published.ts';
import { damage } from '../helpers/damage.ts';
import { runOnTerminal, runPlaten } from './run-platen.ts';

interface Report {
  ok: boolean;
  checks: { name: string; status: string; detail: string; advice?: string }[];
}

const hasTerminal = spawnSync('script', ['--version']).status === 0;

t.test('progress is shown on a terminal, and removed', { skip: !hasTerminal }, async (t) => {
  const folder = t.testdir();
  const environment = { PLATEN_DATA_DIR: join(folder, 'data'), TERM: 'xterm' };
  await runPlaten(['org', 'create', 'acme'], { environment });
  const shown = await runOnTerminal(['backup', join(folder, 'a.db')], { environment });
  t.equal(shown.code, 0, shown.stdout);
  t.match(shown.stdout, /Copying, MiB/);
  t.match(shown.stdout, /a\.db {2}\d+ bytes, checked: 1 organization/);
  const piped = await runPlaten(['backup', join(folder, 'b.db')], { environment });
  t.equal(piped.stderr, '');
});

t.test('the doctor finds nothing where nothing is', async (t) => {
  const environment = { PLATEN_DATA_DIR: join(t.testdir(), 'data'), PLATEN_PORT: '0' };
  const ran = await runPlaten(['doctor', '--json'], { environment });
  const { ok, checks } = ran.json() as Report;
  for (const { name, status } of checks) t.not(status, 'problem', name);
  t.equal(ok, true);
  t.equal(ran.code, 0);
  const names = checks.map(({ name }) => name);
  for (const name of [
    'node',
    'bundles',
    'http',
    'limits',
    'time zones',
    'configuration',
    'memory',
    'data folder',
    'disk',
    'clock',
    'renderer',
    'port',
    'exposure',
  ]) {
    t.ok(names.includes(name), name);
  }
  t.match(checks.find(({ name }) => name === 'http')?.detail, /SHA-256 [0-9a-f]{64}/);
  t.notMatch(readdirSync(t.testdirName), ['data'], 'looking makes nothing');
});

t.test('the doctor reports each problem with advice', async (t) => {
  const dataDirectory = t.testdir();
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  t.teardown(() => blocker.close());
  const { port } = blocker.address() as AddressInfo;
  const address = { PLATEN_HOST: '127.0.0.1', PLATEN_PORT: String(port) };
  const environment = { PLATEN_DATA_DIR: dataDirectory, ...address };
  await runPlaten(['org', 'create', 'acme'], { environment });
  damage(join(dataDirectory, 'platen.db'));
  const ran = await runPlaten(['doctor', '--json'], { environment });
  t.equal(ran.code, 1);
  const { checks } = ran.json() as Report;
  const problems = checks.filter(({ status }) => status === 'problem');
  t.ok(problems.every(({ advice }) => advice !== undefined));
  t.match(problems.find(({ name }) => name === 'database')?.detail, /damaged|malformed/);
  t.match(problems.find(({ name }) => name === 'port')?.advice, /PLATEN_PORT/);

  const unset = await runPlaten(['doctor', '--json'], { environment: { PLATEN_PORT: 'x' } });
  t.equal(unset.code, 1);
  t.match(
    (unset.json() as Report).checks.find(({ name }) => name === 'configuration'),
    { status: 'problem', detail: /PLATEN_PORT is "x"/ },
  );
});

t.test('the doctor names damaged documents', async (t) => {
  const dataDirectory = fillDataDirectory(t.testdir(), ({ db, publish }) => {
    for (const uid of ['sound', 'bad']) publish(uid);
    db.exec("UPDATE templates SET draft_json = '{}' WHERE uid = 'bad'");
  });
  const detail = / has damaged documents: draft of template bad$/;
  const found = checkDatabase(parseConfig({ PLATEN_DATA_DIR: dataDirectory }));
  t.match(found, [{ status: 'problem', detail, advice: /restore/ }]);
  const killed = t.testdir({ 'platen.db': '' });
  t.match(checkDatabase(parseConfig({ PLATEN_DATA_DIR: killed })), [{ status: 'ok' }]);
});

t.test(
  'the doctor says the version of the zone rules, and whether the system has newer ones',
  async (t) => {
    const { version, released } = packagedZoneRules();
    const systemOf = (text: string): string => t.testdir({ 'tzdata.zi': `${text}\n` });
    const present = `version ${version}, released on ${released}`;
    t.same(checkZoneRules(systemOf('# no version')), [{ status: 'ok', detail: present }]);
    for (const older of ['2025b', version]) {
      const folder = systemOf(`# version ${older}`);
      const detail = `${present}; ${folder} has ${older}`;
      t.same(checkZoneRules(folder), [{ status: 'ok', detail }]);
    }
    const folder = systemOf('# version 2030a');
    const detail = `${present}; ${folder} has 2030a, which is newer`;
    t.match(checkZoneRules(folder), [{ status: 'warning', detail, advice: /Renew the rules/ }]);
  },
);

t.test('the doctor names templates whose deadlines the newer rules of a zone move', async (t) => {
  const ends = { type: 'date', name: 'ends', value: '2026-12-24T18:00' } as const;
  const dataDirectory = fillDataDirectory(t.testdir(), ({ publish }) => {
    // In January 2090 by the rules of today: a deadline that is ahead for a long time.
    const zone = 'America/Winnipeg';
    publish('moved', { clock: { until: '2090-01-10T12:00', zone } });
    publish('by-value', {
      clock: { until: '{{ends}}', zone },
      variables: [{ ...ends, value: '2090-01-10' }],
    });
    publish('fixed', { clock: { until: '2090-01-10T12:00-05:00', zone } });
    publish('summer', { clock: { until: '2090-07-10T12:00', zone } });
    publish('past', { clock: { until: '2020-01-10T12:00', zone } });
    publish('elsewhere', { clock: { until: '2090-01-10T12:00', zone: 'Europe/Berlin' } });
    publish('still');
  });
  const [found] = checkDeadlines(parseConfig({ PLATEN_DATA_DIR: dataDirectory }));
  t.match(found, { status: 'warning', advice: /offset/ });
  const named = (found?.detail ?? '').matchAll(/[:;] (\S+) ends at/g);
  t.same(new Set([...named].map(([, uid]) => uid)), new Set(['by-value', 'moved']));
  t.match(found?.detail, /moved ends at 2090-01-10T17:00.*GMT-05:00, before GMT-06:00/);
});
