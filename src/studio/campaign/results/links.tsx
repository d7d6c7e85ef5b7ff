/** Section of links: makes them, downloads the list with two more columns, and shows HTML for an email. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { CampaignRunRequest } from '../../../client/platen-client.ts';
import {
  columnRecipe,
  columnSnippet,
  emailServices,
} from '../../../pages/browser/email-snippets.ts';
import { AccessHints, TargetField } from '../../publish/email-options.tsx';
import { snippetTemplate } from '../../publish/share-links.ts';
import { CopyText } from '../../publish/signing.tsx';
import { imageOptions } from '../image-choices.ts';
import { count, Download, resultName, RunSection } from './run-parts.tsx';
import type { CampaignParts, Run } from '../use-campaign.ts';

/** Days after which links expire. 0 means the default: a year for short links, never for others. */
const endDays = [0, 30, 90, 180, 365] as const;

const daySeconds = 24 * 60 * 60;

interface LinkChoices {
  isShort: boolean;
  days: number;
  target: string;
}

const firstChoices: LinkChoices = {
  isShort: false,
  days: 0,
  target: '',
};

export function Links(parts: CampaignParts): VNode {
  const { service, state, campaign, template } = parts;
  const [choices, setChoices] = useState(firstChoices);
  const proof = campaign.runs.find(({ mode }) => mode === 'proof');
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
      <RunSection
        {...parts}
        mode="links"
        label="Get links"
        labelAgain="Make the links again"
        what="links"
        start={start}
      >
        {(run) => <LinksResult {...parts} run={run} />}
      </RunSection>
      <Snippet {...parts} choices={choices} set={setChoices} />
    </section>
  );
}

/** Request for a run of links. The links show the version that was proved. */
function linksRequest(
  { campaign, template, image }: CampaignParts,
  { isShort, days }: LinkChoices,
  version: number | undefined,
): CampaignRunRequest {
  return {
    mode: 'links',
    ...(version === undefined ? {} : { version }),
    ...imageOptions(campaign.template, template, image),
    ...(isShort ? { short: true } : {}),
    ...(days > 0 ? { expires: Math.floor(Date.now() / 1000) + days * daySeconds } : {}),
  };
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
  const {
    links = 0,
    short = 0,
    bad_rows: badRows = 0,
    refused = 0,
  } = run.counts as Record<string, number>;
  return (
    <div class="campaign-actions">
      <Download
        service={service}
        path={`/v1/campaigns/${campaign.id}/links.csv`}
        name={resultName(campaign.name, 'links.csv')}
      >
        Download links.csv
      </Download>
      <p role="status">
        {count(links)} links of version {run.version}
        {short > 0 && `, ${short === links ? 'all' : count(short)} of them short`}
        {badRows > 0 &&
          `. ${badRows === 1 ? 'One row has none: it' : `${count(badRows)} rows have none: each`} cannot be read, or has more than a link holds`}
        {refused > 0 &&
          `. ${refused === 1 ? 'One link has a value that is' : `${count(refused)} links have values that are`} refused: the proof names the row`}
        .
      </p>
    </div>
  );
}

function Snippet({ campaign, template, image, choices, set }: CampaignParts & ChoiceProps): VNode {
  const [serviceId, setServiceId] = useState('');
  const { target } = choices;
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
        <TargetField target={target} set={(next) => set({ ...choices, target: next })} />
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
            text={columnSnippet(
              snippetTemplate(campaign.template, template, image.size),
              emailService,
              { widthPx: image.widthPx, target: target.trim() },
            )}
          />
        </>
      )}
    </div>
  );
}
