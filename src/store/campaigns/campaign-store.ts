/** Campaigns and their runs. The rows of a list are in a file of its own: see `campaign-list.ts`. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { createRandomId, writeNote, writeTransaction } from '../database/database.ts';
import { createStorageQuota } from '../database/storage-quota.ts';
import { refuseOnNode, StoreError, storeErrors } from '../database/store-error.ts';

/** What a run makes of a list. */
export const campaignModes = ['proof', 'links', 'files', 'warm'] as const;
export type CampaignMode = (typeof campaignModes)[number];

export type RunState = 'queued' | 'running' | 'finished' | 'failed' | 'canceled';

/** A list that is read, and its template. */
export interface Campaign {
  id: string;
  organizationUid: string;
  templateUid: string;
  name: string;
  /** How the list was read, JSON. */
  listJson: string;
  /** The variable of each mapped column, JSON. */
  mappingJson: string;
  /** Rows with a value, good or bad. */
  rowCount: number;
  /** Bytes of the list as it was sent. */
  bytes: number;
  /** Bytes of its file, which count as stored by the organization. */
  fileBytes: number;
  /** Milliseconds since the epoch, as all times here. */
  createdAt: number;
  /** When it is deleted. */
  expiresAt: number;
}

/** The last run of a mode. */
export interface CampaignRun {
  campaignId: string;
  mode: CampaignMode;
  /** Counts the runs of the mode, from 1: a checkpoint of an earlier one is not resumed. */
  number: number;
  state: RunState;
  /** Of the template. */
  version: number;
  /** JSON. */
  optionsJson: string;
  /** Begins the links: scheme, host and port. */
  baseUrl: string;
  /** 32 random bytes, from which tokens of short links derive: a row that is done again gets the same. */
  secret: Buffer;
  /** Rows that are done, good or bad. */
  done: number;
  /** JSON: numbers by names. */
  countsJson: string;
  /** Why it failed. */
  error: string | null;
  createdAt: number;
  finishedAt: number | null;
}

/** Requests for images of a campaign that were not in memory: answered from the disk, or not. */
export interface WarmUse {
  hits: number;
  misses: number;
}

/** A run that is queued or running. */
export type OpenRun = CampaignRun & Pick<Campaign, 'organizationUid'>;

/** What starts a run. */
export type NewRun = Pick<
  CampaignRun,
  'campaignId' | 'mode' | 'version' | 'optionsJson' | 'baseUrl'
>;

/** A change of a run; absent fields stay. */
export type RunChange = Partial<
  Pick<CampaignRun, 'state' | 'done' | 'countsJson' | 'error' | 'finishedAt'>
>;

/** Every method throws a `StoreError`. */
export interface CampaignStore {
  /** Throws `CONFLICT` if the organization has too many, or stores too much. */
  create(campaign: Omit<Campaign, 'createdAt'>): void;
  /** Throws `CONFLICT` if the organization has so many campaigns that `create` would throw, and with a shared database. */
  requireCapacity(organizationUid: string): void;
  /** Bytes that the organization may still store. */
  bytesLeft(organizationUid: string): number;
  find(id: string): Campaign | undefined;
  /** Newest first. */
  list(organizationUid: string, limit: number, offset: number): Campaign[];
  count(organizationUid: string): number;
  /** Deletes it with its runs; false if there is none. */
  delete(id: string): boolean;
  findExpired(limit: number): string[];
  /** All that exist, to find files without one. */
  ids(): string[];
  /**
   * Queues a run in place of the last one of its mode, with another mapping of the campaign if one is given. Throws
   * `CONFLICT` while one of the campaign is queued or running.
   */
  createRun(run: NewRun, mappingJson?: string): CampaignRun;
  findRuns(campaignId: string): CampaignRun[];
  findRun(campaignId: string, mode: CampaignMode): CampaignRun | undefined;
  /** Runs that are queued or running, the oldest first. */
  openRuns(): OpenRun[];
  /** The last runs of a mode, the newest first, with the template and the organization of their campaign. */
  runsOf(mode: CampaignMode): (CampaignRun & Pick<Campaign, 'templateUid' | 'organizationUid'>)[];
  /** Adds requests for warm images, by campaign; loses them if the database is busy. */
  addWarmUse(use: ReadonlyMap<string, WarmUse>): void;
  findWarmUse(campaignId: string): WarmUse;
  /** False if there is no such run of this number any more. */
  changeRun(run: Pick<CampaignRun, 'campaignId' | 'mode' | 'number'>, change: RunChange): boolean;
}

/** Campaigns of one organization: a year of two a week. */
export const campaignsMax = 100;

const campaignColumns = `id, organization_uid AS organizationUid, template_uid AS templateUid, name,
  list_json AS listJson, mapping_json AS mappingJson, row_count AS rowCount, bytes,
  file_bytes AS fileBytes, created_at AS createdAt, expires_at AS expiresAt`;
const runColumns = `campaign_id AS campaignId, mode, number, state, version, options_json AS optionsJson,
  base_url AS baseUrl, secret, done, counts_json AS countsJson, error, created_at AS createdAt, finished_at AS finishedAt`;

/** 119 bits. */
const idCharacters = 20;

/** A new id, which also names the folder of its files. */
export function createCampaignId(): string {
  return createRandomId('cmp_', idCharacters);
}

/** Whether a text of a caller has the form of an id: only such a text may become part of a path. */
export function isCampaignId(text: string): boolean {
  return /^cmp_[0-9A-Za-z]{20}$/.test(text);
}

