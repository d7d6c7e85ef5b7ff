import t from 'tap';
import { createFirstOpenStore, firstOpenDaysMax } from '../../src/store/first-open-store.ts';
import { createStores, openStores, saveSample } from '../store/store-fixture.ts';

const daySeconds = 86_400;

t.test('a first open stays the first, for each contact and template', async (t) => {
  const stores = createStores(t);
  const { firstOpens } = stores;
  for (const uid of ['sale', 'other']) saveSample(stores, uid);
  t.equal(firstOpens.find('sale', 'ann'), undefined);
  t.equal(firstOpens.open('sale', 'ann', 1000), 1000);
  t.equal(firstOpens.open('sale', 'ann', 2000), 1000);
  t.equal(firstOpens.open('other', 'ann', 3000), 3000);
  t.equal(firstOpens.open('sale', 'Ann', 4000), 4000, 'ids are compared exactly');
  t.equal(firstOpens.open('gone', 'ann', 5000), undefined, 'no template of this uid');
  await firstOpens.stored();
  t.equal(firstOpens.stored(), undefined, 'nothing waits');
  const contacts = stores.db.prepare('SELECT contact FROM first_opens').pluck().all() as Buffer[];
  t.equal(new Set(contacts.map((hash) => hash.toString('hex'))).size, 3, 'no hash is another’s');
  t.equal(openStores(t, stores.path).firstOpens.find('sale', 'ann'), 1000, 'another process');
});

t.test('first opens of one turn are one transaction', async (t) => {
  const stores = createStores(t);
  saveSample(stores, 'sale');
  const other = openStores(t, stores.path);
  const commits = other.db.prepare<[], number>('PRAGMA data_version').pluck();
  const before = commits.get() ?? 0;
  for (let index = 0; index < 20; index += 1) stores.firstOpens.open('sale', `c${index}`, 1000);
  t.equal(other.firstOpens.find('sale', 'c0'), undefined);
  await stores.firstOpens.stored();
  t.equal(other.firstOpens.count('org_a', 'sale'), 20);
  t.equal(commits.get(), before + 1);
});

t.test('while another process writes, first opens wait in memory', async (t) => {
  const stores = createStores(t);
  const { firstOpens } = stores;
  saveSample(stores, 'sale');
  const other = openStores(t, stores.path);
  other.db.exec('BEGIN IMMEDIATE');
  t.equal(firstOpens.open('sale', 'ann', 1000), 1000);
  t.equal(firstOpens.open('sale', 'ann', 2000), 1000);
  await firstOpens.stored();
  t.equal(other.firstOpens.find('sale', 'ann'), undefined);
  other.db.exec('COMMIT');
  t.equal(firstOpens.open('sale', 'bob', 3000), 3000);
  await firstOpens.stored();
  t.equal(other.firstOpens.find('sale', 'ann'), 1000, 'written with the next one');
  other.db.exec('BEGIN IMMEDIATE');
  firstOpens.open('sale', 'carl', 4000);
  await firstOpens.stored();
  other.db.exec('COMMIT');
  firstOpens.close();
  t.equal(other.firstOpens.find('sale', 'carl'), 4000, 'or at the end');
});

t.test('a template with too many contacts keeps what it has, and notes no more', async (t) => {
  const stores = createStores(t);
  saveSample(stores, 'sale');
  const firstOpens = createFirstOpenStore(stores.db, undefined, 2);
  t.equal(firstOpens.open('sale', 'ann', 1000), 1000);
  t.equal(firstOpens.open('sale', 'bob', 1000), 1000);
  await firstOpens.stored();
  t.equal(firstOpens.open('sale', 'carl', 2000), undefined);
  t.equal(firstOpens.open('sale', 'ann', 2000), 1000);
  t.equal(firstOpens.forget('org_a', 'sale', 'ann'), 1);
  t.equal(firstOpens.open('sale', 'carl', 2000), 2000);
});

t.test('contacts are forgotten one by one, all, with age, and with their template', async (t) => {
  const stores = createStores(t);
  const { firstOpens, clock, templates } = stores;
  for (const uid of ['sale', 'other']) saveSample(stores, uid);
  const now = Date.UTC(2030, 0, 1) / 1000;
  for (const contact of ['ann', 'bob', 'carl']) firstOpens.open('sale', contact, now);
  firstOpens.open('other', 'ann', now + daySeconds);
  await firstOpens.stored();
  t.equal(firstOpens.forget('org_b', 'sale', 'ann'), 0, 'another organization’s');
  t.equal(firstOpens.forget('org_a', 'sale', 'ann'), 1);
  t.equal(firstOpens.count('org_a', 'sale'), 2);
  t.equal(firstOpens.forget('org_a', 'sale', undefined), 2);
  t.equal(firstOpens.count('org_a', 'sale'), 0);
  firstOpens.open('sale', 'ann', now);
  await firstOpens.stored();
  t.equal(firstOpens.deleteExpired(100), 0);
  clock.nowMs = (firstOpenDaysMax * daySeconds + 1) * 1000;
  t.equal(firstOpens.deleteExpired(100), 1, 'too old');
  t.equal(firstOpens.find('other', 'ann'), now + daySeconds);
  templates.archive('org_a', 'other');
  t.equal(firstOpens.deleteExpired(100), 1, 'of an archived template');
  t.equal(firstOpens.count('org_a', 'other'), 0);
});
