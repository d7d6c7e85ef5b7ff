/** The time-zone rules of the package, in this process and in those that it starts. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readZoneChanges } from '../../src/cli/build/zone-changes.ts';
import type { ZoneChange } from '../../src/cli/build/zone-changes.ts';
import { packagedZoneRules, zoneRulesVersion } from '../../src/foundation/zone-rules.ts';
import { programPath } from '#paths.ts';
import { isKnownZone, zonedText } from '#language/values/zoned-time.ts';
import { demoKey, startService } from '../e2e/service.ts';

const { version } = packagedZoneRules();
const isCurrent = process.versions['tz'] === version;

t.test(
  'the rules of the package are those of this process, and not older than those of Node',
  (t) => {
    t.ok(isCurrent, 'npm test -- test/clock starts tests with the rules of the package');
    const ofNode = execFileSync(process.execPath, ['-p', 'process.versions.tz'], { env: {} });
    t.ok(version >= String(ofNode).trim(), `${version}, and ${String(ofNode).trim()} of Node`);
    t.end();
  },
);

t.test('zones whose laws changed in 2026 have their new offsets', (t) => {
  const winter = Date.parse('2026-12-01T17:00:00Z');
  for (const [zone, text] of [
    ['America/Winnipeg', '2026-12-01T12:00:00-05:00'],
    ['America/Rainy_River', '2026-12-01T12:00:00-05:00'],
    ['Canada/Central', '2026-12-01T12:00:00-05:00'],
    ['America/Inuvik', '2026-12-01T11:00:00-06:00'],
    ['America/Havana', '2026-12-01T13:00:00-04:00'],
    ['Cuba', '2026-12-01T13:00:00-04:00'],
    ['America/Edmonton', '2026-12-01T11:00:00-06:00'],
  ] as const) {
    t.equal(zonedText(winter, zone), text, zone);
  }
  t.equal(zonedText(Date.parse('2090-07-01T12:00:00Z'), 'America/Havana').slice(-6), '-04:00');
  t.equal(zonedText(Date.parse('2090-01-01T12:00:00Z'), 'America/Havana').slice(-6), '-05:00');
  t.end();
});

t.test(
  'a service and its render hosts take the rules, and the report of a preview says the time',
  async (t) => {
    // With exactly the environment of the settings: the service takes the rules by itself.
    const { base } = await startService(t);
    const text = '{{countdown.hours}} h, over {{countdown.isOver}}, {{countdown.until | time:24}}';
    const template = {
      format: 1,
      name: 'zones',
      width: 400,
      height: 100,
      variables: [],
      clock: { until: '2026-12-01T12:00', zone: 'America/Winnipeg' },
      layers: [{ id: 'a', type: 'text', x: 0, y: 0, width: 400, height: 100, text }],
    };
    const answer = await fetch(`${base}/v1/preview`, {
      method: 'POST',
      headers: { 'X-API-Key': demoKey, Accept: 'application/json' },
      body: JSON.stringify({ template, now: '2026-12-01T17:00:00Z' }),
    });
    t.match(await answer.json(), {
      layers: [{ text: { text: '0 h, over true, 12:00' } }],
      clock: { now: '2026-12-01T12:00:00-05:00', until: '2026-12-01T12:00:00-05:00' },
    });
  },
);

t.test('a program that is started without rules takes those of the package', (t) => {
  const program = spawnSync(process.execPath, [programPath('platen'), 'doctor', '--json'], {
    env: { PATH: process.env['PATH'], PLATEN_PORT: 'x' },
    encoding: 'utf8',
  });
  const { checks } = JSON.parse(program.stdout) as { checks: { name: string; detail: string }[] };
  const { detail } = checks.find(({ name }) => name === 'time zones') ?? {};
  t.match(detail, new RegExp(`^version ${version}, released on 20\\d\\d-\\d\\d-\\d\\d(?:;|$)`));
  t.end();
});

const system = process.env['TZDIR'] ?? '/usr/share/zoneinfo';
const systemVersion = zoneRulesVersion(system);
const hasZdump = spawnSync('zdump', ['--version']).status === 0;
const skip =
  systemVersion === undefined || systemVersion < version
    ? `${system} has ${systemVersion ?? 'no version'}, expected ${version} or later`
    : !hasZdump && 'there is no zdump';

t.test('all zones have the offsets of the system’s tzdata from 2026 to 2030', { skip }, (t) => {
  const source = readFileSync(join(system, 'tzdata.zi'), 'latin1');
  const zones = [...source.matchAll(/^(?:Z|L \S+) (\S+)/gm)].map(([, name = '']) => name);
  t.ok(zones.length > 590, `${zones.length} zones`);
  t.same(
    zones.filter((zone) => !isKnownZone(zone)).filter((zone) => zone !== 'Factory'),
    [],
  );
  const years = { from: 2026, to: 2030 };
  const endS = Date.UTC(years.to, 11, 31) / 1000;
  const startS = Date.UTC(years.from, 10, 28) / 1000;
  const differing: string[] = [];
  for (const [zone, changes] of readZoneChanges(system, zones.filter(isKnownZone), years)) {
    const expected = (atS: number): number | undefined =>
      changes.findLast((change: ZoneChange) => change.atS <= atS)?.offsetS;
    const moments = changes.flatMap(({ atS }) => [atS - 1, atS]).filter((atS) => atS >= startS);
    for (let atS = startS; atS < endS; atS += 14 * 86_400) moments.push(atS);
    for (const atS of moments) {
      const text = zonedText(atS * 1000, zone);
      const offsetS = (Date.parse(`${text.slice(0, 19)}Z`) - atS * 1000) / 1000;
      if (offsetS !== expected(atS)) differing.push(`${zone} at ${text}, not ${expected(atS)} s`);
    }
  }
  t.same(differing, []);
  t.end();
});
