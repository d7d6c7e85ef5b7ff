/** Messages between the service and the thread of its campaigns. */
import type { ErrorCode, ErrorDetail } from '../../foundation/errors.ts';
import type { ImageLoaderOptions } from '../../images/config.ts';
import type { CampaignMode, CampaignRun, RunState } from '../store/campaigns/campaign-records.ts';
import type { StoreErrorCode } from '../../store/database/store-error.ts';
import type { CampaignRenderConfig } from './renderer.ts';
import type { RunWrite } from './run-writes.ts';

/** The lock of the process that runs the campaigns, in their folder. */
export const lockName = 'running.lock';

/** Options of the thread, which stay the same when it is started again. */
export interface CampaignThreadOptions {
  dataDirectory: string;
  campaignsFolder: string;
  /** URL of the database that nodes share; undefined without one. */
  databaseUrl: string | undefined;
  storageBytesMax: number;
  assetsBytesMax: number;
  /** Upper bound in bytes of the disk space for files of assets on a node. */
  nodeAssetsBytesMax: number;
  /** Upper bound in bytes of the warm images of all campaigns. */
  warmBytesMax: number;
  render: CampaignRenderConfig;
  images: ImageLoaderOptions;
}

/** Options of one start of the thread. */
export interface ThreadStart extends CampaignThreadOptions {
  /** Time in ms for which the thread does one run at a time, to find the run that ends the thread again. */
  oneByOneMs: number;
}

/** Orders that the thread answers. */
export type ThreadQuestion =
  /** Stores a list that was just imported in the shared database. */
  | { kind: 'save'; id: string }
  /** Ends the run of a campaign, if there is one, as canceled. */
  | { kind: 'cancel'; id: string }
  /** Ends the run, and deletes the campaign with all its files. */
  | { kind: 'delete'; id: string }
  /** Deletes the files that this node has of a campaign that is deleted. */
  | { kind: 'forget'; id: string }
  /** Copies a list to this node, with the problems of its last proof, and completes one of an earlier release. */
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

/** Results that an answer of the thread may have. */
export interface ThreadAnswer {
  part?: Uint8Array | undefined;
}

/** An error of a store or of the service as plain data, because a message loses the class. */
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
  /** The number of the thread among the nodes of a shared database. */
  | { kind: 'node'; owner: number }
  /** A write for the main thread to store. */
  | { kind: 'write'; number: number; write: RunWrite };
