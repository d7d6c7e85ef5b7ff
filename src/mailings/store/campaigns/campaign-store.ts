/** Stores campaigns and their runs. The rows of a list are in a separate file, see `campaign-list.ts`. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../../../store/database/database.ts';
import { createRandomId, writeNote, writeTransaction } from '../../../store/database/database.ts';
import { createStorageQuota } from '../../../store/database/storage-quota.ts';
import type { StorageSpace } from '../../../store/database/storage-quota.ts';
import { StoreError, storeErrors } from '../../../store/database/store-error.ts';
import type {
  Campaign,
  CampaignMode,
  CampaignRun,
  NewRun,
  OpenRun,
  RunChange,
  RunFiles,
  RunKey,
} from './campaign-records.ts';
import type { WarmUse } from '../../../render/warm-renders.ts';
import { prepareCampaigns, prepareRuns } from './campaign-statements.ts';

/** Every method throws a `StoreError`. */
export interface CampaignStore {
  /** Stores a campaign. Throws `CONFLICT` if the organization has too many campaigns or stores too much. */
  create(campaign: Omit<Campaign, 'createdAt'>): void;
  /** Stores a campaign with its first run, in one transaction, as `create` and `createRun` do. */
  createWithRun(campaign: Omit<Campaign, 'createdAt'>, run: NewRun): CampaignRun;
  /** Throws `CONFLICT` if the organization has the maximum number of campaigns. */
  requireCapacity(organizationUid: string): void;
  /** The space that the organization has left for a list. */
  space(organizationUid: string): StorageSpace;
  find(id: string): Campaign | undefined;
  /** Newest first. */
  list(organizationUid: string, limit: number, offset: number): Campaign[];
  count(organizationUid: string): number;
  /** Deletes a campaign with its runs; false if it does not exist. */
  delete(id: string): boolean;
  findExpired(limit: number): string[];
  /** Ids of all campaigns, to find files without a campaign. */
  ids(): string[];
  /**
   * Queues a run and replaces the last run of its mode. A given mapping replaces that of the campaign. Throws
   * `CONFLICT` while a run of the campaign is queued or running.
   */
  createRun(run: NewRun, mappingJson?: string): CampaignRun;
  findRuns(campaignId: string): CampaignRun[];
  findRun(campaignId: string, mode: CampaignMode): CampaignRun | undefined;
  /** Queued and running runs, oldest first. */
  openRuns(): OpenRun[];
  /** The last run of each campaign in a mode, newest first, with the campaign's template and organization. */
  runsOf(mode: CampaignMode): (CampaignRun & Pick<Campaign, 'templateUid' | 'organizationUid'>)[];
  /** Adds counts of requests for warm images, by campaign. The counts are lost if the database is busy. */
  addWarmUse(use: ReadonlyMap<string, WarmUse>): void;
  findWarmUse(campaignId: string): WarmUse;
  /** Stores the names of a run's files, also after the run has ended. */
  setFiles(run: Pick<CampaignRun, 'campaignId' | 'mode'>, files: RunFiles): void;
  /**
   * Changes a run and returns it. Undefined if it has ended, belongs to another node, or was replaced by a newer run.
   */
  changeRun(run: RunKey, change: RunChange): CampaignRun | undefined;
}

/** Maximum number of campaigns of one organization: two a week for a year. */
export const campaignsMax = 100;

/** Random characters of an id: 119 bits. */
const idCharacters = 20;

/** Creates an id, which also names the folder of the campaign's files. */
export function createCampaignId(): string {
  return createRandomId('cmp_', idCharacters);
}

/** Whether a caller's text has the form of an id. Only such a text may become part of a path. */
export function isCampaignId(text: string): boolean {
  return /^cmp_[0-9A-Za-z]{20}$/.test(text);
}

