/** The links of a list: made, downloaded as the list with two more columns, and put into an email. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { CampaignRunRequest } from '../../client/platen-client.ts';
import { columnRecipe, columnSnippet } from '../../pages/list-columns.ts';
import { emailServices } from '../../pages/email-services.ts';
import { isPublicAddress } from '../../pages/public-address.ts';
import { emailWidthPx, scaleFor } from '../../pages/snippets.ts';
import { snippetTemplate } from '../publish/share-links.ts';
import { CopyText } from '../publish/signing.tsx';
import { loadFile } from '../state/service.ts';
import type { Service } from '../state/service.ts';
import { notifyError } from '../wording.ts';
import { Progress } from './proof.tsx';
import type { CampaignParts, Run } from './use-campaign.ts';

/** Days after which links end; 0: as they end by themselves. */
const endDays = [0, 30, 90, 180, 365] as const;

const daySeconds = 24 * 60 * 60;

interface LinkChoices {
  isShort: boolean;
  days: number;
  widthPx: number;
  target: string;
}

const firstChoices: LinkChoices = {
  isShort: false,
  days: 0,
  widthPx: emailWidthPx,
  target: 'https://example.com/',
};

/** The section. */
export function Links(parts: CampaignParts): VNode {
  const { service, state, campaign, template } = parts;
  const [choices, setChoices] = useState(firstChoices);
  const proof = campaign.runs.find(({ mode }) => mode === 'proof');
  const run = campaign.runs.find(({ mode }) => mode === 'links');
  const isRunning = run?.state === 'queued' || run?.state === 'running';
  const start = (): void => void state.start(linksRequest(parts, choices, proof?.version));
  return (
    <section class="campaign-card links" aria-labelledby="links-title">
      <h2 id="links-title">Links</h2>
      <p class="soft">
        The list comes back with two columns more: <code>platen_url</code>, the image of each row in{' '}
        {proof === undefined ? 'the newest version' : `version ${proof.version}`}, and{' '}
        <code>platen_alt</code>, what it says.
      </p>
      <AccessHints base={service.base} linkAuth={template.linkAuth} />
      <ChoiceFields choices={choices} set={setChoices} isSigned={template.linkAuth === 'signed'} />
      <div class="campaign-actions">
        <button
          type="button"
          class={run?.state === 'finished' ? '' : 'primary'}
          disabled={state.isOpen}
          onClick={start}
        >
          {run?.state === 'finished' ? 'Make the links again' : 'Get links'}
        </button>
        {state.isOpen && !isRunning && <p class="soft">They can be made after the proof.</p>}
      </div>
      {run !== undefined && isRunning && (
        <Progress run={run} rows={campaign.rows} cancel={state.cancel} />
      )}
      {run !== undefined && !isRunning && <LinksResult {...parts} run={run} />}
      <Snippet {...parts} choices={choices} set={setChoices} />
    </section>
  );
}

/** Links show the version that was proved, with the pixels that the email needs. */
function linksRequest(
  { campaign, template }: CampaignParts,
  { isShort, days, widthPx }: LinkChoices,
  version: number | undefined,
): CampaignRunRequest {
  const scale = scaleFor(snippetTemplate(campaign.template, template), widthPx);
  return {
    mode: 'links',
    ...(version === undefined ? {} : { version }),
    ...(scale > 1 ? { scale } : {}),
    ...(isShort ? { short: true } : {}),
    ...(days > 0 ? { expires: Math.floor(Date.now() / 1000) + days * daySeconds } : {}),
  };
}

function AccessHints({ base, linkAuth }: { base: string; linkAuth: string | undefined }): VNode {
  return (
    <>
      {!isPublicAddress(base) && (
        <p class="hint">
          Readers elsewhere cannot open the links, because their address is not public: the operator
          sets <code>PLATEN_PUBLIC_URL</code> to the public address of the service.
        </p>
      )}
      {linkAuth === 'key' && (
        <p class="hint">
          This template answers only requests with an API key: an email cannot show its links.
        </p>
      )}
    </>
  );
}

interface ChoiceProps {
  choices: LinkChoices;
  set: (choices: LinkChoices) => void;
}

