import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { createFontStore } from '../../src/store/assets/font-store.ts';
import {
  createStores,
  openStores,
  pngHeader as header,
  publishSample,
  sampleDocument,
  sampleFontFacts as facts,
  saveSample,
} from './store-fixture.ts';

const bytes = Buffer.from('a font, as far as the store is concerned');
const text = (fontFamily: string) =>
  ({ id: 't', type: 'text', x: 0, y: 0, width: 9, height: 9, text: 'x', fontFamily }) as const;

t.test('a document gets the families that it names, and their files are written', async (t) => {
  const { fonts } = createStores(t);
  fonts.saveFont('org_a', 'Brand', bytes, facts);
  fonts.saveFont('org_a', 'Brand', Buffer.from('bold'), { ...facts, weight: 700 });
  fonts.saveFont('org_a', 'Unused', Buffer.from('unused'), facts);
  const document = sampleDocument({ layers: [text('bRAND')] });
  const [family, ...others] = fonts.findFamilies('org_a', document);
  t.equal(others.length, 0);
  t.match(family, { name: 'Brand', files: [{ weight: 400 }, { weight: 700 }] });
  const path = family?.files[0]?.path ?? '';
  t.notOk(existsSync(path), 'no file is written on the way');
  t.equal(await fonts.restoreFiles('org_a', family === undefined ? [] : [family]), 'restored');
  t.ok(readFileSync(path).equals(bytes));
  t.same(fonts.findFamilies('org_a', document), [family], 'the same alias');
  t.same(fonts.findFamilies('org_b', document), []);
});

t.test('a version keeps the fonts that it was published with, in every process', async (t) => {
  const stores = createStores(t);
  const { fonts, templates } = stores;
  const brand = { layers: [text('Brand')] };
  publishSample(stores, 'branded', brand);
  const without = templates.findPublished('branded');
  fonts.saveFont('org_a', 'Brand', bytes, facts);
  t.equal(templates.findPublished('branded'), without, 'nothing changes');
  t.same(without?.fonts, []);
  publishSample(stores, 'branded', brand);
  fonts.saveFont('org_a', 'Brand', Buffer.from('bold'), { ...facts, weight: 700 });
  const second = templates.findPublished('branded');
  t.match(second?.fonts, [{ files: [{ weight: 400 }] }]);
  t.equal(second?.fonts[0]?.files.length, 1);
  publishSample(stores, 'branded', brand);
  t.equal(templates.findPublished('branded')?.fonts[0]?.files.length, 2, 'published again');
  templates.publish('org_a', 'branded', { version: 2 });
  for (const { templates: read } of [stores, openStores(t, stores.path)]) {
    const keys = [1, 2, 3, 4].map((version) => read.findPublished('branded', version)?.templateKey);
    t.same(keys.slice(0, 2), [without?.templateKey, second?.templateKey]);
    t.equal(new Set(keys).size, 3, 'each another image');
    t.equal(keys[3], keys[1], 'an older version comes back as it looked');
  }
  const preview = templates.findFonts('org_a', sampleDocument(brand), []);
  t.same(preview, [], 'as a preview of a version asks');
});

t.test('a version from before fonts were kept follows those of its organization', async (t) => {
  const stores = createStores(t);
  const { db, fonts, templates } = stores;
  publishSample(stores, 'branded', { layers: [text('Brand')] });
  db.exec(`INSERT INTO template_versions (template_id, version, cid, published_at, document_json)
           SELECT template_id, 2, cid, published_at, document_json FROM template_versions;
           UPDATE templates SET published_version = 2`);
  const without = templates.findPublished('branded');
  t.same(without?.fonts, []);
  fonts.saveFont('org_a', 'Brand', bytes, facts);
  t.equal(without?.isCurrent, false);
  const first = templates.findPublished('branded');
  t.equal(first?.fonts.length, 1);
  t.not(first?.templateKey, without?.templateKey);
  fonts.saveFont('org_a', 'Brand', Buffer.from('bold'), { ...facts, weight: 700 });
  const second = templates.findPublished('branded');
  t.not(second?.templateKey, first?.templateKey);
  t.not(second?.fonts[0]?.alias, first?.fonts[0]?.alias);
  t.equal(templates.findPublished('branded'), second, 'and kept from then on');
});

t.test('the same file is stored once, another one of its weight is refused', async (t) => {
  const { fonts } = createStores(t);
  const id = fonts.saveFont('org_a', 'Brand', bytes, facts);
  t.equal(fonts.saveFont('org_a', 'Other', bytes, facts), id);
  t.match(fonts.listFonts('org_a'), { length: 1, 0: { family: 'Brand' } });
  t.throws(() => fonts.saveFont('org_a', 'BRAND', Buffer.from('y'), facts), { code: 'TAKEN' });
});

t.test('a font goes only while no draft and no version names its family', async (t) => {
  const stores = createStores(t);
  const id = stores.fonts.saveFont('org_a', 'Brand', bytes, facts);
  saveSample(stores, 'one', { name: 'Brand', layers: [text('Inter')] });
  t.equal(stores.fonts.deleteFont('org_b', id), false);
  publishSample(stores, 'two', { fonts: ['brand'] });
  saveSample(stores, 'two');
  t.throws(() => stores.fonts.deleteFont('org_a', id), { code: 'CONFLICT', message: /"two"/ });
  t.equal(stores.fonts.deleteFont('org_a', `font:${'0'.repeat(64)}`), false);
});

t.test('a font that no text is set in goes, although a text says its name', async (t) => {
  const stores = createStores(t);
  const id = stores.fonts.saveFont('org_a', 'Brand', bytes, facts);
  saveSample(stores, 'one', { layers: [{ ...text('Inter'), text: 'Brand' }] });
  t.equal(stores.fonts.deleteFont('org_a', id), true);
  t.same(stores.fonts.listFonts('org_a'), []);
});

t.test('an organization stores no more than its quota, assets included', async (t) => {
  const { db, assets, path } = createStores(t);
  assets.saveAsset('org_a', Buffer.alloc(90), header);
  const fonts = createFontStore(db, `${path}-fonts`, 100);
  t.throws(() => fonts.saveFont('org_a', 'Brand', bytes, facts), { name: 'QuotaError' });
  t.ok(fonts.saveFont('org_a', 'Brand', bytes.subarray(0, 10), facts));
});
