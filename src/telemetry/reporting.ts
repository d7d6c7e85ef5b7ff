/** Creates the parts that report links and campaigns to organizations: webhooks and statistics. */
import type { Log } from '../foundation/log.ts';
import type { Database } from '../store/database/database.ts';
import type { StatisticsStore } from '../store/statistics-store.ts';
import { FailureWatch } from '../webhooks/failure-watch.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import type { Webhooks, WebhooksOptions } from '../webhooks/webhooks.ts';
import { LinkStatistics } from './link-statistics.ts';

/** The parts that observe links. The caller closes them, `linkStatistics` first. */
export interface Reporting {
  webhooks: Webhooks;
  /** Turns the statistics into the events of templates that fail and recover. */
  failures: FailureWatch;
  linkStatistics: LinkStatistics;
}

/** Nothing is sent before `webhooks.start`. */
export function createReporting(
  { db, statistics }: { db: Database; statistics: StatisticsStore },
  settings: WebhooksOptions['settings'],
  log: Log,
): Reporting {
  const webhooks = createWebhooks({ db, settings, log });
  const failures = new FailureWatch({ db, emit: (event) => webhooks.emit(event), log });
  const linkStatistics = new LinkStatistics(statistics, (counts) => failures.observe(counts));
  return { webhooks, failures, linkStatistics };
}
