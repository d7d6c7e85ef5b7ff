import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { judgeAudit } from './judge-audit.ts';

const program = fileURLToPath(new URL('run.ts', import.meta.url));

const advisory = {
  source: 1,
  name: 'bad',
  title: 'Reads files',
  url: 'https://example.com/1',
  severity: 'high',
};

t.test('serious faults of dependencies are reported, lesser ones are not', async (t) => {
  const report = {
    auditReportVersion: 2,
    vulnerabilities: {
      bad: { name: 'bad', severity: 'high', via: [advisory], range: '<2.0.0' },
      user: { name: 'user', severity: 'critical', via: ['bad'], range: '*' },
      small: { name: 'small', severity: 'moderate', via: [advisory], range: '*' },
    },
    metadata: {},
  };
  t.same(judgeAudit(JSON.stringify(report)), {
    isKnown: true,
    advisories: ['bad <2.0.0: high, Reads files (https://example.com/1)', 'user *: critical'],
  });
  t.same(judgeAudit(JSON.stringify({ ...report, vulnerabilities: {} })), {
    isKnown: true,
    advisories: [],
  });
});

t.test('a registry that cannot be asked is no clean bill', async (t) => {
  const refused = JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '' } });
  t.same(judgeAudit(refused), { isKnown: false, reason: '405 Method Not Allowed' });
  for (const text of ['', 'npm warn', 'null', '[]', '{}']) {
    t.match(judgeAudit(text), { isKnown: false }, text);
  }
});

t.test('without a registry the audit passes and says so, and fails where it is required', (t) => {
  // Nothing listens on port 9 of this machine.
  const env = {
    PATH: process.env['PATH'],
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_cache: t.testdir(),
  };
  const audit = (...args: string[]): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
  const allowed = audit();
  t.match(allowed.stdout, /NOT audited/);
  t.equal(allowed.status, 0);
  const required = audit('--required');
  t.match(required.stdout, /NOT audited/);
  t.equal(required.status, 1);
  t.end();
});
