import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { prepareFontEnvironment } from '../../src/render/font-environment.ts';

t.test('all fonts lie in one folder, which the configuration names', (t) => {
  const path = prepareFontEnvironment(t.testdir());
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
  t.end();
});

t.test('the data directory is for its owner alone', (t) => {
  const data = join(t.testdir(), 'data');
  prepareFontEnvironment(data);
  t.equal(statSync(data).mode & 0o777, 0o700);
  t.end();
});

t.test('a second start finds what the first has made', (t) => {
  const data = t.testdir();
  const path = prepareFontEnvironment(data);
  const { ino } = statSync(path);
  t.equal(prepareFontEnvironment(data), path);
  t.equal(statSync(path).ino, ino);
  t.same(readdirSync(join(data, 'fonts')), [basename(dirname(path))], 'no draft is left');
  t.end();
});
