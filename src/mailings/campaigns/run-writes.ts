/**
 * Writes of runs to the database. With a shared database the main thread stores them. The campaign thread has the
 * lowest priority, and would keep the writers of all nodes waiting.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Campaign,
  CampaignRun,
  RunChange,
  RunKey,
} from '../store/campaigns/campaign-records.ts';
import { isSameRun } from '../store/campaigns/campaign-store.ts';
import type { CampaignStore } from '../store/campaigns/campaign-store.ts';
import type { Database } from '../../store/database/database.ts';
import { writeTransaction } from '../../store/database/database.ts';
import { StoreError } from '../../store/database/store-error.ts';
import type { CampaignLinks, ShortLinkStore } from '../../store/short-link-store.ts';
import type { WebhookEvent } from '../webhooks/message.ts';
import type { WebhookStore } from '../webhooks/webhook-store.ts';

export type RunWrite =
  | { kind: 'change'; run: RunKey; change: RunChange }
  | { kind: 'links'; run: RunKey; links: CampaignLinks }
  /** Deletes the campaign. */
  | { kind: 'delete'; id: string };

/** Resolves with the run; undefined, with nothing stored, if the caller lost it. Rejects with a `StoreError`. */
export type WriteRun = (write: RunWrite) => Promise<CampaignRun | undefined>;

/** The stores of one connection. */
export interface RunStores {
  db: Database;
  store: Pick<CampaignStore, 'changeRun' | 'delete' | 'find' | 'findRun'>;
  shortLinks: Pick<ShortLinkStore, 'createLinks'>;
  webhooks: Pick<WebhookStore, 'addEvent'>;
}

/** Interval in ms between two attempts to reach a database that is away. */
const awayEveryMs = 1000;

/** Stores a write in one transaction, with the event of a run that ends. Throws a `StoreError`. */
export function storeRunWrite(
  { db, store, shortLinks, webhooks }: RunStores,
  write: RunWrite,
): CampaignRun | undefined {
  return writeTransaction(db, 'Changing a run', () => {
    if (write.kind === 'delete') store.delete(write.id);
    if (write.kind === 'links') {
      const known = store.findRun(write.run.campaignId, write.run.mode);
      if (known === undefined || !isSameRun(known, write.run)) return undefined;
      shortLinks.createLinks(write.links);
      return known;
    }
    if (write.kind !== 'change') return undefined;
    const run = store.changeRun(write.run, write.change);
    const campaign = run && store.find(run.campaignId);
    const event = campaign && eventOf(campaign, run);
    if (event !== undefined) webhooks.addEvent(event);
    return run;
  });
}

/** Repeats `work` while the database is away or rows are missing. Rejects with other errors, or as `signal` says. */
export async function whenReachable<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof StoreError && ['AWAY', 'ABSENT'].includes(error.code);
      if (!isPassing) throw error;
    }
    await pause(awayEveryMs, undefined, { signal });
  }
}

/** The event of a run that has ended. It has numbers, and no value of a row. */
function eventOf(campaign: Campaign, run: CampaignRun): WebhookEvent | undefined {
  const { state, mode, version, done, countsJson, error } = run;
  if (state !== 'finished' && state !== 'failed') return undefined;
  const { id, name, organizationUid, templateUid: template, rowCount: rows } = campaign;
  const {
    template: _warnings,
    problem_rows: _rows,
    ...counts
  } = JSON.parse(countsJson) as Record<string, unknown>;
  const data = { id, name, template, version, mode, rows, done, counts, error };
  return { organizationUid, type: `campaign.${state}`, data };
}
