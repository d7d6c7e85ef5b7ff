// The index of what documents name: exact at every moment, for writers that know nothing of it, and after an upgrade.
import t from 'tap';
import { collectUnusedAssets } from '../../src/store/assets/asset-collector.ts';
import { createDocumentReferences, DocumentIndexer } from '../../src/store/document-references.ts';
import {
  createStores,
  createTwoOrganizations,
  imageLayer,
  pngHeader as header,
  publishSample,
  readOne,
  saveSample,
} from './store-fixture.ts';

const inUse = { code: 'CONFLICT', message: /in use: the template "x"/ };

t.test('an asset is in use as long as a draft or a version has its id in any text', async (t) => {
  const stores = createStores(t);
  const { assets, templates } = stores;
  const id = assets.saveAsset('org_a', Buffer.from('u'), header);
  const remove = (): boolean => assets.deleteAsset('org_a', id);
  saveSample(stores, 'x', { variables: [{ name: 'photo', type: 'text', value: `${id}?` }] });
  t.throws(remove, inUse);
  t.throws(remove, inUse, 'also when nothing waits');
  saveSample(stores, 'x');
  t.ok(remove(), 'the draft names it no more');
  const again = assets.saveAsset('org_a', Buffer.from('u'), header);
  publishSample(stores, 'x', { layers: [imageLayer(again)] });
  saveSample(stores, 'x');
  templates.archive('org_a', 'x');
  t.throws(remove, inUse, 'a version of an archived template');
});

t.test('an index that is empty, as after an upgrade, deletes nothing that is in use', async (t) => {
  const stores = createStores(t);
  const { assets, db } = stores;
  const id = assets.saveAsset('org_a', Buffer.from('u'), header);
  saveSample(stores, 'x', { layers: [imageLayer(id)] });
  for (let index = 0; index < 1100; index += 1) saveSample(stores, `y${index}`);
  t.throws(() => assets.deleteAsset('org_a', id), { code: 'BUSY' }, 'too many wait');
  const later = Date.now() + 9e8;
  t.same(await collectUnusedAssets(db, assets, 1, later), { deleted: 0, bytes: 0 });
  const waiting = readOne(stores, 'SELECT count(*) FROM unindexed_documents');
  t.equal(waiting, 0, 'the collection waits for the index');
  t.throws(() => assets.deleteAsset('org_a', id), inUse);
});

t.test('documents of one organization that wait do not keep another one waiting', async (t) => {
  const stores = createTwoOrganizations(t);
  const text = 'x'.repeat(200_000);
  const large = { variables: [{ name: 'n', type: 'text' as const, value: text }] };
  for (let index = 0; index < 4; index += 1) saveSample(stores, `large${index}`, large);
  const id = stores.assets.saveAsset('org_b', Buffer.from('u'), header);
  saveSample(stores, 'x', { layers: [imageLayer(id)] }, 'org_b');
  t.throws(() => stores.assets.deleteAsset('org_b', id), inUse);
  const references = createDocumentReferences(stores.db);
  t.notOk(references.indexSome(), 'a part at a time');
  t.ok(references.indexSome());
});

t.test('a page of templates behind the kit reads a megabyte of documents', async (t) => {
  const stores = createStores(t);
  const brand = { colors: [{ id: 'main', name: 'Main', value: '#ff0000' }] };
  stores.brands.saveBrand('org_a', { ...brand, textStyles: [], logos: [], fonts: [] });
  const text = 'x'.repeat(200_000);
  for (let index = 0; index < 8; index += 1) {
    saveSample(stores, `x${index}`, {
      background: '#000000',
      brand: [{ property: 'background', entry: 'main' }],
      variables: [{ name: 'n', type: 'text', value: text }],
    });
  }
  const references = createDocumentReferences(stores.db);
  while (!references.indexSome());
  const uidsOf = (after: string): unknown[] => {
    const { templates, next } = stores.brands.listBehind('org_a', after);
    return [...templates.map(({ uid }) => uid), next];
  };
  t.same(uidsOf(''), ['x0', 'x1', 'x2', 'x3', 'x4', 'x5', 'x5']);
  t.same(uidsOf('x5'), ['x6', 'x7', null]);
  stores.templates.archive('org_a', 'x6');
  t.same(uidsOf('x5'), ['x7', null]);
});

t.test('the service indexes in parts, and reports a failure', async (t) => {
  const stores = createStores(t);
  const errors: unknown[] = [];
  const indexer = new DocumentIndexer(stores.db, (error) => errors.push(error));
  t.teardown(() => indexer.close());
  const text = 'x'.repeat(200_000);
  for (let index = 0; index < 4; index += 1) {
    saveSample(stores, `x${index}`, { variables: [{ name: 'n', type: 'text', value: text }] });
  }
  await indexer.indexAll();
  t.equal(readOne(stores, 'SELECT count(*) FROM unindexed_documents'), 0);
  stores.db.exec(
    `UPDATE templates SET draft_cid = '00000000000000000000000000000000';
     INSERT INTO unindexed_documents SELECT id, 0 FROM templates;`,
  );
  await indexer.indexAll();
  await indexer.indexAll();
  t.match(errors, [{ code: 'CORRUPT' }]);
  t.equal(errors.length, 1, 'it is reported once while it lasts');
});
