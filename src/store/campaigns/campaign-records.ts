/** Campaigns and their runs, as the database has them. */

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
  /** Of a shared database: the node that does it, or did last; null for none. */
  owner: number | null;
  /** Of a shared database: the files that it has made, JSON of `RunFiles`. */
  filesJson: string;
}

/** The files of a finished run in a shared database, by name. */
export type RunFiles = Readonly<Record<string, { id: string; bytes: number }>>;

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
  Pick<
    CampaignRun,
    'state' | 'done' | 'countsJson' | 'error' | 'finishedAt' | 'owner' | 'filesJson'
  >
>;

/** A run that is to be changed; without `owner`, whichever node does it. */
export type RunKey = Pick<CampaignRun, 'campaignId' | 'mode' | 'number'> &
  Partial<Pick<CampaignRun, 'owner'>>;
