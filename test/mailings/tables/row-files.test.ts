/** Files of tables that stay open for lookups. */
import { readFileSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { createRowFile } from '../../../src/mailings/store/tables/row-file.ts';
import { readersMax, RowFiles } from '../../../src/mailings/store/tables/row-files.ts';

const columns = JSON.stringify(['id', 'text']);

/** Creates the file of a table with `rows` rows of 1 KiB. */
function createFile(files: RowFiles, rows: number): string {
  const { fileId, path } = files.create();
  const writer = createRowFile(path);
  for (let row = 0; row < rows; row += 1) {
    writer.insert(row + 1, String(row), JSON.stringify([String(row), 'x'.repeat(1000)]));
  }
  writer.finish();
  return fileId;
}

t.test('an organization with many open tables closes its own', async (t) => {
  const files = new RowFiles(t.testdir());
  t.teardown(() => files.close());
  const open = (owner: string, fileId: string) => files.open(owner, fileId, columns);
  const few = [createFile(files, 1), createFile(files, 1)];
  const opened = few.map((fileId) => open('org_few', fileId));
  for (let index = 0; index < readersMax; index += 1) open('org_many', createFile(files, 1));
  t.same(
    few.map((fileId, index) => open('org_few', fileId) === opened[index]),
    [true, true],
  );
});

/** Bytes that this process has read, from the disk or from the page cache. */
function readBytes(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

t.test(
  'a table is opened without reading its rows',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const files = new RowFiles(t.testdir());
    t.teardown(() => files.close());
    const fileId = createFile(files, 10_000);
    const before = readBytes();
    t.same(files.open('org_a', fileId, columns)?.rows.find('17')?.[0], '17');
    for (let turn = 0; turn < 1000; turn += 1) await nextTurn();
    const fileBytes = statSync(files.named(fileId).path).size;
    t.ok(readBytes() - before < fileBytes / 10, `${readBytes() - before} of ${fileBytes} bytes`);
  },
);
