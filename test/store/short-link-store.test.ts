import { readFileSync } from 'node:fs';
import t from 'tap';
import { collectExpired, deleteInParts } from '../../src/store/collect-expired.ts';
import { QuotaError } from '../../src/store/database/storage-quota.ts';
import { createShortLinkStore } from '../../src/store/short-link-store.ts';
import type { CampaignLinks } from '../../src/store/short-link-store.ts';
import {
  createStores,
  createTwoOrganizations,
  openStores,
  publishSample,
  readOne,
} from './store-fixture.ts';
import type { Stores } from './store-fixture.ts';

const nowSeconds = Date.UTC(2030, 0, 1) / 1000;
const linkJson = '{"parameters":[["name","Ünal"]]}';

/** Creates a link of the template `card` that ends in `seconds`. */
function createLink({ shortLinks }: Stores, seconds: number): string {
  const link = { uid: 'card', linkJson, expires: nowSeconds + seconds };
  return shortLinks.createLink('org_a', link) ?? '';
}

const storedBytes = (stores: Stores): unknown =>
  readOne(stores, "SELECT stored_bytes FROM organizations WHERE uid = 'org_a'");
const countRows = (stores: Stores): unknown => readOne(stores, 'SELECT count(*) FROM short_links');

t.test('a link is found until its end, in every process and after a restart', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const token = createLink(stores, 60);
  const other = openStores(t, stores.path, stores.clock);
  t.same(other.shortLinks.findLink(token), { uid: 'card', linkJson, expires: nowSeconds + 60 });
  stores.clock.nowMs = 59_999;
  t.ok(other.shortLinks.findLink(token));
  stores.clock.nowMs = 60_000;
  t.equal(other.shortLinks.findLink(token), undefined);
  t.equal(stores.shortLinks.findLink('nothing'), undefined);
});

t.test('an organization makes and deletes links of its own templates alone', async (t) => {
  const stores = createTwoOrganizations(t);
  publishSample(stores, 'card');
  const link = { uid: 'card', linkJson, expires: nowSeconds + 60 };
  t.equal(stores.shortLinks.createLink('org_b', link), undefined);
  const token = createLink(stores, 60);
  t.equal(stores.shortLinks.deleteLink('org_b', token), false);
  t.equal(stores.shortLinks.deleteLink('org_a', token), true);
  t.equal(stores.shortLinks.findLink(token), undefined);
});

t.test('links count as storage, and expired ones are collected', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const before = Number(storedBytes(stores));
  for (let count = 0; count < 1500; count += 1) createLink(stores, 10);
  const kept = createLink(stores, 1000);
  const rowBytes = Buffer.byteLength(linkJson) + 200;
  t.equal(storedBytes(stores), before + 1501 * rowBytes);
  stores.clock.nowMs = 10_000;
  await collectExpired(stores.db, [stores.shortLinks]);
  t.equal(countRows(stores), 1);
  t.ok(stores.shortLinks.findLink(kept));
  t.equal(storedBytes(stores), before + rowBytes);
  const full = createShortLinkStore(stores.db, () => 0, before + rowBytes + 100);
  const link = { uid: 'card', linkJson, expires: nowSeconds };
  t.throws(() => full.createLink('org_a', link), QuotaError);
  stores.db.pragma('query_only = ON');
  stores.clock.nowMs = 2_000_000;
  await collectExpired(stores.db, [stores.shortLinks]);
  t.equal(countRows(stores), 1, 'a damaged database is not written');
});

t.test('links of a campaign are deleted in parts, and leave no values in the file', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const before = storedBytes(stores);
  const linksOf = (campaignId: string, letter: string): CampaignLinks => ({
    organizationUid: 'org_a',
    uid: 'card',
    campaignId,
    expires: nowSeconds + 60,
    links: Array.from({ length: 5 }, (_, index) => ({
      token: letter.repeat(19) + String(index),
      linkJson: '{"parameters":[["name","Erasmus von Rotterdam"]]}',
    })),
  });
  stores.shortLinks.createLinks(linksOf('cmp_one', 'a'));
  stores.shortLinks.createLinks(linksOf('cmp_two', 'b'));
  t.equal(stores.shortLinks.deleteLinksOf('org_b', 'cmp_one', 10), 0);
  t.equal(stores.shortLinks.deleteLinksOf('org_a', 'cmp_one', 3), 3);
  t.equal(stores.shortLinks.deleteLinksOf('org_a', 'cmp_one', 3), 2);
  t.equal(stores.shortLinks.deleteLinksOf('org_a', 'cmp_one', 3), 0);
  t.equal(countRows(stores), 5);
  t.equal(stores.shortLinks.deleteLinksOf('org_a', 'cmp_two', 10), 5);
  t.equal(storedBytes(stores), before);
  stores.db.pragma('wal_checkpoint(TRUNCATE)');
  t.notOk(readFileSync(stores.path).includes('Erasmus'), 'what is deleted is overwritten');
});

t.test('a long deletion ends in time, and goes on when it is repeated', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  for (let count = 0; count < 1001; count += 1) createLink(stores, 10);
  stores.clock.nowMs = 10_000;
  const remove = (): Promise<number> =>
    deleteInParts((max) => stores.shortLinks.deleteExpired(max), 0);
  await t.rejects(remove(), { code: 'BUSY', message: /^1000 are deleted, and some are left/ });
  t.equal(countRows(stores), 1);
  await t.rejects(remove(), { code: 'BUSY' });
  t.equal(await remove(), 0);
});
