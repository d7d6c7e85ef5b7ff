import t from 'tap';
import { judgeAudit } from './judge-audit.ts';

const advisory = {
  source: 1,
  name: 'bad',
  title: 'Reads files',
  url: 'https://example.com/1',
  severity: 'high',
};

t.test('serious faults of dependencies are told, lesser ones are not', (t) => {
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
  t.end();
});

t.test('a registry that cannot be asked is no clean bill', (t) => {
  const refused = JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '' } });
  t.same(judgeAudit(refused), { isKnown: false, reason: '405 Method Not Allowed' });
  for (const text of ['', 'npm warn', 'null', '[]', '{}']) {
    t.match(judgeAudit(text), { isKnown: false }, text);
  }
  t.end();
});
