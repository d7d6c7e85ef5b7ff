/** Campaigns and their runs in the form of the database. */

/** Kinds of runs: a check of the list, links, image files, or images in the cache. */
export const campaignModes = ['proof', 'links', 'files', 'warm'] as const;
export type CampaignMode = (typeof campaignModes)[number];

export type RunState = 'queued' | 'running' | 'finished' | 'failed' | 'canceled';

/** A list of recipients for a template. */
export interface Campaign {
  id: string;
  organizationUid: string;
  templateUid: string;
  name: string;
  /** JSON that describes how the list was read. */
  listJson: string;
  /** JSON of the variable of each mapped column. */
  mappingJson: string;
  /** Number of rows with a value, including unusable ones. */
  rowCount: number;
  /** Size of the uploaded list in bytes. */
  bytes: number;
  /** Size of the campaign's file in bytes, which counts as storage of the organization. */
  fileBytes: number;
  /** Milliseconds since the epoch, like all times in this file. */
  createdAt: number;
  /** Time of deletion. */
  expiresAt: number;
}

/** The last run of a campaign in one mode. */
export interface CampaignRun {
  campaignId: string;
  mode: CampaignMode;
  /** Number of the run in its mode, from 1. A checkpoint of an earlier run is not used. */
  number: number;
  state: RunState;
  /** Version of the template. */
  version: number;
  /** Options of the run as JSON. */
  optionsJson: string;
  /** The start of the links: scheme, host and port. */
  baseUrl: string;
  /** 32 random bytes from which the tokens of short links derive, so that a repeated row gets the same token. */
  secret: Buffer;
  /** Number of processed rows, including unusable ones. */
  done: number;
  /** JSON of counts by name. */
  countsJson: string;
  /** Reason of a failure; null without one. */
  error: string | null;
  createdAt: number;
  finishedAt: number | null;
  /** In a shared database, the number of the node that does the run or did it last; null for none. */
  owner: number | null;
  /** In a shared database, the files that the run has made, as JSON of `RunFiles`. */
  filesJson: string;
}

/** The files of a finished run in a shared database, by name. */
export type RunFiles = Readonly<Record<string, { id: string; bytes: number }>>;

/** A run that is queued or running. */
export type OpenRun = CampaignRun & Pick<Campaign, 'organizationUid'>;

/** The fields that a new run needs. */
export type NewRun = Pick<
  CampaignRun,
  'campaignId' | 'mode' | 'version' | 'optionsJson' | 'baseUrl'
>;

/** Changed fields of a run. */
export type RunChange = Partial<
  Pick<
    CampaignRun,
    'state' | 'done' | 'countsJson' | 'error' | 'finishedAt' | 'owner' | 'filesJson'
  >
>;

/** Identifies a run to change. Without `owner`, the run may belong to any node. */
export type RunKey = Pick<CampaignRun, 'campaignId' | 'mode' | 'number'> &
  Partial<Pick<CampaignRun, 'owner'>>;
