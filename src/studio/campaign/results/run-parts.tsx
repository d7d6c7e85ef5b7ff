/** Shared parts of the sections of runs: the start button, progress, result and download. */
import { useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import { loadFile } from '../../state/service.ts';
import type { Service } from '../../state/service.ts';
import { notifyError } from '../../wording.ts';
import type { CampaignParts, CampaignState, Run } from '../use-campaign.ts';

/** Formats a number with thousands separators. */
export function count(rows: number): string {
  return rows.toLocaleString('en-US');
}

/** Formats a number of bytes as KB, MB or GB (powers of 1000). */
export function size(bytes: number): string {
  const units = ['KB', 'MB', 'GB'] as const;
  let [value, unit] = [bytes / 1000, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value < 10 ? value.toFixed(1) : count(Math.round(value))} ${units[unit] ?? ''}`;
}

/** Shows the progress of a run, with a button that cancels it. */
export function Progress({
  run,
  rows,
  cancel,
}: {
  run: Run;
  rows: number;
  cancel: CampaignState['cancel'];
}): VNode {
  const { state, done } = run;
  return (
    <div class="campaign-progress">
      <p>{state === 'queued' ? 'Waiting for a turn …' : `${count(done)} of ${count(rows)} rows`}</p>
      <progress
        max={Math.max(1, rows)}
        value={state === 'queued' ? undefined : done}
        aria-label="Rows that are done"
      />
      <button type="button" onClick={() => void cancel()}>
        Cancel
      </button>
    </div>
  );
}

interface RunProps extends CampaignParts {
  mode: Run['mode'];
  /** Text of the start button. `labelAgain` replaces it if the last run has finished. */
  label: string;
  labelAgain: string;
  /** Completes “The … were not made.” */
  what: string;
  start: () => void;
  /** Renders the result of a finished run. */
  children: (run: Run) => ComponentChildren;
}

/** Starts a run of a mode, and shows the progress or result of the last one. */
export function RunSection(props: RunProps): VNode {
  const { state, campaign, mode, label, labelAgain, what, start, children } = props;
  const run = campaign.runs.find((each) => each.mode === mode);
  const isRunning = run?.state === 'queued' || run?.state === 'running';
  const isFinished = run?.state === 'finished';
  return (
    <>
      <div class="campaign-actions">
        <button
          type="button"
          class={isFinished ? '' : 'primary'}
          disabled={state.isOpen}
          onClick={start}
        >
          {isFinished ? labelAgain : label}
        </button>
        {state.isOpen && !isRunning && <p class="soft">One run at a time: another one is on.</p>}
      </div>
      {run !== undefined && isRunning && (
        <Progress run={run} rows={campaign.rows} cancel={state.cancel} />
      )}
      {run?.state === 'failed' && (
        <div role="alert">
          <p class="problem">The {what} were not made.</p>
          <p class="problem lines">{run.error}</p>
        </div>
      )}
      {run?.state === 'canceled' && <p role="status">Canceled.</p>}
      {isFinished && children(run)}
    </>
  );
}

/** Button that downloads a file of the service. */
export function Download({
  service,
  path,
  name,
  isQuiet = false,
  children,
}: {
  service: Service;
  path: string;
  name: string;
  /** Whether it stands beside more important buttons. */
  isQuiet?: boolean;
  children: ComponentChildren;
}): VNode {
  const [isLoading, setLoading] = useState(false);
  const download = async (): Promise<void> => {
    setLoading(true);
    try {
      await saveFile(service, path, name);
    } catch (error) {
      notifyError(`${name} was not downloaded`, error);
    }
    setLoading(false);
  };
  return (
    <button
      type="button"
      class={isQuiet ? '' : 'primary'}
      disabled={isLoading}
      onClick={() => void download()}
    >
      {isLoading ? 'Downloading …' : children}
    </button>
  );
}

/** Downloads a file with the API key in a header, which a plain link cannot send. */
async function saveFile(service: Service, path: string, name: string): Promise<void> {
  const response = await loadFile(service, path);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked late: the browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** `members.xlsx` becomes `members-links.csv`. */
export function resultName(campaignName: string, ending: string): string {
  return `${campaignName.replace(/\.\w{1,6}$/, '')}-${ending}`;
}
