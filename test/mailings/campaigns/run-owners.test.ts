/** A run of a shared database belongs to one node, whose writes alone change it. */
import { join } from 'node:path';
import t from 'tap';
import {
  createCampaignId,
  createCampaignStore,
} from '../../../src/mailings/store/campaigns/campaign-store.ts';
import { storeRunWrite } from '../../../src/mailings/campaigns/run-writes.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { createShortLinkStore } from '../../../src/store/short-link-store.ts';
import { createWebhookStore } from '../../../src/mailings/webhooks/webhook-store.ts';
import { fillDataDirectory, testOrganization } from '../../e2e/published.ts';
import { storedCampaign } from './campaign-client.ts';

const folder = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => publish('card'));
const db = openDatabase(join(folder, 'platen.db'));
t.teardown(() => db.close());
const store = createCampaignStore(db);
const id = createCampaignId();
const options = { campaignId: id, version: 1, optionsJson: '{}', baseUrl: 'http://localhost' };
const run = store.createWithRun(storedCampaign(id, testOrganization.uid, 'card'), {
  ...options,
  mode: 'links',
});

t.test('the first node has the run', async (t) => {
  t.match(store.changeRun(run, { state: 'running', owner: 1 }), { state: 'running', owner: 1 });
  t.equal(store.changeRun(run, { state: 'running', owner: 2 }), undefined);
  t.match(store.findRun(id, 'links'), { owner: 1 });
});

t.test('a node that has lost its run stores neither progress nor results', async (t) => {
  t.ok(store.changeRun({ ...run, owner: 1 }, { owner: 2 }), 'another one takes it over');
  t.equal(store.changeRun({ ...run, owner: 1 }, { done: 7 }), undefined);
  const files = JSON.stringify({ 'links.csv': { id: 'lost', bytes: 1 } });
  const finished = { state: 'finished', filesJson: files } as const;
  t.equal(store.changeRun({ ...run, owner: 1 }, finished), undefined);
  t.match(store.findRun(id, 'links'), { state: 'running', done: 0, filesJson: '{}' });
});

t.test('a node that has lost its run stores no short links', async (t) => {
  const shortLinks = createShortLinkStore(db);
  const webhooks = createWebhookStore(db, Date.now);
  const stores = { db, store, shortLinks, webhooks };
  const token = 'a'.repeat(20);
  const links = {
    organizationUid: testOrganization.uid,
    uid: 'card',
    campaignId: id,
    expires: 4_000_000_000,
    links: [{ token, linkJson: '{}' }],
  };
  const write = (owner: number): unknown =>
    storeRunWrite(stores, { kind: 'links', run: { ...run, owner }, links });
  t.equal(write(1), undefined);
  t.equal(shortLinks.findLink(token), undefined);
  t.match(write(2), { owner: 2 });
  t.ok(shortLinks.findLink(token));
});

t.test('anybody cancels a run, and a run that has ended stays as it is', async (t) => {
  const { owner: _owner, ...anyNode } = run;
  t.match(store.changeRun(anyNode, { state: 'canceled' }), { state: 'canceled', owner: 2 });
  t.equal(store.changeRun({ ...run, owner: 2 }, { state: 'finished' }), undefined);
  t.match(store.createRun({ ...options, mode: 'links' }), { number: 2, owner: null });
  t.equal(store.changeRun({ ...run, owner: 2 }, { done: 7 }), undefined, 'it has another number');
});
