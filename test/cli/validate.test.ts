import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { repository, runPlaten } from './run-platen.ts';

const hello = readFileSync(join(repository, 'data/templates/hello.json'), 'utf8');

t.test('the samples are valid', async (t) => {
  const files = ['welcome-banner', 'hello'].map((uid) => `data/templates/${uid}.json`);
  const ran = await runPlaten(['validate', ...files]);
  t.equal(ran.code, 0);
  t.equal(ran.stdout, files.map((file) => `valid  ${file}\n`).join(''));
  t.equal(ran.stderr, '');
});

t.test('every problem of every file is reported with its line and column', async (t) => {
  const deep = hello.replace('"fontSize": 44', '"fontSize": "big"');
  const folder = t.testdir({
    'a.json': hello.replace('"width": 400', '"width": 0'),
    'b.json': hello.replace('"height": 200,', '"height": 200,,'),
    'c.json': hello,
    'd.json': deep.replace('"fill"', '"colour"'),
  });
  const files = ['a.json', 'b.json', 'c.json', 'd.json'];
  const ran = await runPlaten(['validate', ...files], { cwd: folder });
  t.equal(ran.code, 1);
  const lines = ran.stdout.trim().split('\n');
  t.match(lines[0], /^a\.json:5:12 width is 0, expected /);
  t.match(lines[1], /^b\.json:6:17 is no JSON: /);
  t.equal(lines[2], 'valid  c.json');
  t.match(lines.at(-1), /^4 problems in 4 files$/);

  const asJson = await runPlaten(['validate', ...files, '--json'], { cwd: folder });
  t.equal(asJson.code, 1);
  const found = asJson.json() as { files: { problems: Record<string, unknown>[] }[] };
  t.match(found.files[0]?.problems, [{ line: 5, column: 12, path: 'width' }]);
  t.match(found.files[1]?.problems, [{ line: 6, column: 17 }]);
  t.match(found.files[2], { valid: true, problems: { length: 0 } });
  t.equal(found.files[3]?.problems.length, 2);
  for (const [path, value] of [
    ['layers[0].fontSize', '"big"'],
    ['layers[0].colour', '"#3b2417"'],
  ] as const) {
    const text = deep.slice(0, deep.indexOf(value)).replace('"fill"', '"colour"').split('\n');
    const position = { line: text.length, column: (text.at(-1)?.length ?? 0) + 1 };
    const problem = found.files[3]?.problems.find((each) => each['path'] === path);
    t.match(problem, position, path);
  }
});

t.test('a missing image is a problem of the document', async (t) => {
  const text = hello.replace(
    '"layers": [',
    '"layers": [{"id":"p","type":"image","x":0,"y":0,"width":9,"height":9,"src":"./pictures/a.png"},',
  );
  const folder = t.testdir({ 'a.json': text });
  const missing = await runPlaten(['validate', 'a.json'], { cwd: folder });
  t.equal(missing.code, 1);
  t.match(
    missing.stdout,
    /^a\.json:\d+:\d+ layers\[0\]\.src "\.\/pictures\/a\.png" does not exist/,
  );
  mkdirSync(join(folder, 'pictures'));
  writeFileSync(join(folder, 'pictures/a.png'), 'no image');
  const broken = await runPlaten(['validate', 'a.json'], { cwd: folder });
  t.match(broken.stdout, /is no image that can be drawn/);
  t.equal(broken.code, 1);
});

t.test('a duplicate property is a warning', async (t) => {
  const folder = t.testdir({ 'a.json': hello.replace('"width"', '"name": "Twice",\n  "width"') });
  const ran = await runPlaten(['validate', 'a.json'], { cwd: folder });
  t.equal(ran.code, 0);
  t.match(ran.stdout, /a\.json:5:3 name stands here a second time/);
});

t.test('a file that cannot be read gives 66, whatever the others are', async (t) => {
  const folder = t.testdir({ 'a.json': '[]', 'deep.json': '['.repeat(100_000) });
  const ran = await runPlaten(['validate', 'none.json', 'a.json', 'deep.json'], { cwd: folder });
  t.equal(ran.code, 66);
  t.match(ran.stdout, /^none\.json:1:1 ENOENT/m);
  t.match(ran.stdout, /^a\.json:1:1 \(document\) /m);
  t.match(ran.stdout, /^deep\.json:\d+:\d+ is no JSON: /m);
});
