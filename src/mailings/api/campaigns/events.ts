/** The progress of a campaign as server-sent events. */
import type { RunNews } from '../../campaigns/messages.ts';
import { OrganizationSlots } from '../../../foundation/organization-slots.ts';
import type { SlotLimits } from '../../../foundation/organization-slots.ts';
import { fileContent } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { requireCampaign } from './request.ts';
import { streamHeaders } from './results.ts';
import type { ResultParts } from './results.ts';
import { idParameter, showRun } from './schemas.ts';

/** Interval of keep-alive comments in ms, so that proxies keep a quiet stream open. */
const keepAliveMs = 5000;

/** Polling interval of the database in ms: runs of other processes and nodes send no news to this process. */
const lookMs = 1000;

/** Each open page holds a stream. Without a bound, one API key could hold every connection of the service. */
const streamLimits: SlotLimits = {
  what: 'streams of events are open',
  organizationMax: 32,
  countMax: 512,
  reason: 'streams',
};

export const getEvents = endpoint(
  {
    id: 'getCampaignEvents',
    route: 'campaigns',
    method: 'get',
    path: '/v1/campaigns/{id}/events',
    tag: 'Campaigns',
    summary: 'Watch the progress of a campaign',
    description:
      'Server-sent events: `progress` with the run as JSON, at the start and with each change. The stream ends when no run is queued or running.',
    scope: 'render',
    pathParameters: { id: idParameter },
    answers: { 200: { description: 'Events.', content: fileContent('text/event-stream') } },
    errors: {
      404: 'No such campaign in the organization.',
      503: `The organization has ${streamLimits.organizationMax} streams open; \`Retry-After\` says when to come back.`,
    },
    clientCall:
      "const { body } = await platen.requestFile('GET /v1/campaigns/{id}/events', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  (parts: ResultParts) => {
    const slots = new OrganizationSlots(streamLimits);
    return (exchange, { holder }) => {
      const campaign = requireCampaign(parts, exchange, holder);
      return {
        status: 200,
        headers: streamHeaders('text/event-stream'),
        stream: { chunks: slots.stream(holder.uid, () => events(parts, campaign.id)) },
      };
    };
  },
);

/** One event of a stream (HTML Living Standard, 9.2). */
function event(data: unknown): Uint8Array {
  return Buffer.from(`event: progress\ndata: ${JSON.stringify(data)}\n\n`);
}

async function* events(
  { campaigns, campaignStore }: ResultParts,
  id: string,
): AsyncGenerator<Uint8Array> {
  let latest: RunNews | undefined;
  let isEnding = false;
  let wake: (() => void) | undefined;
  const unwatch = campaigns.watch(id, (news) => {
    // A slow client gets only the newest state.
    latest = news;
    isEnding ||= news === undefined;
    wake?.();
  });
  try {
    const [run] = campaignStore.findRuns(id);
    if (run === undefined) return;
    yield event(showRun(run));
    let { state, done } = run;
    let quietMs = 0;
    while (state === 'queued' || state === 'running') {
      if (latest === undefined) {
        const isNews = await new Promise<boolean>((resolve) => {
          wake = () => resolve(true);
          setTimeout(() => resolve(false), lookMs).unref();
        });
        if (isEnding) return;
        if (isNews) continue;
        const [now] = campaignStore.findRuns(id);
        if (now === undefined) return;
        quietMs += lookMs;
        // A run whose thread ended sends no news either.
        if (now.state !== state || now.done > done) {
          ({ state, done } = now);
          quietMs = 0;
          yield event(showRun(now));
        } else if (quietMs >= keepAliveMs) {
          quietMs = 0;
          yield Buffer.from(': alive\n\n');
        }
        continue;
      }
      const { mode, counts, error } = latest;
      ({ state, done } = latest);
      latest = undefined;
      quietMs = 0;
      yield event({ mode, state, done, counts, error });
    }
  } finally {
    unwatch();
  }
}
