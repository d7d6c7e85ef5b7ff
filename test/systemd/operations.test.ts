import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'operations.md'), 'utf8');

t.test('the page says what each alarm means, and of no other', async (t) => {
  const rules = readFileSync(join(docs, 'prometheus-alerts.yml'), 'utf8');
  const alarms = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const rows = [...page.matchAll(/^\| `(Platen\w+)` +\|/gm)].map(([, name = '']) => name);
  t.ok(alarms.length > 5);
  t.same(rows.toSorted(), alarms.toSorted());
});

t.test('the settings to copy publish no metrics', async (t) => {
  const env = readFileSync(join(docs, '../systemd/platen.env'), 'utf8');
  t.match(env, /^PLATEN_METRICS_PORT=\d+$/m);
  t.match(env, /^PLATEN_METRICS_HOST=127\.0\.0\.1$/m);
});
