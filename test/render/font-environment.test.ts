import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';

t.test('all fonts lie in one folder, which the configuration names', async (t) => {
  const path = await prepareFontEnvironment(t.testdir());
  t.equal(basename(path), 'fonts.conf');
  const folder = join(dirname(path), 'files');
  t.match(readFileSync(path, 'utf8'), `<dir>${folder}</dir>`);
  const names = readdirSync(folder);
  t.ok(names.length > 150);
  t.ok(
    names.every((name) => name.endsWith('.ttf')),
    'none is compressed',
  );
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
