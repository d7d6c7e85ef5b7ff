import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import type { Stores } from './store-fixture.ts';
import { createStores, sampleDocument, sampleFontFacts as facts } from './store-fixture.ts';

const bytes = Buffer.from('a font, as far as the store is concerned');
const branded = sampleDocument({ fonts: ['Brand'] });

/** Writes the file of the organization's family Brand, and returns its path. */
async function restore({ fonts }: Stores, organizationUid = 'org_a'): Promise<string> {
  const families = fonts.findFamilies(organizationUid, branded);
  await fonts.restoreFiles(organizationUid, families);
  return families[0]?.files[0]?.path ?? '';
}

t.test('a font that is deleted leaves no file, beside that of another organization', async (t) => {
  const stores = createStores(t);
  const { fonts, organizations } = stores;
  organizations.createOrganization('B', 'org_b');
  const id = fonts.saveFont('org_a', 'Brand', bytes, facts);
  fonts.saveFont('org_b', 'Brand', bytes, facts);
  const [path, other] = [await restore(stores), await restore(stores, 'org_b')];
  t.not(path, other);
  t.equal(fonts.files.bytes, 2 * bytes.length);
  t.equal(fonts.deleteFont('org_b', id), true);
  t.same([path, other].map(existsSync), [true, false]);
  t.equal(fonts.deleteFont('org_a', id), true);
  t.notOk(existsSync(path));
  t.equal(fonts.files.bytes, 0);
});

t.test('a file that is short or changed is written again, for its owner alone', async (t) => {
  const stores = createStores(t);
  const { fonts } = stores;
  const id = fonts.saveFont('org_a', 'Brand', bytes, facts);
  const path = await restore(stores);
  t.ok(readFileSync(path).equals(bytes));
  for (const damaged of [bytes.subarray(0, 10), Buffer.of(), Buffer.from(bytes.toReversed())]) {
    writeFileSync(path, damaged);
    await Promise.all([restore(stores), restore(stores)]);
    t.ok(readFileSync(path).equals(bytes), `${damaged.length} bytes were left`);
  }
  t.equal(fonts.files.restored, 4, 'each is counted once');
  await restore(stores);
  t.equal(fonts.files.restored, 4, 'a sound file stays');
  t.equal(statSync(path).mode & 0o777, 0o600);
  t.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  t.same(readdirSync(dirname(path)).length, 1, 'and no draft');
  const families = fonts.findFamilies('org_a', branded);
  fonts.deleteFont('org_a', id);
  t.equal(await fonts.restoreFiles('org_a', families), 'deleted', 'it does not come back');
  t.notOk(existsSync(path));
});

t.test('a start removes files of no font, and drafts of killed processes', async (t) => {
  const stores = createStores(t);
  stores.fonts.saveFont('org_a', 'Brand', bytes, facts);
  const path = await restore(stores);
  const stray = join(dirname(path), `${'0'.repeat(64)}.ttf`);
  const ofBefore = join(dirname(dirname(path)), `${'0'.repeat(64)}.ttf`);
  const [old, young] = [`${path}-1`, `${path}-2`];
  for (const file of [stray, ofBefore, old, young]) writeFileSync(file, 'left behind');
  utimesSync(old, 0, 0);
  stores.fonts.sweepFiles();
  const files = [path, stray, ofBefore, old, young];
  t.same(files.map(existsSync), [true, false, false, false, true]);
  t.equal(stores.fonts.files.bytes, bytes.length);
});
