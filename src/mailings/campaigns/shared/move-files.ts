/** Moves the lists and results of all campaigns between the data folder of one service and the shared database. */
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openCampaignList } from '../../store/campaigns/campaign-list.ts';
import type { RunFiles } from '../../store/campaigns/campaign-records.ts';
import { createCampaignStore } from '../../store/campaigns/campaign-store.ts';
import type { Database } from '../../../store/database/database.ts';
import { digestFiles, hasFile } from '../../store/campaigns/campaign-files.ts';
import { campaignPaths } from '../list/import-list.ts';
import { filesOf, findResults, problemsName, SharedFiles } from './shared-files.ts';
import type { Connection, MovedPart } from '../../../store/database/shared-port.ts';

/**
 * Does not move warm images, because links without them are rendered. `onMissing` gets the name of each file that the
 * shared database lacks, for example after a restore without files.
 */
export function moveCampaignFiles(
  db: Database,
  dataDirectory: string,
  onMissing: (name: string) => void = () => undefined,
): MovedPart {
  const campaignsFolder = join(dataDirectory, 'campaigns');
  const store = createCampaignStore(db);
  const filesOver = (connection: Connection): SharedFiles =>
    new SharedFiles({ campaignsFolder, store, use: (work) => work(connection) });
  const runs = (): ReturnType<typeof store.findRuns> =>
    store.ids().flatMap((id) => store.findRuns(id));
  const listPath = (id: string): string => campaignPaths(campaignsFolder, id).list;
  return {
    compare: digestFiles,
    prepare() {
      for (const run of runs()) {
        const found = run.state === 'finished' ? findResults(campaignsFolder, run) : [];
        const named = found.map(([name, path]) => [
          name,
          { id: randomUUID(), bytes: statSync(path).size },
        ]);
        store.setFiles(run, Object.fromEntries(named) as RunFiles);
      }
    },
    async save(connection) {
      const files = filesOver(connection);
      for (const id of store.ids().filter((each) => existsSync(listPath(each)))) {
        // Closing the list also checkpoints its write-ahead log into the file.
        const list = openCampaignList(listPath(id));
        list.forgetFiles();
        list.close();
        await files.saveList(id);
      }
      for (const run of runs()) await files.saveNamed(run);
    },
    async load(connection) {
      const files = filesOver(connection);
      const isThere = async (file: string, name: string): Promise<boolean> => {
        const isFound = await hasFile(connection, file);
        if (!isFound) onMissing(name);
        return isFound;
      };
      for (const id of store.ids()) {
        const campaign = store.find(id);
        if (campaign === undefined) continue;
        const hasList = existsSync(listPath(id)) || (await isThere(id, `the list of ${id}`));
        if (hasList) await files.loadList(campaign);
        for (const run of store.findRuns(id)) {
          if (run.mode === 'warm') continue;
          const found: Record<string, { id: string; bytes: number }> = {};
          for (const [name, file] of Object.entries(filesOf(run))) {
            if (await isThere(file.id, `${name} of ${id}`)) found[name] = file;
          }
          await files.loadResults({ ...run, filesJson: JSON.stringify(found) });
          if (hasList && found[problemsName] !== undefined) await files.loadProblems(id);
        }
      }
    },
  };
}