function ChoiceFields({ choices, set, isSigned }: ChoiceProps & { isSigned: boolean }): VNode {
  const { isShort, days } = choices;
  const mayEnd = isShort || isSigned;
  return (
    <div class="link-choices">
      <label class="check">
        <input
          type="checkbox"
          checked={isShort}
          onChange={() => set({ ...choices, isShort: !isShort, days: isSigned ? days : 0 })}
        />
        <span>Short links, without the values of the row</span>
      </label>
      {mayEnd && (
        <label class="field">
          The links end
          <select
            value={days}
            onChange={(event) => set({ ...choices, days: Number(event.currentTarget.value) })}
          >
            {endDays.map((each) => (
              <option value={each}>{endText(each, isShort)}</option>
            ))}
          </select>
        </label>
      )}
      <p class="soft">
        Many email services keep 255 characters of a field: short links always fit. Others hold the
        values themselves and need no database, but everybody with a link can read them.
      </p>
    </div>
  );
}

function endText(days: number, isShort: boolean): string {
  if (days === 0) return isShort ? 'after a year' : 'never';
  return `after ${days} days`;
}

function LinksResult({ service, campaign, run }: CampaignParts & { run: Run }): VNode {
  const { links = 0, short = 0, bad_rows: badRows = 0 } = run.counts as Record<string, number>;
  const [isLoading, setLoading] = useState(false);
  if (run.state === 'failed') {
    return (
      <div role="alert">
        <p class="problem">The links were not made.</p>
        <p class="problem lines">{run.error}</p>
      </div>
    );
  }
  if (run.state === 'canceled') return <p role="status">Canceled: there are no links.</p>;
  const download = async (): Promise<void> => {
    setLoading(true);
    try {
      await saveFile(service, `/v1/campaigns/${campaign.id}/links.csv`, fileName(campaign.name));
    } catch (error) {
      notifyError('The list was not downloaded', error);
    }
    setLoading(false);
  };
  return (
    <div class="campaign-actions">
      <button type="button" class="primary" disabled={isLoading} onClick={() => void download()}>
        {isLoading ? 'Downloading …' : 'Download links.csv'}
      </button>
      <p role="status">
        {count(links)} links of version {run.version}
        {short > 0 && `, ${short === links ? 'all' : count(short)} of them short`}
        {badRows > 0 &&
          `. ${badRows === 1 ? 'A row that cannot be read has' : `${count(badRows)} rows that cannot be read have`} none`}
        .
      </p>
    </div>
  );
}

function count(rows: number): string {
  return rows.toLocaleString('en-US');
}

/** `members.xlsx` becomes `members-links.csv`. */
function fileName(name: string): string {
  return `${name.replace(/\.\w{1,6}$/, '')}-links.csv`;
}

/** Saves a file of the service: a plain link would not carry the key. */
async function saveFile(service: Service, path: string, name: string): Promise<void> {
  const response = await loadFile(service, path);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function Snippet({ campaign, template, choices, set }: CampaignParts & ChoiceProps): VNode {
  const [serviceId, setServiceId] = useState('');
  const { widthPx, target } = choices;
  const emailService = emailServices.find(({ id }) => id === serviceId);
  const recipe = emailService && columnRecipe(emailService);
  return (
    <div class="list-snippet">
      <h3>In the email</h3>
      <div class="link-choices">
        <label class="field">
          Email service
          <select value={serviceId} onChange={(event) => setServiceId(event.currentTarget.value)}>
            <option value="">Choose your email service</option>
            {emailServices.map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
          </select>
        </label>
        <label class="field">
          Width, px
          <input
            type="number"
            min="20"
            max="4096"
            value={widthPx}
            onInput={({ currentTarget: { valueAsNumber } }) =>
              set({ ...choices, widthPx: valueAsNumber >= 20 ? valueAsNumber : emailWidthPx })
            }
          />
        </label>
        <label class="field">
          A click opens
          <input
            value={target}
            placeholder="nothing"
            onInput={(event) => set({ ...choices, target: event.currentTarget.value })}
          />
        </label>
      </div>
      {emailService !== undefined && recipe !== undefined && (
        <>
          <ol class="import-steps">
            <li>
              Import the downloaded list into {emailService.name}, with <code>platen_url</code> as{' '}
              {recipe.field}, and <code>platen_alt</code> as {recipe.altField}. {recipe.note}
            </li>
            <li>
              Check that the tag of the link is <code>{recipe.urlTag}</code>.
            </li>
            <li>Paste the HTML into the email, and send it to yourself first.</li>
          </ol>
          <CopyText name="Tag of the link" text={recipe.urlTag} />
          <CopyText
            name="HTML"
            text={columnSnippet(snippetTemplate(campaign.template, template), emailService, {
              widthPx,
              target: target.trim(),
            })}
          />
        </>
      )}
    </div>
  );
}
