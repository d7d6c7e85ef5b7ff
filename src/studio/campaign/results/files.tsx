/** An image or a PDF page for each row, as one file to download. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { CampaignRunRequest } from '../../../client/platen-client.ts';
import { imageOptions } from '../image-choices.ts';
import { count, Download, resultName, RunSection, size } from './run-parts.tsx';
import type { CampaignParts, Run } from '../use-campaign.ts';

type Output = NonNullable<CampaignRunRequest['output']>;

/** Outputs of a run of files, with labels. */
const outputs: ReadonlyArray<readonly [Output, string]> = [
  ['zip', 'a ZIP with an image for each row'],
  ['pdfs', 'a ZIP with a PDF for each row'],
  ['pdf', 'one PDF with a page for each row'],
];

interface Counts {
  files?: number;
  failed?: number;
  degraded?: number;
  bytes?: number;
}

export function Files(parts: CampaignParts): VNode {
  const { service, state, campaign, template, image } = parts;
  const [output, setOutput] = useState<Output>('zip');
  const [names, setNames] = useState('{{row}}');
  const proof = campaign.runs.find(({ mode }) => mode === 'proof');
  const start = (): void =>
    void state.start({
      mode: 'files',
      output,
      ...imageOptions(campaign.template, template, image),
      ...(output === 'pdf' || names.trim() === '' ? {} : { names: names.trim() }),
      ...(proof === undefined ? {} : { version: proof.version }),
    });
  return (
    <section class="campaign-card" aria-labelledby="files-title">
      <h2 id="files-title">Files</h2>
      <p class="soft">For print, and for tools that take files in place of links.</p>
      <div class="link-choices">
        <label class="field">
          Make
          <select
            value={output}
            onChange={(event) => setOutput(event.currentTarget.value as Output)}
          >
            {outputs.map(([value, text]) => (
              <option value={value}>{text}</option>
            ))}
          </select>
        </label>
        {output !== 'pdf' && (
          <label class="field">
            Name of each file
            <input value={names} onInput={(event) => setNames(event.currentTarget.value)} />
          </label>
        )}
        {output !== 'pdf' && (
          <p class="soft">
            A name may have <code>{'{{row}}'}</code> and columns of the list, such as{' '}
            <code>{`{{${campaign.list.columns[0] ?? 'email'}}}`}</code>.
          </p>
        )}
      </div>
      <RunSection
        {...parts}
        mode="files"
        label="Make the files"
        labelAgain="Make the files again"
        what="files"
        start={start}
      >
        {(run) => <FilesResult service={service} campaign={campaign} run={run} />}
      </RunSection>
    </section>
  );
}

function FilesResult({
  service,
  campaign,
  run,
}: Pick<CampaignParts, 'service' | 'campaign'> & { run: Run }): VNode {
  const { files = 0, failed = 0, degraded = 0, bytes = 0 } = run.counts as Counts;
  const isPdf = run.options.output === 'pdf';
  const file = isPdf ? 'files.pdf' : 'files.zip';
  return (
    <>
      <div class="campaign-actions">
        <Download
          service={service}
          path={`/v1/campaigns/${campaign.id}/${file}`}
          name={resultName(campaign.name, file)}
        >
          Download {file}
        </Download>
        <p role="status">
          {count(files)} {isPdf ? 'pages' : 'files'}, {size(bytes)}, version {run.version}.
        </p>
      </div>
      {failed + degraded > 0 && (
        <p class="problem">
          {failed > 0 && `${rows(failed)} without a file. `}
          {degraded > 0 && `${rows(degraded)} without one of their images. `}
          {!isPdf && 'problems.csv in the ZIP has rows and causes.'}
        </p>
      )}
    </>
  );
}

function rows(number: number): string {
  return `${count(number)} ${number === 1 ? 'row' : 'rows'}`;
}
