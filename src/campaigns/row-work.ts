/** Chooses what a run makes of the rows of its list. */
import { FilesRun } from './results/files/files-run.ts';
import { LinkFile } from './results/link-file.ts';
import { WarmImages } from './results/warm-images.ts';
import { Proof } from './proof/proof.ts';
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
      return new FilesRun(full);
    default:
      return mode satisfies never;
  }
}

/** What the warm images of other campaigns leave of the bound. */
function warmBytesLeft({ store, campaign, warmBytesMax }: RunSubject): number {
  const others = store.warmRuns().filter(({ campaignId }) => campaignId !== campaign.id);
  const used = others.reduce((sum, { countsJson }) => {
    const { bytes = 0 } = JSON.parse(countsJson) as { bytes?: number };
    return sum + bytes;
  }, 0);
  return Math.max(0, warmBytesMax - used);
}
