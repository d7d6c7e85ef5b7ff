import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { createSigningKeyStore } from '../../src/store/organizations/signing-key-store.ts';
import { startService } from '../e2e/service.ts';
import { repository, runPlaten } from './run-platen.ts';

const key = 'sk_5vJ3wq0ZkX1nB7cT2mR9yHf4LsDgA8uEoPiQeWtYzKx';

t.test('a link is signed as the vectors say, whatever its format', async (t) => {
  const vectors = JSON.parse(
    readFileSync(join(repository, 'test/fixtures/signature-vectors.json'), 'utf8'),
  ) as { title: string; key: string; uid: string; query: string; signature: string }[];
  const titles = ['one value', 'an empty query', 'spaces as pluses', 'repeated names'];
  const chosen = vectors.filter(({ title }) => titles.includes(title));
  t.equal(chosen.length, titles.length);
  for (const vector of chosen) {
    const query = vector.query === '' ? '' : `?${vector.query}`;
    const link = `https://images.example.com/v1/render/${vector.uid}.png${query}`;
    const ran = await runPlaten(['sign', link], {
      environment: { PLATEN_SIGNING_KEY: vector.key },
    });
    t.equal(ran.code, 0, ran.stderr);
    const separator = query === '' ? '?' : '&';
    t.equal(ran.stdout, `${link}${separator}_signature=${vector.signature}\n`, vector.title);
  }
});

t.test('the service draws a link that is signed with the newest key of its database', async (t) => {
  const dataDirectory = join(t.testdir(), 'data');
  const service = await startService(t, { dataDirectory });
  const environment = { PLATEN_DATA_DIR: dataDirectory };
  const folder = join(t.testdirName, 'templates');
  await runPlaten(['templates', 'pull', 'hello', '--dir', folder], { environment });
  const file = join(folder, 'hello.json');
  const text = readFileSync(file, 'utf8').replace(
    '"format": 1,',
    '"format": 1,\n  "linkAuth": "signed",',
  );
  writeFileSync(file, text);
  await runPlaten(['templates', 'push', '--yes', '--publish', '--dir', folder], { environment });
  t.equal((await service.render('hello?name=Amanda')).status, 401);

  const none = await runPlaten(['sign', '/v1/render/hello'], { environment });
  t.equal(none.code, 66);
  t.match(none.stderr, /has no signing key/);
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  createSigningKeyStore(db, Date.now).createSigningKey('org_demo', 'hello');
  db.close();
  const ran = await runPlaten(
    ['sign', '/v1/render/hello?name=Amanda', '--expires', '7d', '--json'],
    {
      environment,
    },
  );
  const { url, expires } = ran.json() as { url: string; expires: string };
  const daysLeft = (Date.parse(expires) - Date.now()) / 86_400_000;
  t.ok(daysLeft > 6.9 && daysLeft <= 7);
  t.equal((await service.get(url)).status, 200);
  const irish = await runPlaten(['sign', `${service.base}/v1/render/hello?name=O'Brien`], {
    environment,
  });
  t.equal(
    (await fetch(irish.stdout.trim())).status,
    200,
    'an apostrophe stands no signature in the way',
  );
  t.equal((await service.get(url.replace('Amanda', 'Bo'))).status, 401);
});

t.test('a link that cannot be signed is a mistake of the arguments', async (t) => {
  const environment = { PLATEN_SIGNING_KEY: key };
  for (const args of [
    ['https://example.com/a.png'],
    ['/v1/render/hello?name=A b'],
    ['/v1/render/hello', '--expires', '2001-01-01'],
    ['/v1/render/hello', '--expires', 'soon'],
  ]) {
    t.equal((await runPlaten(['sign', ...args], { environment })).code, 2, args.join(' '));
  }
  const shown = await runPlaten(['sign', '/v1/render/hello', '--key', key]);
  t.equal(shown.code, 0);
  t.match(shown.stderr, /PLATEN_SIGNING_KEY/, 'a key among the arguments is warned of');
});
