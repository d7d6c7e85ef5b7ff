import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import { demoKey, startService } from '../e2e/service.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { decodePixels } from '../helpers/render.ts';
import { repository, runPlaten } from './run-platen.ts';
import type { Where } from './workplace.ts';
import { workplace } from './workplace.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(240_000);

const dataDirectory = join(t.testdir(), 'data');
const service = await startService(t, { dataDirectory });

/** Two samples, one of them with an image beside it. */
function copySamples(directory: string): void {
  mkdirSync(join(directory, 'pictures'), { recursive: true });
  for (const name of ['hello.json', 'welcome-banner.json', 'pictures/coast.jpg']) {
    copyFileSync(join(repository, 'data/templates', name), join(directory, name));
  }
}

/** A document that is one image. */
function imageDocument(name: string, src: string): string {
  const layer = { id: 'l', type: 'image', x: 0, y: 0, width: 40, height: 40, src };
  const size = { width: 40, height: 40 };
  return JSON.stringify({ format: 1, name, ...size, variables: [], layers: [layer] });
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
  const photo = /^\/pictures\/[0-9a-f]{8}\.jpg$/;
  t.match(names, ['/hello.json', photo, '/platen.lock', '/welcome-banner.json']);
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
  for (const [code, ...where] of [
    [69, '--url', 'http://127.0.0.1:9'],
    [2, '--url', 'x'],
    [2, ...args, '--org', 'a'],
  ] as [number, ...string[]][]) {
    const listed = await runPlaten(['templates', 'list', ...where], { environment });
    t.equal(listed.code, code, where.join(' '));
  }

  const asDemo = { args, environment: { PLATEN_API_KEY: demoKey } };
  const demo = workplace(join(root, 'demo'), asDemo);
  t.equal((await demo.run('pull', 'hello', 'welcome-banner')).code, 0);
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

t.test('a service that lists a path as a uid makes no file', async (t) => {
  const origin = await startOrigin({
    '/v1/templates': (_request, response) =>
      response.end(JSON.stringify({ templates: [{ uid: 'fine' }, { uid: '../out' }], total: 2 })),
  });
  t.teardown(origin.close);
  const environment = { PLATEN_API_KEY: demoKey };
  const root = t.testdir();
  const inner = workplace(join(root, 'inner'), { args: ['--url', origin.url('')], environment });
  const pulled = await inner.run('pull');
  t.match(pulled, { code: 1, stderr: /"\.\.\/out" is not the uid of a template: expected/ });
  t.same(origin.requests.length, 1, 'and reads no document');
  t.same(inner.files(), {});
});

t.test('an SVG stays the same file through pull and push', async (t) => {
  const root = t.testdir();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#c00"/></svg>';
  const homes = {
    local: { args: ['--org', 'demo'], environment: { PLATEN_DATA_DIR: dataDirectory } },
    remote: { args: ['--url', service.base], environment: { PLATEN_API_KEY: demoKey } },
  };
  for (const [name, where] of Object.entries(homes)) {
    const mine = workplace(join(root, name), where);
    mkdirSync(join(mine.directory, 'pictures'));
    writeFileSync(join(mine.directory, 'pictures/mark.svg'), svg);
    const file = join(mine.directory, `svg-${name}.json`);
    writeFileSync(file, imageDocument(name, './pictures/mark.svg'));
    const valid = await runPlaten(['validate', file]);
    t.equal(valid.code, 0, valid.stdout);
    const drawn = await runPlaten(['render', file, '-o', join(root, `${name}.png`)]);
    t.equal(drawn.code, 0, drawn.stderr);
    const pushed = await mine.run('push', '--yes', '--publish');
    t.equal(pushed.code, 0, pushed.stderr);
    const answer = await service.render(`svg-${name}.png`);
    t.equal(answer.status, 200);
    // Files of the same pixels differ between a process with a base render and one without.
    const [served, here] = await Promise.all([
      decodePixels(answer.body),
      decodePixels(readFileSync(join(root, `${name}.png`))),
    ]);
    t.ok(here.data.equals(served.data), 'drawn as the service does');
    const theirs = workplace(join(root, `${name}-theirs`), where);
    const pulled = await theirs.run('pull', `svg-${name}`);
    t.equal(pulled.code, 0, pulled.stderr);
    const [path, text] =
      Object.entries(theirs.files()).find(([key]) => key.startsWith('/pictures/')) ?? [];
    t.match(path, /^\/pictures\/[0-9a-f]{8}\.svg$/);
    t.equal(text, svg);
  }
  const open = '<svg xmlns="http://www.w3.org/2000/svg"><g';
  writeFileSync(join(root, 'local/pictures/mark.svg'), open);
  const refused = await runPlaten(['validate', join(root, 'local/svg-local.json')]);
  t.equal(refused.code, 1);
  t.match(refused.stdout, /layers\[0\]\.src .*mark\.svg/);
});

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

  const broken = imageDocument('Broken', 'http://127.0.0.1:9/a.png');
  writeFileSync(join(mine.directory, 'a-broken.json'), broken);
  mine.edit('hello', 'Good day, {{name}}!', 'Hi, {{name}}!');
  const gated = await mine.run('push', '--yes', '--publish', '--json');
  t.equal(gated.code, 1);
  const reported = gated.json() as { templates: { cid?: string; version?: number }[] };
  t.match(reported, { pushed: false, error: /a-broken draws no default image/ });
  const stored = reported.templates.map(({ cid, version }) => `${typeof cid} ${version}`);
  t.same(stored, ['string undefined', 'string undefined'], 'both are stored, and none is public');
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
