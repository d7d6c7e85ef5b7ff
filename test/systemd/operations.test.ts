import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeCertificate } from '../fixtures/images-tls.ts';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'operations.md'), 'utf8');

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

t.test('the page says what each alarm means, and of no other', (t) => {
  const rules = readFileSync(join(docs, 'prometheus-alerts.yml'), 'utf8');
  const alarms = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const rows = [...page.matchAll(/^\| `(Platen\w+)` +\|/gm)].map(([, name = '']) => name);
  t.ok(alarms.length > 5);
  t.same(rows.toSorted(), alarms.toSorted());
  t.end();
});

t.test('the settings to copy publish no metrics', (t) => {
  const env = readFileSync(join(docs, '../systemd/platen.env'), 'utf8');
  t.match(env, /^PLATEN_METRICS_PORT=\d+$/m);
  t.match(env, /^PLATEN_METRICS_HOST=127\.0\.0\.1$/m);
  t.end();
});

t.test('the sections at the top are those of the page', (t) => {
  const [top = '', ...sections] = page.split('\n## ');
  const named = [...top.matchAll(/\]\(#([a-z0-9-]+)\)/g)].map(([, name = '']) => name);
  const anchors = sections.map((text) =>
    (text.split('\n')[0] ?? '').toLowerCase().replaceAll(' ', '-'),
  );
  t.same(named, anchors);
  t.end();
});

t.test(
  'nginx takes the settings that the page shows',
  hasNginx ? {} : { skip: 'nginx is not installed' },
  (t) => {
    const folder = t.testdir();
    const { key, cert } = makeCertificate(['images.example.com']);
    writeFileSync(join(folder, 'privkey.pem'), key);
    writeFileSync(join(folder, 'fullchain.pem'), cert);
    mkdirSync(join(folder, 'logs'));
    const [, shown = ''] = /```nginx\n([^]*?)```/.exec(page) ?? [];
    const settings = shown
      .replaceAll('/etc/letsencrypt/live/images.example.com', folder)
      .replaceAll('/var/cache/nginx', folder)
      .replaceAll('listen 443', 'listen 127.0.0.1:18443');
    const path = join(folder, 'nginx.conf');
    writeFileSync(
      path,
      `pid ${folder}/pid; error_log stderr; events {} http { access_log off;\n${settings}\n}`,
    );
    const { status, stderr } = spawnSync(
      'nginx',
      ['-t', '-e', 'stderr', '-p', folder, '-c', path],
      {
        encoding: 'utf8',
      },
    );
    t.equal(status, 0, stderr);
    t.notMatch(stderr, /\[(warn|emerg)\]/);
    t.end();
  },
);
