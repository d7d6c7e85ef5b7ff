import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packagedZoneRules } from '../src/foundation/zone-rules.ts';
import { readAddonVersion } from '../src/http/native.ts';
import { isLoopback, kernelSettings, unmetKernelSettings } from '../src/process/start-checks.ts';
import { createLog } from '../src/foundation/log.ts';
import { parseConfig } from '../src/settings.ts';
import { logStartChecks } from '../src/process/start-checks.ts';

const file = readFileSync(join(import.meta.dirname, '../systemd/platen-sysctl.conf'), 'utf8');

t.test('the settings that are looked at are those of the file, and meet their own demands', (t) => {
  const wanted = [...file.matchAll(/^([a-z0-9_.]+) = (.+)$/gm)].map(([, name, value]) => ({
    name,
    value,
  }));
  t.same(
    kernelSettings.map(({ name, value }) => ({ name, value })),
    wanted,
  );
  const values = new Map(
    wanted.map(({ name = '', value = '' }) => [`/proc/sys/${name.replaceAll('.', '/')}`, value]),
  );
  t.same(
    unmetKernelSettings((path) => values.get(path) ?? ''),
    [],
  );
  t.end();
});

t.test('defaults of Linux are reported with what is expected', async (t) => {
  const defaults: Record<string, string> = {
    tcp_migrate_req: '0\n',
    tcp_notsent_lowat: '4294967295\n',
    tcp_wmem: '4096\t16384\t4194304\n',
    tcp_orphan_retries: '0\n',
  };
  t.same(
    unmetKernelSettings((path) => defaults[path.split('/').at(-1) ?? ''] ?? ''),
    [
      'net.ipv4.tcp_migrate_req = 0, expected 1',
      'net.ipv4.tcp_notsent_lowat = 4294967295, expected 131072',
      'net.ipv4.tcp_wmem = 4096 16384 4194304, expected 4096 16384 1048576',
      'net.ipv4.tcp_orphan_retries = 0, expected 5',
    ],
  );
  const missing = (): string => {
    throw new Error('ENOENT');
  };
  t.same(unmetKernelSettings(missing), [], 'nothing is said where the kernel says nothing');
});

t.test('a start names the HTTP server’s build, and warns only who faces others', async (t) => {
  const { sha256 } = readAddonVersion();
  t.match(sha256, /^[0-9a-f]{64}$/);
  const linesOf = (host: string): Record<string, unknown>[] => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog((_, line) => lines.push(JSON.parse(line) as Record<string, unknown>));
    logStartChecks(parseConfig({ PLATEN_HOST: host }), log);
    return lines;
  };
  t.match(linesOf('127.0.0.1'), [
    { event: 'http server', sha256, source: String },
    { event: 'time zones', version: packagedZoneRules().version },
  ]);
  t.equal(linesOf('127.0.0.1').length, 2);
  const warned = linesOf('0.0.0.0').filter(({ event }) => event === 'kernel settings');
  t.equal(warned.length, unmetKernelSettings().length > 0 ? 1 : 0);
  for (const [host, expected] of Object.entries({ '127.1.2.3': true, '::1': true, '::': false }))
    t.equal(isLoopback(host), expected, host);
});
