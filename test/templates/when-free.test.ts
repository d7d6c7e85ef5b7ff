import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { seedDemo, seedWhenFree } from '../../src/store/samples.ts';
import { StoreError, whenFree } from '../../src/store/database/store-error.ts';
import { createStores, openStores, readTestHeader, saveSample } from './store-fixture.ts';

t.test('a write waits for another process’s lock while its own thread goes on', async (t) => {
  const stores = createStores(t);
  stores.db.pragma('busy_timeout = 0');
  const other = openStores(t, stores.path);
  other.db.exec('BEGIN IMMEDIATE');
  let attempts = 0;
  const released = Promise.withResolvers<undefined>();
  const saved = whenFree(() => {
    attempts += 1;
    // The lock goes once the write has met it three times.
    if (attempts === 4) {
      other.db.exec('ROLLBACK');
      released.resolve(undefined);
    }
    return saveSample(stores, 'late');
  });
  t.equal(attempts, 1, 'the first attempt needs no turn of the event loop');
  await nextTurn();
  await released.promise;
  t.match(await saved, { uid: 'late', created: true });
  t.equal(attempts, 4);
});

t.test('a lock that stays is reported, and what is no lock is reported at once', async (t) => {
  let attempts = 0;
  const refused = whenFree(() => {
    attempts += 1;
    throw new StoreError('BUSY', 'Locked.');
  });
  await t.rejects(refused, { code: 'BUSY', message: 'Locked.' });
  t.ok(attempts > 5 && attempts < 30, `${attempts} attempts in 2 s`);
  attempts = 0;
  const full = whenFree(() => {
    attempts += 1;
    throw new StoreError('FULL', 'No space.');
  });
  await t.rejects(full, { code: 'FULL' });
  t.equal(attempts, 1);
});

t.test('under a lock that stays, nothing is seeded and the start goes on', async (t) => {
  const stores = createStores(t);
  stores.db.pragma('busy_timeout = 0');
  const options = {
    ...stores,
    directory: dirname(stores.path),
    readHeader: readTestHeader,
    demoApiKey: 'demo-key',
  };
  const other = openStores(t, stores.path);
  other.db.exec('BEGIN IMMEDIATE');
  const skipped: StoreError[] = [];
  t.same(await seedWhenFree(options, (error) => skipped.push(error)), {});
  t.match(skipped, [{ code: 'BUSY' }]);
  t.equal(stores.organizations.findOrganization('org_demo'), undefined);
  other.db.exec('ROLLBACK');
  t.same(seedDemo(options), {});
  t.equal(options.organizations.findByKey('demo-key')?.uid, 'org_demo');
});
