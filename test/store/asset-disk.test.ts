import { createHash } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { AssetDisk } from '../../src/store/assets/asset-disk.ts';

const files = Array.from({ length: 12 }, (_, index) => Buffer.alloc(100, index));
const digests = files.map((file) => createHash('sha256').update(file).digest('hex'));

/** Notes a use of each file, the first one the longest ago. */
function age(folder: string, order: readonly string[]): void {
  for (const [index, digest] of order.entries()) {
    const used = new Date(Date.now() - (order.length - index) * 24 * 60 * 60 * 1000);
    utimesSync(join(folder, digest), used, used);
  }
}

t.test('files that were used longest ago leave, by their bytes', async (t) => {
  const folder = t.testdir();
  const disk = new AssetDisk(folder, 1000);
  for (let index = 0; index < 10; index += 1) {
    await disk.keep(digests[index] ?? '', files[index] ?? Buffer.alloc(0));
  }
  t.equal(readdirSync(folder).length, 10);
  t.notOk(disk.hasSpaceFor(1));
  age(folder, digests.slice(0, 10));
  t.ok(disk.read(digests[0] ?? '')?.equals(files[0] ?? Buffer.alloc(0)), 'which is a use');
  await disk.keep(digests[10] ?? '', files[10] ?? Buffer.alloc(0));
  const left = new Set(readdirSync(folder));
  t.notOk(left.has(digests[1] ?? ''));
  t.ok(left.has(digests[0] ?? ''));
  t.ok(left.has(digests[10] ?? ''));
  t.equal(left.size, 9, 'and a tenth is free');
});

t.test('a disk knows what other processes have written', async (t) => {
  const folder = t.testdir();
  const [one, two] = [new AssetDisk(folder, 1000), new AssetDisk(folder, 1000)];
  for (const [index, digest] of digests.entries()) {
    await (index % 2 === 0 ? one : two).keep(digest, files[index] ?? Buffer.alloc(0));
  }
  await two.keep(digests[0] ?? '', files[0] ?? Buffer.alloc(0));
  t.ok(readdirSync(folder).length <= 10);
});

t.test('a damaged file is none, and what no asset has is swept', async (t) => {
  const folder = t.testdir();
  const disk = new AssetDisk(folder, 1000);
  const [digest = '', other = ''] = digests;
  await disk.keep(digest, files[0] ?? Buffer.alloc(0));
  await disk.keep(other, files[1] ?? Buffer.alloc(0));
  writeFileSync(join(folder, digest), 'cut');
  t.equal(disk.read(digest), undefined);
  t.notOk(disk.has(digest));
  await disk.sweep(new Set());
  t.strictSame(readdirSync(folder), []);
  t.ok(disk.hasSpaceFor(1000));
  await disk.keep(digest, Buffer.alloc(2000));
  t.notOk(disk.has(digest), 'one that is larger than the disk is not kept');
});
