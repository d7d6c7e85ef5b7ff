/** Commands beside a running service: it sees what they change, and they have what it has. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { createTableStore } from '../../src/mailings/store/tables/table-store.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { createSigningKeyStore } from '../../src/store/organizations/signing-key-store.ts';
import { demoKey, startService } from '../e2e/service.ts';
import { repository, runPlaten } from './run-platen.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(120_000);

const dataDirectory = join(t.testdir(), 'data');
const environment = { PLATEN_DATA_DIR: dataDirectory };
const service = await startService(t, { dataDirectory });

t.test('a file is drawn to the bytes of a first answer, and pixels of later ones', async (t) => {
  const banner = 'data/templates/welcome-banner.json';
  const draw = async (...values: string[]): Promise<Buffer> => {
    const args = ['render', banner, ...values.flatMap((value) => ['--set', value]), '-o', '-'];
    const ran = await runPlaten(args, { environment: { PLATEN_DATA_DIR: t.testdirName } });
    t.equal(ran.code, 0, ran.stderr);
    return ran.bytes;
  };
  const folder = t.testdir();
  const first = await service.render('welcome-banner');
  t.ok(first.body.equals(await draw()), 'the same bytes');

  // The second image of a template makes its base render, so the third is drawn over one.
  await service.render('welcome-banner?name=Bo');
  const spliced = await service.render('welcome-banner?name=Amanda&offer=50%25+off');
  t.equal(spliced.status, 200);
  const images = [await draw('name=Amanda', 'offer=50% off'), spliced.body];
  const [offline, online] = await Promise.all(images.map((each) => sharp(each).raw().toBuffer()));
  t.ok(online !== undefined && offline?.equals(online), 'the same pixels');

  const font = join(repository, 'node_modules/@expo-google-fonts/lobster/400Regular');
  const upload = await fetch(`${service.base}/v1/fonts`, {
    method: 'POST',
    headers: { 'X-API-Key': demoKey },
    body: readFileSync(join(font, 'Lobster_400Regular.ttf')),
  });
  t.equal(upload.status, 201);
  const hello = readFileSync(join(repository, 'data/templates/hello.json'), 'utf8');
  const withLobster = hello.replace('Fraunces', 'Lobster').replace('"fontWeight": 600,', '');
  writeFileSync(join(folder, 'lobster.json'), withLobster);
  const args = ['render', 'lobster.json', '--org', 'demo', '-o', 'lobster.png', '--json'];
  const chosen = await runPlaten(args, { cwd: folder, environment });
  // With the fonts of the organization.
  t.match(chosen.json(), { format: 'png', warnings: { length: 0 } });
});

t.test('a backup has the data of the running service, and rows on demand', async (t) => {
  const folder = t.testdir({ 'other.txt': 'no backup' });
  const put = (rows: string) => {
    const headers = { 'X-API-Key': demoKey };
    const init = { method: 'PUT', headers, body: `id,name\n${rows}` };
    return fetch(`${service.base}/v1/tables/members?key=id`, init);
  };
  await put('8f2c,Amanda\n');
  const copy = (...args: string[]) =>
    runPlaten(['backup', ...args, '--json'], { environment, cwd: folder });
  const first = await copy('backup.db', '--tables', 'rows');
  t.equal(first.code, 0, first.stderr);
  const file = join(folder, 'backup.db');
  t.match(first.json(), { file, organizations: 1, templates: 9, tables: 1 });
  await put('8f2c,Zoë\n');
  const again = await copy('backup.db', '--tables', 'rows');
  t.match(again.json(), { tables: 1 }, again.stderr);
  t.equal(readdirSync(join(folder, 'rows')).length, 1, 'the rows before are gone');
  const db = openDatabase(file);
  t.equal(db.prepare('SELECT count(*) FROM templates').pluck().get(), 9);
  const restored = createTableStore(db, join(folder, 'rows'));
  t.teardown(() => restored.close());
  t.equal(restored.findRow('org_demo', 'members', '8f2c')?.('name'), 'Zoë');
  const refused = await copy('other.txt');
  t.equal(refused.code, 1);
  t.match(refused.json(), { error: /is no backup/ });
  const parts = readdirSync(folder).filter((name) => name.includes('.part'));
  t.same(parts, []);
});

t.test('a running service sees a new key, and the end of it, at once', async (t) => {
  const statusOf = async (key: string): Promise<number> => {
    const headers = { 'X-API-Key': key };
    return (await service.get('/v1/validate-organization', { headers })).status;
  };
  const args = ['key', 'create', 'mail', '--scopes', 'read', '--json'];
  const made = (await runPlaten(args, { environment })).json() as { id: number; key: string };
  t.match(made, { name: 'mail', scopes: ['read'] });
  t.equal(await statusOf(made.key), 200);
  const revoked = await runPlaten(['key', 'revoke', String(made.id)], { environment });
  t.equal(revoked.code, 0);
  t.equal(await statusOf(made.key), 401);
  const again = await runPlaten(['key', 'revoke', String(made.id)], { environment });
  t.equal(again.code, 1);
  t.match(again.stderr, /no valid key/);
  t.equal((await runPlaten(['key', 'revoke', 'x'], { environment })).code, 2);
  t.equal((await runPlaten(['key', 'create', 'k', '--scopes', 'all'], { environment })).code, 2);
});

t.test('a link is signed as the vectors say, whatever its format', async (t) => {
  const file = join(repository, 'docs/signature-vectors.json');
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
    title: string;
    key: string;
    uid: string;
    values: Record<string, string>;
    signature: string;
  }[];
  const titles = ['one value', 'no value', 'spaces', 'names with accents and spaces'];
  const chosen = vectors.filter(({ title }) => titles.includes(title));
  t.equal(chosen.length, titles.length);
  for (const { title, key, uid, values, signature } of chosen) {
    const link = `https://images.example.com/v1/render/${uid}.png?${new URLSearchParams(values).toString()}`;
    const ran = await runPlaten(['sign', link], { environment: { PLATEN_SIGNING_KEY: key } });
    t.equal(ran.code, 0, ran.stderr);
    const signed = new URL(ran.stdout.trim());
    t.equal(signed.searchParams.get('_signature'), signature, title);
    t.equal(signed.pathname, `/v1/render/${uid}.png`);
  }
});

t.test('the service draws a link that is signed with the newest key of its database', async (t) => {
  const folder = t.testdir();
  await runPlaten(['templates', 'pull', 'hello', '--dir', folder], { environment });
  const file = join(folder, 'hello.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"format": 1,', '"format": 1,\n  "linkAuth": "signed",'));
  const push = ['templates', 'push', '--yes', '--publish', '--dir', folder];
  const pushed = await runPlaten(push, { environment });
  t.match(
    pushed.stderr,
    /hello\.json: linkAuth is "signed" .* linkAuth is "open".*\/hello\/access/,
  );
  t.equal((await service.render('hello?name=Amanda')).status, 200, 'no push changes the access');
  const closed = await fetch(`${service.base}/v1/templates/hello/access`, {
    method: 'PUT',
    headers: { 'X-API-Key': demoKey },
    body: JSON.stringify({ linkAuth: 'signed', linkOptions: ['format'], atZero: 'stay' }),
  });
  t.equal(closed.status, 200);
  const again = await runPlaten([...push, '--json'], { environment });
  t.match(again.json(), { templates: [{ uid: 'hello', change: 'none' }] });
  t.notOk(again.stderr.includes('linkAuth'), 'the file agrees now');
  t.equal((await service.render('hello?name=Amanda')).status, 401);

  const none = await runPlaten(['sign', '/v1/render/hello'], { environment });
  t.equal(none.code, 66);
  t.match(none.stderr, /has no signing key/);
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  createSigningKeyStore(db, Date.now).createSigningKey('org_demo', 'hello');
  db.close();
  const args = ['sign', '/v1/render/hello?name=Amanda', '--expires', '7d', '--json'];
  const ran = await runPlaten(args, { environment });
  const { url, expires } = ran.json() as { url: string; expires: string };
  const daysLeft = (Date.parse(expires) - Date.now()) / 86_400_000;
  t.ok(daysLeft > 6.9 && daysLeft <= 7);
  t.equal((await service.get(url)).status, 200);
  const apostrophe = `${service.base}/v1/render/hello?name=O'Brien`;
  const irish = await runPlaten(['sign', apostrophe], { environment });
  t.equal((await fetch(irish.stdout.trim())).status, 200, apostrophe);
  t.equal((await service.get(url.replace('Amanda', 'Bo'))).status, 401);
});

t.test('a link that cannot be signed is a mistake of the arguments', async (t) => {
  const key = 'sk_5vJ3wq0ZkX1nB7cT2mR9yHf4LsDgA8uEoPiQeWtYzKx';
  const signing = { PLATEN_SIGNING_KEY: key };
  for (const args of [
    ['https://example.com/a.png'],
    ['/v1/render/hello?name=A b'],
    ['/v1/render/hello', '--expires', '2001-01-01'],
    ['/v1/render/hello', '--expires', 'soon'],
  ]) {
    t.equal((await runPlaten(['sign', ...args], { environment: signing })).code, 2, args.join(' '));
  }
  const shown = await runPlaten(['sign', '/v1/render/hello', '--key', key]);
  t.equal(shown.code, 0);
  t.match(shown.stderr, /PLATEN_SIGNING_KEY/, 'a key among the arguments is warned of');
});
