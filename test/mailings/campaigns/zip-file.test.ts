/** A ZIP grows over 4 GiB and 65,535 files, and continues from each of its states; files stop before a disk is full. */
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import type { Test } from 'tap';
import fc from 'fast-check';
import { openPromise } from 'yauzl';
import { requireDiskSpace } from '../../../src/mailings/campaigns/results/disk-space.ts';
import { createNames, safeName } from '../../../src/mailings/campaigns/results/files/file-names.ts';
import { ZipFile } from '../../../src/mailings/campaigns/results/files/zip-file.ts';
import { onlyFull } from '../../helpers/extent.ts';
import { readZip } from './file-readers.ts';
import { anyCodePoint } from '../../helpers/code-points.ts';

const modifiedMs = Date.UTC(2026, 10, 23, 12, 30, 4);

t.test('files beyond 4 GiB are found', async (t: Test) => {
  const path = join(t.testdir(), 'large.zip');
  const start = 2 ** 32 + 5;
  // What stands before them is a hole, which takes no space on the disk.
  const hole = await open(path, 'w');
  await hole.truncate(start);
  await hole.close();
  const zip = new ZipFile(path, `${path}.index`, modifiedMs);
  await zip.start({ bytes: start, directoryBytes: 0, entries: 0 });
  for (const name of ['first.txt', 'zweite Ä.txt']) {
    await zip.add(name, Buffer.from(`This is ${name}.`));
  }
  await zip.finish();
  await zip.close();
  t.ok((await stat(path)).size > start);
  const read = await openPromise(path, { autoClose: false });
  const files: [string, string][] = [];
  for await (const entry of read.eachEntry()) {
    const bytes = await buffer(await read.openReadStreamPromise(entry));
    files.push([entry.fileName, bytes.toString()]);
    t.equal(entry.getLastModDate({ timezone: 'UTC' }).getTime(), modifiedMs);
  }
  read.close();
  t.same(files, [
    ['first.txt', 'This is first.txt.'],
    ['zweite Ä.txt', 'This is zweite Ä.txt.'],
  ]);
});

t.test('more than 65,535 files are found', { skip: onlyFull }, async (t: Test) => {
  const path = join(t.testdir(), 'many.zip');
  const zip = new ZipFile(path, `${path}.index`, modifiedMs);
  await zip.start();
  const count = 66_000;
  for (let index = 0; index < count; index += 1) {
    await zip.add(`${index}`, Buffer.from([index % 256]));
  }
  await zip.finish();
  await zip.close();
  const read = await openPromise(path);
  t.equal(read.entryCount, count);
  let entries = 0;
  for await (const { fileName } of read.eachEntry()) entries += Number(fileName === `${entries}`);
  t.equal(entries, count);
});

t.test('a ZIP that continues from a state equals one that was not interrupted', async (t: Test) => {
  const folder = t.testdir();
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
  const write = async (path: string, stopAt: number): Promise<Buffer> => {
    let zip = new ZipFile(path, `${path}.index`, modifiedMs);
    await zip.start();
    for (const [index, name] of names.entries()) {
      if (index === stopAt) {
        await zip.sync();
        const { state } = zip;
        // What a kill leaves beyond the state is cut off.
        await zip.add('lost.txt', Buffer.from('lost'));
        await zip.finish();
        await zip.close();
        zip = new ZipFile(path, `${path}.index`, modifiedMs);
        await zip.start(state);
      }
      await zip.add(name, Buffer.from(name.repeat(index)));
    }
    await zip.finish();
    await zip.close();
    return readFile(path);
  };
  const whole = await write(join(folder, 'whole.zip'), -1);
  for (const stopAt of names.keys()) {
    t.same(await write(join(folder, `${stopAt}.zip`), stopAt), whole);
  }
  t.same([...(await readZip(whole)).keys()], names);
});

t.test('names are safe in every file system', async (t) => {
  const expected: [cell: string, name: string][] = [
    ['../../etc/passwd', '_.._etc_passwd'],
    [String.raw`C:\boot.ini`, 'C__boot.ini'],
    ['con', '_con'],
    ['LPT1.txt', '_LPT1.txt'],
    ['-rf', '_-rf'],
    ['Jose\u0301', 'Jos\u00E9'],
    ['photo\u202Egnp.exe', 'photognp.exe'],
    [' .hidden. ', 'hidden'],
    ['a\u0007b', 'ab'],
    ['...', ''],
    ['é'.repeat(150), 'é'.repeat(100)],
  ];
  for (const [cell, name] of expected) t.equal(safeName(cell), name);
  const nameOf = createNames('no {{row}} {{first name}}', ['first name', 'name']);
  t.equal(nameOf(1, ['Ann', 'X']), 'no 1 Ann');
  t.equal(createNames('{{name}}', ['name'])(13, ['...']), '13', 'the empty name is its row');
});

t.test('any text is a name in one folder, or empty', async () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 400 }), (text) => {
      const name = safeName(text);
      const isBounded = Buffer.byteLength(name) <= 201;
      const isPlain = !/[/\\:*?"<>|\p{Cc}\p{Cs}]|^[. -]|[. ]$/u.test(name);
      return isBounded && isPlain && name === name.normalize('NFC') && safeName(name) === name;
    }),
    { examples: [['con'], ['a/../b'], ['.'], ['\uD800'], ['e\u0301'.repeat(200)]] },
  );
});

t.test('a disk without the reserve is named', async (t: Test) => {
  t.testdir();
  await t.rejects(requireDiskSpace(t.testdirName, Infinity), {
    code: 'STORAGE_UNAVAILABLE',
    message: /^The disk has [\d.]+ GiB free/,
  });
  await t.resolves(requireDiskSpace(t.testdirName, 0));
});
