/** Messages between the service and the thread of its campaigns. */
import type { ErrorCode, ErrorDetail } from '../foundation/errors.ts';
import type { ImageLoaderOptions } from '../images/config.ts';
import type { CampaignMode, CampaignRun, RunState } from '../store/campaigns/campaign-records.ts';
import type { StoreErrorCode } from '../store/database/store-error.ts';
import type { ImportedList, ListUpload } from './list/import-list.ts';
import type { CampaignRenderConfig } from './renderer.ts';
import type { RunWrite } from './run-writes.ts';

/** The lock of the process that runs the campaigns, in their folder. */
export const lockName = 'running.lock';

/** What the thread is given at its start. */
export interface CampaignThreadOptions {
  dataDirectory: string;
  campaignsFolder: string;
  /** Of the database that nodes share; undefined without one. */
  databaseUrl: string | undefined;
  storageBytesMax: number;
  assetsBytesMax: number;
  /** Of the disk, for files of assets of a node. */
  nodeAssetsBytesMax: number;
  /** As `RunParts`. */
  warmBytesMax: number;
  render: CampaignRenderConfig;
  images: ImageLoaderOptions;
}

/** What one thread is given besides. */
export interface ThreadStart extends CampaignThreadOptions {
  /** For so long it does one run at a time: if the thread ends again, it is known by which one. */
  oneByOneMs: number;
}

/** Orders to the thread that are answered. */
export type ThreadQuestion =
  | ({ kind: 'import' } & ListUpload)
  /** Ends the run of a campaign, if there is one, as canceled. */
  | { kind: 'cancel'; id: string }
  /** Ends the run, and deletes the campaign with all its files. */
  | { kind: 'delete'; id: string }
  /** Deletes the files that this node has of a campaign that is deleted. */
  | { kind: 'forget'; id: string }
  /** Brings the list of a campaign to this node, with the problems that its last proof has found. */
  | { kind: 'load'; id: string }
  /** A part of a file of the shared database. */
  | { kind: 'part'; file: string; part: number }
  /** Ends all runs at their next checkpoint, to be resumed at the next start. */
  | { kind: 'close' };

export type ThreadOrder =
  | (ThreadQuestion & { number: number })
  /** Looks for queued runs. */
  | { kind: 'wake' }
  /** The answer to a write. */
  | { kind: 'stored'; number: number; run?: CampaignRun | undefined; error?: ThreadError };

/** What an answer of the thread may have. */
export interface ThreadAnswer {
  imported?: ImportedList;
  part?: Uint8Array | undefined;
}

/** An error, which loses its class on the way: of a store, or of the service. */
export type ThreadError =
  | { storeCode: StoreErrorCode; isQuota: boolean; message: string }
  | {
      code: ErrorCode;
      message: string;
      reason?: string | undefined;
      detail?: string | undefined;
      details?: readonly ErrorDetail[] | undefined;
    };

export interface RunNews {
  id: string;
  mode: CampaignMode;
  state: RunState;
  done: number;
  counts: Readonly<Record<string, unknown>>;
  error: string | null;
}

/** Messages of the thread. */
export type ThreadNews =
  | ({ kind: 'answer'; number: number; error?: ThreadError } & ThreadAnswer)
  | ({ kind: 'run' } & RunNews)
  /** Its number among the nodes of a shared database. */
  | { kind: 'node'; owner: number }
  /** To be stored on the thread of the service. */
  | { kind: 'write'; number: number; write: RunWrite };
