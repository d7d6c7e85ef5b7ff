/** Reads a campaign from the service, watches it while a run is open, and starts or cancels runs. */
import { useEffect, useState } from 'preact/hooks';
import type { Template } from '#language/schema/template.ts';
import type { Campaign, CampaignRunRequest } from '../../client/platen-client.ts';
import { loadFile } from '../state/service.ts';
import type { Service } from '../state/service.ts';
import { explainError, notifyError, statusOf } from '../wording.ts';
import type { ImageChoices } from './image-choices.ts';

export type Run = Campaign['runs'][number];

/** A campaign, with the actions on its runs. */
export interface CampaignState {
  campaign: Campaign | undefined;
  /** Reason for which the campaign cannot be read. */
  problem: string | undefined;
  /** True while a run is queued or running. */
  isOpen: boolean;
  /** Starts a run, after canceling an open one. Notifies of a failure. */
  start: (request: CampaignRunRequest) => Promise<void>;
  cancel: () => Promise<void>;
}

/** State that the sections of the page share. */
export interface CampaignParts {
  service: Service;
  state: CampaignState;
  campaign: Campaign;
  /** Document of the version that the proof used. */
  template: Template;
  /** Choices for the image that runs render. */
  image: ImageChoices;
  setImage: (image: ImageChoices) => void;
}

/** Delay before a broken event stream is requested again, ms. */
const retryMs = 1500;

/** Reads and watches campaign `id`. */
export function useCampaign(service: Service, id: string): CampaignState {
  const { client } = service;
  const [campaign, setCampaign] = useState<Campaign | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const isOpen = campaign !== undefined && isOpenRun(campaign);
  const path = { id };
  const load = async (): Promise<void> => {
    try {
      setCampaign(await client.request('GET /v1/campaigns/{id}', { path }));
      setProblem(undefined);
    } catch (error) {
      const isGone = statusOf(error) === 404;
      setProblem(
        isGone
          ? 'This organization has no such campaign. It may have been deleted.'
          : explainError(error),
      );
    }
  };
  // Loads again when a run has ended, because its times and its file are available then.
  useEffect(() => void load(), [id, isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const ended = new AbortController();
    const onNews = (news: Partial<Run>): void =>
      setCampaign((current) => current && withNews(current, news));
    void watch(service, id, ended.signal, { onNews, load });
    return () => ended.abort();
  }, [id, isOpen]);

  const order = async (doing: string, send: () => Promise<Campaign>): Promise<void> => {
    try {
      const answer = await send();
      setCampaign((current) => ({ ...current, ...answer }));
    } catch (error) {
      notifyError(doing, error);
    }
  };
  const cancelOpen = (): Promise<Campaign> =>
    client.request('POST /v1/campaigns/{id}/cancel', { path });
  return {
    campaign,
    problem,
    isOpen,
    start: (body) =>
      order('The run was not started', async () => {
        if (isOpen) await cancelOpen();
        return client.request('POST /v1/campaigns/{id}/runs', { path, body });
      }),
    cancel: () => order('The run was not canceled', cancelOpen),
  };
}

async function watch(
  service: Service,
  id: string,
  signal: AbortSignal,
  { onNews, load }: { onNews: (news: Partial<Run>) => void; load: () => Promise<void> },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = readEvents<Partial<Run>>(service, `/v1/campaigns/${id}/events`, signal);
      for await (const news of events) onNews(news);
    } catch {
      // The call of `load` below reports a service that does not answer.
    }
    if (signal.aborted) return;
    await load();
    await new Promise((resolve) => {
      setTimeout(resolve, retryMs);
    });
  }
}

function isOpenRun({ state }: Pick<Run, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

function withNews(campaign: Campaign, news: Partial<Run>): Campaign {
  const runs = campaign.runs.map((run) => (run.mode === news.mode ? { ...run, ...news } : run));
  return { ...campaign, ...news, runs };
}

/**
 * Yields the JSON data of each server-sent event, and ends with the stream. Rejects like the client. Does not use
 * `EventSource`, which cannot send the API key in a header.
 */
async function* readEvents<Data>(
  service: Service,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Data> {
  const response = await loadFile(service, path, { signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) return;
    const events = (rest + read.value).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'));
      // Comments keep the stream open, and have no data.
      if (lines.length === 0) continue;
      yield JSON.parse(lines.map((line) => line.slice('data:'.length)).join('\n')) as Data;
    }
  }
}
