/** A fault that ends the thread of campaigns fails what has caused it, and nothing of other organizations. */
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { Campaigns } from '../../../src/mailings/campaigns/campaigns.ts';
import type { CampaignThreadOptions } from '../../../src/mailings/campaigns/messages.ts';
import { nextTurns } from '../../../src/mailings/campaigns/turns.ts';
import { createLog } from '../../../src/foundation/log.ts';
import type { CampaignRun } from '../../../src/mailings/store/campaigns/campaign-records.ts';
import {
  createCampaignId,
  createCampaignStore,
} from '../../../src/mailings/store/campaigns/campaign-store.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { fillDataDirectory, testOrganization } from '../../e2e/published.ts';
import { eventually } from '../../e2e/service.ts';
import { storedCampaign } from './campaign-client.ts';

const folder = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => publish('card'));
const db = openDatabase(join(folder, 'platen.db'));
t.teardown(() => db.close());
const store = createCampaignStore(db);

function startRun(): CampaignRun {
  const campaignId = createCampaignId();
  const campaign = storedCampaign(campaignId, testOrganization.uid, 'card');
  const options = { version: 1, optionsJson: '{}', baseUrl: 'http://localhost' };
  return store.createWithRun(campaign, { campaignId, mode: 'links', ...options });
}

/** Campaigns whose thread ends at once, without a database, as if it had begun the runs `begun`. */
function startCampaigns(t: Test, begun: readonly CampaignRun[]): Campaigns {
  const begin = (): void => {
    for (const run of begun) store.changeRun(run, { state: 'running' });
  };
  const campaignsFolder = join(folder, 'campaigns');
  const options = { dataDirectory: join(folder, 'absent'), campaignsFolder };
  const campaigns = new Campaigns(options as CampaignThreadOptions, {
    store,
    log: createLog(() => undefined),
    onRunEnd: () => undefined,
    async write(write) {
      if (write.kind !== 'change') return undefined;
      const changed = store.changeRun(write.run, write.change);
      if (write.change.state === 'queued') setImmediate(begin);
      return changed;
    },
  });
  t.teardown(() => campaigns.close());
  begin();
  return campaigns;
}

const stateOf = ({ campaignId, mode }: CampaignRun): string | undefined =>
  store.findRun(campaignId, mode)?.state;

t.test('a run that ends the thread alone fails the second time', async (t) => {
  const run = startRun();
  startCampaigns(t, [run]).wake();
  t.ok(await eventually(() => stateOf(run) === 'failed'));
  t.match(store.findRun(run.campaignId, 'links')?.error, /ended the thread of campaigns twice/);
});

t.test('an order waits for the next thread, and is 503 after two', async (t) => {
  const campaigns = startCampaigns(t, []);
  await t.rejects(campaigns.cancel(createCampaignId()), {
    code: 'OVERLOADED',
    retryAfterSeconds: 5,
  });
});

t.test('after a fault the runs take turns one by one', async (t) => {
  const waiting = [1, 2, 3].map((number) => ({ organizationUid: `org_${number}` }));
  const { start } = nextTurns(waiting, [], new Map(), 0, 1);
  t.same(start, waiting.slice(0, 1));
});
