/** Section of the proof: its verdict, progress, rows with problems, and contact sheet. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { openTemplate } from '../session.tsx';
import { keepValues } from '../state/autosave.ts';
import { imageOptions } from './image-choices.ts';
import { problemName } from './problem-names.ts';
import { ProblemRows } from './problem-rows.tsx';
import { Progress } from './results/run-parts.tsx';
import { useFile } from './use-file.ts';
import type { CampaignParts, Run } from './use-campaign.ts';

/** Counts of a proof run. */
interface Counts {
  fine?: number;
  defaults?: number;
  problems?: number;
  verdict?: string;
  template?: { code: string; layer?: string }[];
  corrected?: { rows: number; first_rows: number[]; message: string }[];
  /** Sentences about columns with dirt. */
  columns?: { rows: number; first_rows: number[]; message: string }[];
}

export function Proof(parts: CampaignParts): VNode {
  const { service, state, campaign, template, image } = parts;
  const run = campaign.runs.find(({ mode }) => mode === 'proof');
  const options = imageOptions(campaign.template, template, image);
  const prove = (): void => void state.start({ mode: 'proof', ...options });
  if (run === undefined) {
    return (
      <section class="campaign-card" aria-labelledby="proof-title">
        <h2 id="proof-title" class="quiet">
          Proof
        </h2>
        <p class="verdict">This list is not proved yet.</p>
        <button type="button" class="primary" disabled={state.isOpen} onClick={prove}>
          Prove it
        </button>
      </section>
    );
  }
  const counts = run.counts as Counts;
  const isRunning = run.state === 'queued' || run.state === 'running';
  const open = (values: Readonly<Record<string, string>>): void => {
    keepValues(campaign.template, values);
    openTemplate(campaign.template);
  };
  return (
    <section class="campaign-card proof" aria-labelledby="proof-title" data-state={run.state}>
      <h2 id="proof-title" class="quiet">
        Proof
      </h2>
      <Verdict run={run} rows={campaign.rows} />
      {isRunning && <Progress run={run} rows={campaign.rows} cancel={state.cancel} />}
      <TemplateWarnings counts={counts} version={run.version} />
      {[...(counts.columns ?? []), ...(counts.corrected ?? [])].map(
        ({ rows, first_rows: first, message }) => (
          <p class="hint">
            {rows.toLocaleString('en-US')} {rows === 1 ? 'row' : 'rows'} (row {first.join(', ')}
            {rows > first.length && ' …'}): {message}.
          </p>
        ),
      )}
      {!isRunning && <ProveAgain {...parts} run={run} prove={prove} />}
      {(counts.problems ?? 0) + (counts.defaults ?? 0) > 0 && (
        <ProblemRows key={run.created_at} {...parts} run={run} open={open} />
      )}
      {run.state === 'finished' && <ContactSheet service={service} campaign={campaign} run={run} />}
    </section>
  );
}

function ProveAgain({
  run,
  prove,
  ...parts
}: CampaignParts & { run: Run; prove: () => void }): VNode {
  const newest = useNewestVersion(parts);
  const isOld = newest !== undefined && newest > run.version;
  return (
    <div class="campaign-actions">
      <button
        type="button"
        class={isOld ? 'primary' : ''}
        disabled={parts.state.isOpen}
        onClick={prove}
      >
        Prove again
      </button>
      <p class="soft">
        Proved with version {run.version} of {parts.template.name}.
        {isOld && <strong> Version {newest} is public: prove the list again with it.</strong>}
      </p>
    </div>
  );
}

/** Newest published version. Requested again when the page becomes visible: another tab may publish one. */
function useNewestVersion({ service, campaign }: CampaignParts): number | undefined {
  const [version, setVersion] = useState<number | undefined>(undefined);
  useEffect(() => {
    const ask = (): void => {
      if (document.hidden) return;
      service.client.getTemplate(campaign.template).then(
        ({ version: newest }) => setVersion(newest ?? undefined),
        // Without the version only a hint is missing.
        () => undefined,
      );
    };
    ask();
    document.addEventListener('visibilitychange', ask);
    return () => document.removeEventListener('visibilitychange', ask);
  }, [campaign.template]);
  return version;
}

/** The state of the proof in one sentence. */
function Verdict({ run, rows }: { run: Run; rows: number }): VNode {
  const { state, done, error } = run;
  const { verdict = '', problems = 0 } = run.counts as Counts;
  // The counts stand out, and what to do about them follows.
  const [, first = verdict, rest = ''] = /^(.*? you\.) ?(.*)$/s.exec(verdict) ?? [];
  const all = rows.toLocaleString('en-US');
  const part = done.toLocaleString('en-US');
  switch (state) {
    case 'finished':
      return (
        <div role="status">
          <p class="verdict" data-good={problems === 0}>
            {first}
          </p>
          {rest !== '' && <p class="verdict-rest">{rest}</p>}
        </div>
      );
    case 'failed':
      return (
        <div role="alert">
          <p class="verdict problem">
            The proof ended after {part} of {all} rows.
          </p>
          <p class="problem lines">{error}</p>
        </div>
      );
    case 'canceled':
      return (
        <div role="status">
          <p class="verdict">
            Canceled after {part} of {all} rows.
          </p>
          {verdict !== undefined && <p class="soft">Until then: {verdict}</p>}
        </div>
      );
    default:
      return (
        // No `role="status"`: a screen reader would read every change, up to ten a second.
        <p class="verdict">{done === 0 ? `Proving ${all} rows …` : `So far: ${verdict ?? ''}`}</p>
      );
  }
}

/** Warnings that the template has with its defaults too. They do not count as problems of rows. */
function TemplateWarnings({ counts, version }: { counts: Counts; version: number }): VNode | null {
  const warnings = counts.template ?? [];
  if (warnings.length === 0) return null;
  const words = new Set(
    warnings.map(({ code, layer }) =>
      layer === undefined ? problemName(code) : `${problemName(code)} in “${layer}”`,
    ),
  );
  return (
    <p class="hint">
      With its defaults, too, version {version} of the template shows: {[...words].join(', ')}. Rows
      are not counted for it.
    </p>
  );
}

function ContactSheet({
  service,
  campaign,
  run,
}: Pick<CampaignParts, 'service' | 'campaign'> & { run: Run }): VNode {
  const { id, name } = campaign;
  const key = `${id} ${run.created_at}`;
  const { url, problem } = useFile(service, key, `/v1/campaigns/${id}/sheet.png`);
  return (
    <figure class="contact-sheet" aria-busy={url === undefined && problem === undefined}>
      <figcaption>
        <h3>Contact sheet: the worst rows, the longest and shortest, one of each script</h3>
        {url !== undefined && (
          <a class="button" href={url} download={`${name}-sheet.png`}>
            Download PNG
          </a>
        )}
      </figcaption>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {url !== undefined && (
        <div class="contact-sheet-image" role="region" tabindex={0} aria-label="Contact sheet">
          <img src={url} alt="Rows of the list as they are drawn" />
        </div>
      )}
    </figure>
  );
}
