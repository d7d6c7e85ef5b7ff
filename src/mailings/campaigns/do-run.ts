/** Executes one run over its list, from its last checkpoint on this node to the end. */
import { rmSync } from 'node:fs';
import { openCampaignList } from '../store/campaigns/campaign-list.ts';
import type { CampaignRun, RunFiles } from '../store/campaigns/campaign-records.ts';
import { KeptImages } from './kept-images.ts';
import { campaignPaths } from './list/import-list.ts';
import { CampaignRenderer } from './renderer.ts';
import { createRowWork } from './row-work.ts';
import { runRows } from './run-rows.ts';
import type { OnProgress } from './run-rows.ts';
import type { RunParts } from './run-subject.ts';
import { whenReachable } from './run-writes.ts';
import { findResults } from './shared/shared-files.ts';

/** Resolves with the run's files in the shared database. Rejects with the reason of `signal` or the run's error. */
export async function doRun(
  parts: RunParts,
  run: CampaignRun,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<RunFiles> {
  const { campaignsFolder, store, loader, processes, fonts, tables, shared } = parts;
  const campaign = store.find(run.campaignId);
  if (campaign === undefined) return {};
  const paths = campaignPaths(campaignsFolder, campaign.id);
  forgetImages(parts, run);
  if (shared !== undefined) {
    await whenReachable(() => shared.files.loadList(campaign), signal);
    await whenReachable(async () => tables.node.requireNewest(campaign.organizationUid), signal);
  }
  const list = openCampaignList(paths.list);
  try {
    list.problems.fillNeeds();
    // This node had the run before, lost it, and discarded its files.
    if (run.mode === 'files' && findResults(campaignsFolder, run).length === 0) list.forgetFiles();
    const images = new KeptImages(loader, paths.images);
    await processes.use(async (pool) => {
      const renderer = new CampaignRenderer(pool, processes.threadCount, images, fonts);
      const given = { ...parts, campaign, run, signal, list, paths, images, renderer };
      await runRows(run, list, createRowWork(given), signal, onProgress);
    });
  } finally {
    list.close();
  }
  return (await shared?.files.saveResults(run, signal)) ?? {};
}

/**
 * Deletes the kept images of campaigns without a run that has begun. At most `runsMax` campaigns of an organization
 * then have kept images. A later run fetches the images again.
 */
function forgetImages({ campaignsFolder, store }: RunParts, { campaignId }: CampaignRun): void {
  const begun = store.openRuns().filter(({ state, done }) => state === 'running' || done > 0);
  const kept = new Set([campaignId, ...begun.map((each) => each.campaignId)]);
  for (const id of store.ids()) {
    if (kept.has(id)) continue;
    rmSync(campaignPaths(campaignsFolder, id).images, { recursive: true, force: true });
  }
}
