import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import { repository, runPlaten } from './run-platen.ts';
import { workplace } from './workplace.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(240_000);

t.test('a push publishes no draft that was rolled back or cannot be rendered', async (t) => {
  const root = t.testdir();
  const environment = { PLATEN_DATA_DIR: join(root, 'data') };
  const made = await runPlaten(['org', 'create', 'acme', '--json'], { environment });
  const { organization } = made.json() as { organization: { uid: string } };
  const organizationUid = organization.uid;
  const mine = workplace(join(root, 'mine'), { environment });
  const hello = join(repository, 'data/templates/hello.json');
  copyFileSync(hello, join(mine.directory, 'hello.json'));
  await mine.run('push', '--yes', '--publish');
  mine.edit('hello', 'Hello, {{name}}!', 'Good day, {{name}}!');
  await mine.run('push', '--yes', '--publish');
  const db = openDatabase(join(root, 'data/platen.db'));
  const store = createTemplateStore(db);
  store.publish(organizationUid, 'hello', { version: 1 });
  const unnamed = await mine.run('push', '--yes', '--publish', '--json');
  t.match(unnamed.json(), { templates: [{ change: 'none' }] });
  const undone = await mine.run('push', 'hello', '--yes', '--publish', '--json');
  t.equal(undone.code, 1);
  t.match(undone.json(), { pushed: false, templates: [{ change: 'rolledBack' }] });
  const forced = await mine.run('push', 'hello', '--yes', '--publish', '--force', '--json');
  t.match(forced.json(), { templates: [{ change: 'publish', version: 4 }] });

  const broken = JSON.stringify({
    format: 1,
    name: 'Broken',
    width: 40,
    height: 40,
    variables: [],
    layers: [
      { id: 'l', type: 'image', x: 0, y: 0, width: 9, height: 9, src: 'http://127.0.0.1:9/a.png' },
    ],
  });
  writeFileSync(join(mine.directory, 'a-broken.json'), broken);
  mine.edit('hello', 'Good day, {{name}}!', 'Hi, {{name}}!');
  const gated = await mine.run('push', '--yes', '--publish', '--json');
  t.equal(gated.code, 1);
  const reported = gated.json() as { templates: { cid?: string; version?: number }[] };
  t.match(reported, { pushed: false, error: /a-broken draws no default image/ });
  t.strictSame(
    reported.templates.map(({ cid, version }) => [typeof cid, version]),
    [
      ['string', undefined],
      ['string', undefined],
    ],
    'both drafts are stored, and none is public',
  );
  const all = { environment };
  t.equal((await runPlaten(['templates', 'publish', 'a-broken'], all)).code, 1);
  const anyway = await runPlaten(['templates', 'publish', 'a-broken', '--force'], all);
  t.equal(anyway.code, 0, anyway.stderr);
  t.match(anyway.stderr, /published all the same/);

  t.equal((await runPlaten(['templates', 'archive', 'hello'], all)).code, 0);
  const archived = await mine.run('push', 'hello', '--yes', '--json');
  t.equal(archived.code, 1);
  t.match(archived.json(), { pushed: false, templates: [{ change: 'archived' }] });
  t.equal((await runPlaten(['templates', 'restore', 'hello'], all)).code, 0);
  t.ok(store.findDetails(organizationUid, 'hello'));
  store.close();
  db.close();
});
