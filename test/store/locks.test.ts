/** Locks of the database and of files: who waits, and for how long. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { tryLock } from '../../src/store/database/file-lock.ts';
import { seedDemo, seedWhenFree } from '../../src/store/samples.ts';
import { StoreError, whenFree } from '../../src/store/database/store-error.ts';
import { createStores, holdLock, readTestHeader, saveSample } from './store-fixture.ts';

t.test('a write waits for another process’s lock while its own thread goes on', async (t) => {
  const stores = createStores(t);
  const release = holdLock(t, stores);
  let attempts = 0;
  const released = Promise.withResolvers<undefined>();
  const saved = whenFree(() => {
    attempts += 1;
    // The lock goes once the write has met it three times.
    if (attempts === 4) {
      release();
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
  const options = {
    ...stores,
    directory: dirname(stores.path),
    readHeader: readTestHeader,
    demoApiKey: 'demo-key',
  };
  const release = holdLock(t, stores);
  const skipped: StoreError[] = [];
  t.same(await seedWhenFree(options, (error) => skipped.push(error)), {});
  t.match(skipped, [{ code: 'BUSY' }]);
  t.equal(stores.organizations.findOrganization('org_demo'), undefined);
  release();
  t.same(seedDemo(options), {});
  t.equal(options.organizations.findByKey('demo-key')?.uid, 'org_demo');
});

t.test('a lock belongs to one holder, and ends with its process', async (t) => {
  const path = join(t.testdir(), 'folder', 'a.lock');
  const release = tryLock(path);
  t.ok(release);
  t.equal(tryLock(path), undefined);
  release?.();
  const module = join(import.meta.dirname, '../../src/store/database/file-lock.ts');
  // Kept, because a collected lock is released.
  const program = `import { tryLock } from ${JSON.stringify(module)}; globalThis.release = tryLock(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program]);
  await once(holder.stdout, 'data');
  t.equal(tryLock(path), undefined, 'another process holds it');
  holder.kill('SIGKILL');
  await once(holder, 'close');
  const again = tryLock(path);
  t.ok(again, 'a kill releases it');
  again?.();
});
