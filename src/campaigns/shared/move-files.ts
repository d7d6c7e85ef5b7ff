/** Moves the lists and results of all campaigns between the data folder of one service and the shared database. */
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openCampaignList } from '../../store/campaigns/campaign-list.ts';
import type { RunFiles } from '../../store/campaigns/campaign-records.ts';
import { createCampaignStore } from '../../store/campaigns/campaign-store.ts';
import type { Database } from '../../store/database/database.ts';
import type { Connection } from '../../store/shared/connection.ts';
import type { MovedFiles } from '../../store/shared/move-database.ts';
import { campaignPaths } from '../list/import-list.ts';
import { findResults, SharedFiles } from './shared-files.ts';

/** Warm images stay behind: a link without one is drawn. */
export function moveCampaignFiles(db: Database, dataDirectory: string): MovedFiles {
  const campaignsFolder = join(dataDirectory, 'campaigns');
  const store = createCampaignStore(db);
  const filesOver = (connection: Connection): SharedFiles =>
    new SharedFiles({ campaignsFolder, store, use: (work) => work(connection) });
  const runs = (): ReturnType<typeof store.findRuns> =>
    store.ids().flatMap((id) => store.findRuns(id));
  const listPath = (id: string): string => campaignPaths(campaignsFolder, id).list;
  return {
    prepare() {
      for (const run of runs()) {
        const found = run.state === 'finished' ? findResults(campaignsFolder, run) : [];
        const named = found.map(([name, path]) => [
          name,
          { id: randomUUID(), bytes: statSync(path).size },
        ]);
        store.setFiles(run, Object.fromEntries(named) as RunFiles);
      }
      for (const id of store.ids().filter((each) => existsSync(listPath(each)))) {
        // Closing it also brings its log into its file.
        const list = openCampaignList(listPath(id));
        list.forgetFiles();
        list.close();
      }
    },
    async save(connection) {
      const files = filesOver(connection);
      for (const id of store.ids()) if (existsSync(listPath(id))) await files.saveList(id);
      for (const run of runs()) await files.saveNamed(run);
    },
    async load(connection) {
      const files = filesOver(connection);
      for (const id of store.ids()) {
        const campaign = store.find(id);
        if (campaign === undefined) continue;
        await files.loadList(campaign);
        await files.loadProblems(id);
      }
      for (const run of runs()) await files.loadResults(run);
    },
  };
}
