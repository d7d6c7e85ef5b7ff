/** Creates the work of a run on the rows of its list. */
import type { CampaignRun } from '../store/campaigns/campaign-records.ts';
import { Proof } from './proof/proof.ts';
import { FilesRun } from './results/files/files-run.ts';
import { LinkFile } from './results/link-file.ts';
import { WarmImages } from './results/warm-images.ts';
import { prepareRun } from './run-subject.ts';
import type { RunSubject } from './run-subject.ts';
import type { RowWork } from './run-rows.ts';

/** What decides on the space for warm images. */
interface WarmSpace extends Pick<RunSubject, 'warmBytesMax'> {
  store: Pick<RunSubject['store'], 'runsOf'>;
  campaign: Pick<RunSubject['campaign'], 'id' | 'organizationUid'>;
  organizations: Pick<RunSubject['organizations'], 'listOrganizations'>;
}

export function createRowWork(subject: RunSubject): RowWork {
  const full = prepareRun(subject);
  const { mode } = subject.run;
  switch (mode) {
    case 'proof':
      return new Proof({ ...full, sheetPath: full.paths.sheet });
    case 'links':
      return new LinkFile(full);
    case 'warm':
      return new WarmImages(full, () => warmBytesLeft(full));
    case 'files':
      return new FilesRun(full, () => otherFilesBytes(full));
    default:
      return mode satisfies never;
  }
}

/**
 * Bytes that the campaign may have for warm images. Of the space that other organizations leave, one has at most half,
 * so that some stays free for the next; a single one has all.
 */
export function warmBytesLeft({ store, campaign, organizations, warmBytesMax }: WarmSpace): number {
  const others = store.runsOf('warm').filter(({ campaignId }) => campaignId !== campaign.id);
  const { same = [], foreign = [] } = Object.groupBy(others, ({ organizationUid }) =>
    organizationUid === campaign.organizationUid ? 'same' : 'foreign',
  );
  const share = organizations.listOrganizations().length > 1 ? 2 : 1;
  return Math.max(0, (warmBytesMax - resultBytes(foreign)) / share - resultBytes(same));
}

/** Bytes of the files that the other campaigns of the organization have made. */
function otherFilesBytes({ store, campaign }: RunSubject): number {
  const others = store
    .runsOf('files')
    .filter(
      ({ campaignId, organizationUid, state }) =>
        campaignId !== campaign.id &&
        organizationUid === campaign.organizationUid &&
        (state === 'running' || state === 'finished'),
    );
  return resultBytes(others);
}

function resultBytes(runs: readonly Pick<CampaignRun, 'countsJson'>[]): number {
  return runs.reduce((sum, { countsJson }) => {
    const { bytes = 0 } = JSON.parse(countsJson) as { bytes?: number };
    return sum + bytes;
  }, 0);
}
