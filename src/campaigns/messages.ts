/** Messages between the service and the thread of its campaigns. */
import type { ErrorCode, ErrorDetail } from '../foundation/errors.ts';
import type { ListOptions } from '../lists/list.ts';
import type { ImageLoaderOptions } from '../images/config.ts';
import type { CampaignMode, RunState } from '../store/campaigns/campaign-store.ts';
import type { ImportedList } from './list/import-list.ts';
import type { CampaignRenderConfig } from './renderer.ts';

/** The lock of the process that runs the campaigns, in their folder. */
export const lockName = 'running.lock';

/** What the thread is given at its start. */
export interface CampaignThreadOptions {
  dataDirectory: string;
  campaignsFolder: string;
  storageBytesMax: number;
  assetsBytesMax: number;
  /** As `RunParts`. */
  warmBytesMax: number;
  render: CampaignRenderConfig;
  images: ImageLoaderOptions;
}

/** Orders to the thread; those with a number are answered. */
export type ThreadOrder =
  | { kind: 'import'; number: number; id: string; path: string; options: ListOptions }
  /** Looks for queued runs. */
  | { kind: 'wake' }
  /** Ends the run of a campaign, if there is one, as canceled. */
  | { kind: 'cancel'; number: number; id: string }
  /** Ends the run, and deletes the campaign with all its files. */
  | { kind: 'delete'; number: number; id: string }
  /** Ends all runs at their next checkpoint, to be resumed at the next start. */
  | { kind: 'close'; number: number };

/** An error, which loses its class on the way. */
export interface ThreadError {
  code: ErrorCode;
  message: string;
  reason?: string | undefined;
  detail?: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
}

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
  | { kind: 'answer'; number: number; imported?: ImportedList; error?: ThreadError }
  | ({ kind: 'run' } & RunNews);