/** One store for each connection. */
export function createCampaignStore(db: Database, storageBytesMax?: number): CampaignStore {
  const quota = createStorageQuota(db, storageBytesMax);
  const campaigns = prepareCampaigns(db);
  const runs = prepareRuns(db);
  const requireCapacity = (organizationUid: string): void => {
    const count = campaigns.count.get(organizationUid) ?? 0;
    if (count >= campaignsMax) throw tooManyCampaigns(count);
  };
  return {
    requireCapacity(organizationUid) {
      refuseOnNode('campaigns');
      storeErrors('Reading campaigns', () => requireCapacity(organizationUid));
    },
    bytesLeft: (organizationUid) =>
      storeErrors('Reading campaigns', () => quota.bytesLeft(organizationUid)),
    create: (campaign) =>
      writeTransaction(db, 'Storing a campaign', () => {
        requireCapacity(campaign.organizationUid);
        quota.check(campaign.organizationUid, campaign.fileBytes);
        campaigns.insert.run({ ...campaign, createdAt: Date.now() });
      }),
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
    addWarmUse: (use) => {
      writeNote(db, () =>
        db.transaction(() => {
          for (const [id, { hits, misses }] of use) runs.addUse.run(hits, misses, id);
        })(),
      );
    },
    findWarmUse: (campaignId) =>
      storeErrors('Reading a campaign', () => runs.use.get(campaignId) ?? { hits: 0, misses: 0 }),
    changeRun: ({ campaignId, mode, number }, change) =>
      writeTransaction(db, 'Changing a run', () => {
        const known = runs.find.get(campaignId, mode);
        if (known?.number !== number) return false;
        runs.replace.run({ ...known, ...change });
        return true;
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
  };
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- statements with their own types
function prepareCampaigns(db: Database) {
  return {
    insert: db.prepare<[Campaign]>(
      `INSERT INTO campaigns (id, organization_uid, template_uid, name, list_json, mapping_json, row_count, bytes, file_bytes, created_at, expires_at)
       VALUES (@id, @organizationUid, @templateUid, @name, @listJson, @mappingJson, @rowCount, @bytes, @fileBytes, @createdAt, @expiresAt)`,
    ),
    find: db.prepare<[string], Campaign>(`SELECT ${campaignColumns} FROM campaigns WHERE id = ?`),
    list: db.prepare<[string, number, number], Campaign>(
      `SELECT ${campaignColumns} FROM campaigns WHERE organization_uid = ?
       ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
    ),
    count: db
      .prepare<[string], number>('SELECT count(*) FROM campaigns WHERE organization_uid = ?')
      .pluck(),
    remove: db.prepare<[string]>('DELETE FROM campaigns WHERE id = ?'),
    setMapping: db.prepare<[string, string]>('UPDATE campaigns SET mapping_json = ? WHERE id = ?'),
    expired: db
      .prepare<[number, number], string>(
        'SELECT id FROM campaigns WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
      )
      .pluck(),
    ids: db.prepare<[], string>('SELECT id FROM campaigns').pluck(),
  };
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- statements with their own types
function prepareRuns(db: Database) {
  const columnsOfRun = runColumns.replaceAll(/(campaign_id|created_at)/g, 'r.$1');
  const isOpen = `state IN ('queued', 'running')`;
  return {
    replace: db.prepare<[CampaignRun]>(
      `INSERT OR REPLACE INTO campaign_runs (campaign_id, mode, number, state, version, options_json, base_url, secret, done, counts_json, error, created_at, finished_at)
       VALUES (@campaignId, @mode, @number, @state, @version, @optionsJson, @baseUrl, @secret, @done, @countsJson, @error, @createdAt, @finishedAt)`,
    ),
    find: db.prepare<[string, string], CampaignRun>(
      `SELECT ${runColumns} FROM campaign_runs WHERE campaign_id = ? AND mode = ?`,
    ),
    all: db.prepare<[string], CampaignRun>(
      `SELECT ${runColumns} FROM campaign_runs WHERE campaign_id = ? ORDER BY created_at DESC, mode`,
    ),
    open: db.prepare<[], OpenRun>(
      `SELECT ${columnsOfRun}, c.organization_uid AS organizationUid
       FROM campaign_runs r JOIN campaigns c ON c.id = r.campaign_id
       WHERE ${isOpen} ORDER BY r.created_at`,
    ),
    ofMode: db.prepare<[string], CampaignRun & Pick<Campaign, 'templateUid' | 'organizationUid'>>(
      `SELECT ${columnsOfRun},
         c.template_uid AS templateUid, c.organization_uid AS organizationUid
       FROM campaign_runs r JOIN campaigns c ON c.id = r.campaign_id
       WHERE r.mode = ? ORDER BY r.created_at DESC`,
    ),
    addUse: db.prepare<[number, number, string]>(
      `INSERT INTO campaign_warm_use (campaign_id, hits, misses)
       SELECT id, ?, ? FROM campaigns WHERE id = ?
       ON CONFLICT (campaign_id) DO UPDATE SET hits = hits + excluded.hits, misses = misses + excluded.misses`,
    ),
    use: db.prepare<[string], WarmUse>(
      'SELECT hits, misses FROM campaign_warm_use WHERE campaign_id = ?',
    ),
    openOf: db.prepare<[string], CampaignRun>(
      `SELECT ${runColumns} FROM campaign_runs WHERE campaign_id = ? AND ${isOpen}`,
    ),
  };
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
