/** Waits for the run of a campaign, and shows its progress. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Campaign } from '../../client/platen-client.ts';
import { PlatenError } from '../../client/platen-client.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { startProgress } from '../progress.ts';
import { toCommandError } from '../service-client.ts';
import type { Terminal } from '../terminal.ts';
import type { RunningService } from '../running-service.ts';

/** Maximum failed attempts in a row, for example while the service restarts. The run continues meanwhile. */
const attemptsMax = 30;
const attemptPauseMs = 1000;

/**
 * Resolves to the campaign when its run is no longer queued or running. Throws a `CommandError` for a run that did not
 * finish.
 */
export async function waitForRun(
  service: RunningService,
  started: Campaign,
  terminal: Terminal,
): Promise<Campaign> {
  const progress = startProgress(started.mode, started.rows, terminal.isJson);
  try {
    let campaign = started;
    for (let attempt = 0; isOpen(campaign); attempt += 1) {
      if (attempt > 0) await pause(attemptPauseMs);
      try {
        for await (const done of progressOf(service, campaign.id)) {
          attempt = 0;
          progress.update(done);
        }
        campaign = await service.client.request('GET /v1/campaigns/{id}', {
          path: { id: campaign.id },
        });
        // A proxy may end each stream of a long run, so only failures count.
        attempt = 0;
      } catch (error) {
        if (!mayPass(error) || attempt === attemptsMax) throw toCommandError(error);
      }
    }
    if (campaign.state === 'finished') return campaign;
    throw new CommandError(
      exitCodes.problems,
      campaign.state === 'canceled'
        ? 'The run was canceled.'
        : `The run failed: ${campaign.error ?? 'the log of the service says why.'}`,
    );
  } finally {
    progress.close();
  }
}

function isOpen({ state }: Campaign): boolean {
  return state === 'queued' || state === 'running';
}

/** Whether the same call may succeed later: the connection broke, or the service is starting. */
function mayPass(error: unknown): boolean {
  if (error instanceof PlatenError) return error.status === 0 || error.status >= 500;
  // `fetch` throws it for a body that ends early.
  return error instanceof TypeError;
}

/** Yields the number of finished rows at each event. */
async function* progressOf(
  { client }: RunningService,
  id: string,
): AsyncGenerator<number, void, void> {
  const { body } = await client.requestFile('GET /v1/campaigns/{id}/events', { path: { id } });
  for await (const line of linesOf(body)) {
    if (!line.startsWith('data: ')) continue;
    const { done } = JSON.parse(line.slice('data: '.length)) as { done: number };
    yield done;
  }
}

/** Yields the lines of a UTF-8 text. */
export async function* linesOf(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
