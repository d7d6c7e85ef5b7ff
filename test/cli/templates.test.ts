import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, startService } from '../e2e/service.ts';
import { repository, runPlaten } from './run-platen.ts';
import type { Where } from './workplace.ts';
import { workplace } from './workplace.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(120_000);

/** Two samples, one of them with an image beside it. */
function copySamples(directory: string): void {
  mkdirSync(join(directory, 'pictures'), { recursive: true });
  for (const name of ['hello.json', 'welcome-banner.json', 'pictures/coast.jpg']) {
    copyFileSync(join(repository, 'data/templates', name), join(directory, name));
  }
}

/** What both homes of templates must do. */
async function checkRoundTrip(t: Test, root: string, where: Where): Promise<void> {
  const mine = workplace(join(root, 'mine'), where);
  copySamples(mine.directory);

  const dry = await mine.run('push', '--dry-run');
  t.equal(dry.code, 0, dry.stderr);
  t.match(dry.stdout, /^hello {2}new\n--- \/dev\/null/m);
  const unasked = await mine.run('push');
  t.equal(unasked.code, 2, 'nobody can be asked');
  const empty = await mine.run('push', '--dry-run', '--json');
  t.match(empty.json(), { pushed: false, templates: [{ change: 'create' }, { change: 'create' }] });

  const pushed = await mine.run('push', '--yes', '--publish', '--message', 'first', '--json');
  t.equal(pushed.code, 0, pushed.stderr);
  t.match(pushed.json(), { pushed: true, templates: [{ version: 1 }, { version: 1 }] });
  t.match((await mine.run('push')).stdout, /^Nothing to push/, 'needs no confirmation');

  const theirs = workplace(join(root, 'theirs'), where);
  t.equal((await theirs.run('pull')).code, 0);
  const pulled = theirs.files();
  const names = Object.keys(pulled).filter(
    (path) => path.startsWith('/pictures/') || /hello|banner|lock/.test(path),
  );
  t.match(names, [
    '/hello.json',
    /^\/pictures\/[0-9a-f]{8}\.jpg$/,
    '/platen.lock',
    '/welcome-banner.json',
  ]);
  await theirs.run('pull');
  t.same(theirs.files(), pulled, 'pulling twice changes nothing');
  await theirs.run('push', '--yes');
  await theirs.run('pull');
  t.same(theirs.files(), pulled, 'pull, push and pull are one pull');

  theirs.edit('hello', 'Hello, {{name}}!', 'Good day, {{name}}!');
  const edited = await theirs.run('push', '--yes', '--json');
  t.match(edited.json(), {
    templates: [
      { uid: 'hello', change: 'update', diff: /-.*Hello, \{\{name\}\}[^]*\+.*Good day/ },
      { uid: 'welcome-banner', change: 'none' },
    ],
  });
  const unnamed = await theirs.run('push', '--yes', '--publish', '--json');
  t.match(unnamed.json(), { templates: [{ change: 'none' }, { change: 'none' }] });
  const later = await theirs.run('push', 'hello', '--yes', '--publish', '--json');
  const diff = /-.*Hello, \{\{name\}\}[^]*\+.*Good day/;
  t.match(
    later.json(),
    { templates: [{ change: 'publish', version: 2, diff }] },
    'against what is public',
  );

  // Unchanged here, changed there: nothing to push, and no harm.
  t.match((await mine.run('push')).stdout, /hello {2}changed by somebody else, and not here/);
  mine.edit('hello', 'Hello, {{name}}!', 'Hi, {{name}}!');
  const conflict = await mine.run('push', '--yes');
  t.equal(conflict.code, 1);
  t.match(conflict.stdout, /^hello {2}conflict/m);
  const kept = await mine.run('pull');
  t.equal(kept.code, 1);
  t.match(kept.stderr, /hello\.json has changes that were not pushed/);
  t.match(mine.files()['/hello.json'], 'Hi, {{name}}!');
  t.equal((await mine.run('push', 'hello', '--force', '--yes')).code, 0);
  await theirs.run('pull');
  t.match(theirs.files()['/hello.json'], 'Hi, {{name}}!');
  const images = Object.keys(mine.files()).filter((path) => path.startsWith('/pictures/'));
  t.same(images, ['/pictures/coast.jpg'], 'an image keeps the name that a person has given to it');
}

