import t from 'tap';
import { warmBytesLeft } from '../../../src/mailings/campaigns/row-work.ts';
import type { CampaignStore } from '../../../src/mailings/store/campaigns/campaign-store.ts';
import { createStores } from '../../store/store-fixture.ts';

/** Bytes that a campaign of an organization may have of 800, beside campaigns with these bytes. */
function bytesLeft(
  organizations: Parameters<typeof warmBytesLeft>[0]['organizations'],
  organizationUid: string,
  used: readonly (readonly [organizationUid: string, bytes: number])[],
): number {
  const runs = used.map(([owner, bytes], index) => ({
    campaignId: `other${index}`,
    organizationUid: owner,
    countsJson: JSON.stringify({ bytes }),
  })) as ReturnType<CampaignStore['runsOf']>;
  const campaign = { id: 'this', organizationUid };
  return warmBytesLeft({
    store: { runsOf: () => runs },
    campaign,
    organizations,
    warmBytesMax: 800,
  });
}

t.test('no organization takes all of the space for warm images', async (t) => {
  const { organizations } = createStores(t);
  t.equal(bytesLeft(organizations, 'org_a', [['org_a', 300]]), 500, 'but one that is alone');
  organizations.createOrganization('B', 'org_b');
  t.equal(bytesLeft(organizations, 'org_a', [['org_a', 300]]), 100);
  t.equal(bytesLeft(organizations, 'org_a', [['org_a', 500]]), 0);
  t.equal(bytesLeft(organizations, 'org_b', [['org_a', 400]]), 200);
});
