import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { FontFiles } from '../../src/store/assets/font-files.ts';
import type { Stores } from './store-fixture.ts';
import { createStores, sampleDocument, sampleFontFacts as facts } from './store-fixture.ts';

const bytes = Buffer.from('a font, as far as the store is concerned');
const branded = sampleDocument({ fonts: ['Brand'] });

/** The laid-out file of the organization's family Brand. */
function layOut({ fonts }: Stores, organizationUid = 'org_a'): string {
  return fonts.findFamilies(organizationUid, branded)[0]?.files[0]?.path ?? '';
}

t.test('a font that is deleted leaves no file, unless another organization has it', async (t) => {
  const stores = createStores(t);
  const { fonts, organizations } = stores;
  organizations.createOrganization('B', 'org_b');
  const id = fonts.saveFont('org_a', 'Brand', bytes, facts);
  fonts.saveFont('org_b', 'Brand', bytes, facts);
  const path = layOut(stores);
  t.equal(layOut(stores, 'org_b'), path);
  t.equal(fonts.files.bytes, bytes.length);
  t.equal(fonts.deleteFont('org_b', id), true);
  t.ok(existsSync(path));
  t.equal(fonts.deleteFont('org_a', id), true);
  t.notOk(existsSync(path));
  t.equal(fonts.files.bytes, 0);
});

t.test('a file that is short or changed is written again, for its owner alone', async (t) => {
  const stores = createStores(t);
  const { fonts } = stores;
  const id = fonts.saveFont('org_a', 'Brand', bytes, facts);
  const path = layOut(stores);
  for (const damaged of [bytes.subarray(0, 10), Buffer.of()]) {
    writeFileSync(path, damaged);
    t.equal(layOut(stores), path);
    t.ok(readFileSync(path).equals(bytes), `${damaged.length} bytes were left`);
  }
  const families = fonts.findFamilies('org_a', branded);
  writeFileSync(path, Buffer.from(bytes.toReversed()));
  t.equal(await fonts.restoreFiles(families), true);
  t.ok(readFileSync(path).equals(bytes), 'changed');
  t.equal(fonts.files.restored, 1);
  t.equal(await fonts.restoreFiles(families), true);
  t.equal(fonts.files.restored, 1, 'a sound file stays');
  t.equal(statSync(path).mode & 0o777, 0o600);
  t.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  t.same(readdirSync(dirname(path)).length, 1, 'and no draft');
  fonts.deleteFont('org_a', id);
  t.equal(await fonts.restoreFiles(families), false, 'a deleted font does not come back');
  t.notOk(existsSync(path));
});

t.test('a start removes files of no font, and drafts of killed processes', async (t) => {
  const stores = createStores(t);
  stores.fonts.saveFont('org_a', 'Brand', bytes, facts);
  const path = layOut(stores);
  const stray = join(dirname(path), `${'0'.repeat(64)}.ttf`);
  const [old, young] = [`${path}-1`, `${path}-2`];
  for (const file of [stray, old, young]) writeFileSync(file, 'left behind');
  utimesSync(old, 0, 0);
  stores.fonts.sweepFiles();
  t.same([path, stray, old, young].map(existsSync), [true, false, false, true]);
});

/** Files of 100 bytes in a folder of 250. */
function createSmall(t: Test) {
  const directory = join(t.testdir(), 'own');
  mkdirSync(directory);
  const fonts = new Map(
    ['a', 'b', 'c', 'd'].map((letter) => {
      const content = Buffer.alloc(100, letter);
      return [hash('sha256', content), content];
    }),
  );
  const files = new FontFiles(directory, (digest) => fonts.get(digest), 250);
  return { directory, files, digests: [...fonts.keys()] };
}

t.test('what was loaded longest ago is evicted, and comes back when it is needed', async (t) => {
  const { directory, files, digests } = createSmall(t);
  const [a = '', b = '', c = '', d = ''] = digests;
  const paths = [a, b].map((digest) => files.layOut(digest, 100));
  // As processes note what they load.
  utimesSync(paths[0] ?? '', 2000, 2000);
  utimesSync(paths[1] ?? '', 1000, 1000);
  files.layOut(c, 100);
  const names = (): string[] => readdirSync(directory).toSorted();
  t.same(names(), [a, c].map((digest) => `${digest}.ttf`).toSorted());
  t.equal(files.bytes, 200);
  t.equal(await files.restore([b]), true, 'for a job that waits');
  t.same(names(), [b, c].map((digest) => `${digest}.ttf`).toSorted());
  for (const digest of [a, b, c, d, a, b]) files.layOut(digest, 100);
  t.ok(files.bytes <= 250, `${files.bytes} bytes`);
  t.equal(names().length, 2);
});
