/** Creates the work of a run on the rows of its list. */
import type { CampaignRun } from '../store/campaigns/campaign-records.ts';
import { Proof } from './proof/proof.ts';
import { FilesRun } from './results/files/files-run.ts';
import { LinkFile } from './results/link-file.ts';
import { WarmImages } from './results/warm-images.ts';
import { prepareRun } from './run-subject.ts';
import type { RunSubject } from './run-subject.ts';
import type { RowWork } from './run-rows.ts';

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

/** Bytes that the warm images of other campaigns leave of the bound. */
function warmBytesLeft({ store, campaign, warmBytesMax }: RunSubject): number {
  const others = store.runsOf('warm').filter(({ campaignId }) => campaignId !== campaign.id);
  return Math.max(0, warmBytesMax - resultBytes(others));
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

function resultBytes(runs: readonly CampaignRun[]): number {
  return runs.reduce((sum, { countsJson }) => {
    const { bytes = 0 } = JSON.parse(countsJson) as { bytes?: number };
    return sum + bytes;
  }, 0);
}
