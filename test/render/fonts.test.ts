import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { createFontInspector } from '../../src/scheduling/font-inspector.ts';

t.test('all fonts lie in one folder, which the configuration names', async (t) => {
  const path = await prepareFontEnvironment(t.testdir());
  t.equal(basename(path), 'fonts.conf');
  const folder = join(dirname(path), 'files');
  t.match(readFileSync(path, 'utf8'), `<dir>${folder}</dir>`);
  const names = readdirSync(folder);
  t.ok(names.length > 150);
  const others = names.filter((name) => !name.endsWith('.ttf'));
  t.same(others, [], 'none is compressed');
  const linked = names.filter((name) => lstatSync(join(folder, name)).isSymbolicLink());
  t.equal(linked.length, names.length - 1, 'only the emoji are a file of their own');
  for (const name of names) t.ok(statSync(join(folder, name)).size > 0, name);
});

t.test('the data directory is for its owner alone', async (t) => {
  const data = join(t.testdir(), 'data');
  await prepareFontEnvironment(data);
  t.equal(statSync(data).mode & 0o777, 0o700);
});

t.test('a second start finds what the first has made', async (t) => {
  const data = t.testdir();
  const path = await prepareFontEnvironment(data);
  const { ino } = statSync(path);
  t.equal(await prepareFontEnvironment(data), path);
  t.equal(statSync(path).ino, ino);
  t.same(readdirSync(join(data, 'fonts')), [basename(dirname(path))], 'no draft is left');
});

t.test('starts at the same time share one layout', async (t) => {
  const data = t.testdir();
  const paths = await Promise.all(
    Array.from({ length: 3 }, async () => prepareFontEnvironment(data)),
  );
  t.equal(new Set(paths).size, 1);
  const directory = dirname(paths[0] ?? '');
  t.same(readdirSync(join(data, 'fonts')), [basename(directory)], 'no draft is left');
  const whole = await prepareFontEnvironment(t.testdir());
  t.same(readdirSync(join(directory, 'files')), readdirSync(join(dirname(whole), 'files')));
});

const noFont = Buffer.from('no font');

t.test('one organization that sends many fonts leaves slots and turns to the others', async (t) => {
  const inspector = createFontInspector();
  t.teardown(() => inspector.close());
  const ended: string[] = [];
  const inspect = async (organizationUid: string, name: string): Promise<void> => {
    const verdict = await inspector.inspect(organizationUid, noFont);
    t.match(verdict, { ok: false, problem: /^is no / });
    ended.push(name);
  };
  // The first is inspected at once, two more wait.
  const flood: Promise<unknown>[] = ['a1', 'a2', 'a3'].map((name) => inspect('org_a', name));
  for (let more = 0; more < 20; more += 1) {
    flood.push(
      t.rejects(inspector.inspect('org_a', noFont), {
        code: 'OVERLOADED',
        retryAfterSeconds: 5,
      }),
    );
  }
  await Promise.all([...flood, inspect('org_b', 'b1'), inspect('org_c', 'c1')]);
  t.same(ended, ['a1', 'a2', 'b1', 'c1', 'a3'], 'in turns');
});

t.test('an inspector that closes answers all who wait', async (t) => {
  const inspector = createFontInspector();
  const verdicts = ['org_a', 'org_b'].map((uid) => inspector.inspect(uid, noFont));
  const families = inspector.bundledFamilies();
  families.catch(() => undefined);
  await inspector.close();
  for (const verdict of await Promise.all(verdicts)) t.match(verdict, { ok: false });
  await t.rejects(families);
});