/** Creates the store of a connection. */
export function createCampaignStore(db: Database, storageBytesMax?: number): CampaignStore {
  const quota = createStorageQuota(db, storageBytesMax);
  const campaigns = prepareCampaigns(db);
  const runs = prepareRuns(db);
  const requireCapacity = (organizationUid: string): void => {
    const count = campaigns.count.get(organizationUid) ?? 0;
    if (count >= campaignsMax) throw tooManyCampaigns(count);
  };
  const create: CampaignStore['create'] = (campaign) =>
    writeTransaction(db, 'Storing a campaign', () => {
      requireCapacity(campaign.organizationUid);
      quota.check(campaign.organizationUid, campaign.fileBytes);
      campaigns.insert.run({ ...campaign, createdAt: Date.now() });
    });
  const runMethods = createRunMethods(db, campaigns, runs);
  return {
    ...runMethods,
    create,
    createWithRun: (campaign, run) =>
      writeTransaction(db, 'Storing a campaign', () => {
        create(campaign);
        return runMethods.createRun(run);
      }),
    requireCapacity: (organizationUid) =>
      storeErrors('Reading campaigns', () => requireCapacity(organizationUid)),
    space: (organizationUid) =>
      storeErrors('Reading campaigns', () => quota.space(organizationUid)),
    find: (id) => storeErrors('Reading a campaign', () => campaigns.find.get(id)),
    list: (organizationUid, limit, offset) =>
      storeErrors('Reading campaigns', () => campaigns.list.all(organizationUid, limit, offset)),
    count: (organizationUid) =>
      storeErrors('Reading campaigns', () => campaigns.count.get(organizationUid) ?? 0),
    delete: (id) =>
      writeTransaction(db, 'Deleting a campaign', () => campaigns.remove.run(id).changes === 1),
    findExpired: (limit) =>
      storeErrors('Reading campaigns', () => campaigns.expired.all(Date.now(), limit)),
    ids: () => storeErrors('Reading campaigns', () => campaigns.ids.all()),
    addWarmUse: (use) => {
      writeNote(db, () =>
        db.transaction(() => {
          for (const [id, { hits, misses }] of use) runs.addUse.run(hits, misses, id);
        })(),
      );
    },
    findWarmUse: (campaignId) =>
      storeErrors('Reading a campaign', () => runs.use.get(campaignId) ?? { hits: 0, misses: 0 }),
  };
}

type RunMethods = Pick<
  CampaignStore,
  'createRun' | 'findRuns' | 'findRun' | 'openRuns' | 'runsOf' | 'setFiles' | 'changeRun'
>;

function createRunMethods(
  db: Database,
  campaigns: ReturnType<typeof prepareCampaigns>,
  runs: ReturnType<typeof prepareRuns>,
): RunMethods {
  return {
    createRun: (run, mappingJson) =>
      writeTransaction(db, 'Starting a run', () => {
        const open = runs.openOf.get(run.campaignId);
        if (open !== undefined) throw stillRunning(open);
        const number = (runs.find.get(run.campaignId, run.mode)?.number ?? 0) + 1;
        const created = queuedRun(run, number);
        if (mappingJson !== undefined) campaigns.setMapping.run(mappingJson, run.campaignId);
        runs.replace.run(created);
        return created;
      }),
    findRuns: (campaignId) => storeErrors('Reading runs', () => runs.all.all(campaignId)),
    findRun: (campaignId, mode) =>
      storeErrors('Reading a run', () => runs.find.get(campaignId, mode)),
    openRuns: () => storeErrors('Reading runs', () => runs.open.all()),
    runsOf: (mode) => storeErrors('Reading runs', () => runs.ofMode.all(mode)),
    setFiles: ({ campaignId, mode }, files) =>
      writeTransaction(db, 'Changing a run', () =>
        runs.setFiles.run(JSON.stringify(files), campaignId, mode),
      ),
    changeRun: (run, change) =>
      writeTransaction(db, 'Changing a run', () => {
        const known = runs.find.get(run.campaignId, run.mode);
        if (known === undefined || !isSameRun(known, run)) return undefined;
        const changed = { ...known, ...change };
        runs.replace.run(changed);
        return changed;
      }),
  };
}

function queuedRun(run: NewRun, number: number): CampaignRun {
  return {
    ...run,
    number,
    secret: randomBytes(32),
    state: 'queued',
    done: 0,
    countsJson: '{}',
    error: null,
    createdAt: Date.now(),
    finishedAt: null,
    owner: null,
    filesJson: '{}',
  };
}

/** Whether a run is queued or running, and matches the key. */
export function isSameRun(run: CampaignRun, { number, owner }: RunKey): boolean {
  const isOpen = run.state === 'queued' || run.state === 'running';
  return isOpen && run.number === number && (owner === undefined || run.owner === owner);
}

function tooManyCampaigns(count: number): StoreError {
  return new StoreError(
    'CONFLICT',
    `The organization has ${count} campaigns, at most ${campaignsMax}: delete those that are over.`,
  );
}

function stillRunning({ mode, state }: CampaignRun): StoreError {
  return new StoreError(
    'CONFLICT',
    `The campaign has a run of "${mode}" that is ${state}: wait for it, or cancel it first.`,
  );
}