t.test('templates go round through the local database', async (t) => {
  const root = t.testdir();
  const environment = { PLATEN_DATA_DIR: join(root, 'data') };
  await runPlaten(['org', 'create', 'acme'], { environment });
  await checkRoundTrip(t, root, { environment });

  const mine = workplace(join(root, 'mine'), { environment });
  mine.edit('hello', '"width": 400', '"width": -1');
  mine.edit('welcome-banner', '"Welcome banner"', '"Other name"');
  const refused = await mine.run('push', '--yes');
  t.equal(refused.code, 1);
  t.match(refused.stdout, /hello\.json:5:\d+ width is -1/);
  const list = await runPlaten(['templates', 'list', '--json'], { environment });
  t.match(list.json(), { total: 2 });
  t.notMatch(list.stdout, 'Other name', 'nothing is pushed when one is not valid');
  const gone = await mine.run('pull', 'none');
  t.equal(gone.code, 1);
  t.match(gone.stderr, /no template none/);
  const versions = await runPlaten(
    ['templates', 'publish', 'hello', 'welcome-banner', '--message', 'again', '--json'],
    { environment },
  );
  t.match(versions.json(), { published: [{ uid: 'hello', version: 3 }, { version: 2 }] });
});

t.test('templates go round through a service and its key', async (t) => {
  const root = t.testdir();
  const dataDirectory = join(root, 'data');
  const service = await startService(t, { dataDirectory });
  const made = await runPlaten(['org', 'create', 'acme', '--json'], {
    environment: { PLATEN_DATA_DIR: dataDirectory },
  });
  const { key } = made.json() as { key: string };
  // The uids of the samples are those of the demo organization.
  const args = ['--url', service.base];
  const environment = { PLATEN_API_KEY: key };
  const taken = workplace(join(root, 'taken'), { args, environment });
  copySamples(taken.directory);
  const refused = await taken.run('push', '--yes');
  t.equal(refused.code, 1);
  t.match(refused.stderr, /hello/);

  const none = await runPlaten(['templates', 'list', ...args, '--json'], { environment });
  t.same(none.json(), { templates: [], total: 0 });
  const banner = readFileSync(join(taken.directory, 'welcome-banner.json'));
  writeFileSync(join(taken.directory, 'acme-banner.json'), banner);
  const accepted = await taken.run('push', 'acme-banner', '--yes', '--publish', '--json');
  t.match(accepted.json(), { templates: [{ uid: 'acme-banner', change: 'create', version: 1 }] });
  t.equal((await service.render('acme-banner')).status, 200, 'its image was uploaded');
  for (const [name, value] of Object.entries({ none: undefined, wrong: 'pk_live_wrong' })) {
    const ran = await runPlaten(['templates', 'list', ...args], {
      environment: value === undefined ? {} : { PLATEN_API_KEY: value },
    });
    t.equal(ran.code, 77, `${name} key`);
  }
  const nobody = await runPlaten(['templates', 'list', '--url', 'http://127.0.0.1:9'], {
    environment,
  });
  t.equal(nobody.code, 69);
  const noAddress = await runPlaten(['templates', 'list', '--url', 'x'], { environment });
  t.equal(noAddress.code, 2);
  const both = await runPlaten(['templates', 'list', ...args, '--org', 'a'], { environment });
  t.equal(both.code, 2);

  const asDemo = { args, environment: { PLATEN_API_KEY: demoKey } };
  const demo = workplace(join(root, 'demo'), asDemo);
  t.equal((await demo.run('pull', 'hello', 'welcome-banner')).code, 0);
  const pulled = demo.files();
  await demo.run('pull', 'hello', 'welcome-banner');
  t.same(demo.files(), pulled, 'pulling twice changes nothing');
  demo.edit('hello', 'Hello, {{name}}!', 'Good day, {{name}}!');
  const before = await service.render('hello');
  const pushed = await demo.run('push', 'hello', '--yes', '--publish', '--json');
  t.equal(pushed.code, 0, pushed.stderr);
  t.match(pushed.json(), { templates: [{ uid: 'hello', change: 'update', version: 2 }] });
  t.notOk((await service.render('hello')).body.equals(before.body), 'links show it at once');

  const client = new PlatenClient({ baseUrl: service.base, apiKey: demoKey });
  const stale = { cid: '0'.repeat(32) };
  await t.rejects(client.publishTemplate('hello', {}, stale), { message: /./, status: 412 });
  await t.rejects(client.archiveTemplate('hello', stale), { message: /./, status: 412 });
  await t.rejects(client.restoreTemplate('hello', stale), { message: /./, status: 412 });
});
