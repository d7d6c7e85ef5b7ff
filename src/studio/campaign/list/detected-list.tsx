/** Shows how the service read the list and its first rows, and offers to read it in another way. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Campaign } from '../../../client/platen-client.ts';
import { UploadState } from './drop-list.tsx';
import { imageOptions } from '../image-choices.ts';
import type { ImageOptions } from '../image-choices.ts';
import { encodingName, ListChoiceFields, separatorNames } from './list-choices.tsx';
import { useReadAgain } from './read-again.ts';
import { detectedChoices, fileOf } from './upload.ts';
import type { CampaignParts } from '../use-campaign.ts';

/** Kinds of lists, with their names. */
const kinds = {
  csv: 'CSV',
  'json-lines': 'JSON lines',
  json: 'JSON',
  vcard: 'vCard',
  xlsx: 'Excel (.xlsx)',
  ods: 'LibreOffice (.ods)',
};

type Kind = keyof typeof kinds;

/** Kinds whose rows have the names of their cells. */
const named: ReadonlySet<Kind> = new Set(['json-lines', 'json', 'vcard']);

/** Properties of a list that depend on its kind. */
interface ReadList {
  kind: Kind;
  encoding?: string;
  separator?: string;
  sheet?: string;
  sheets?: string[];
}

/** `replaced` receives the new campaign that replaces this one. */
export function DetectedList({
  service,
  campaign,
  template,
  image,
  replaced,
}: CampaignParts & { replaced: (campaign: Campaign) => void }): VNode {
  const list = campaign.list as Campaign['list'] & ReadList;
  const { columns, problems } = list;
  const rows = campaign.first_rows ?? [];
  return (
    <section class="campaign-card" aria-labelledby="list-title">
      <h2 id="list-title">The list</h2>
      <dl class="list-facts">
        {factsOf(list).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {problems.length > 0 && (
        <ul class="hint list-problems">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <div class="table-scroll" role="region" tabindex={0} aria-label="First rows of the list">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col">{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr>
                {columns.map((column, index) => (
                  <td key={column}>{cells[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ReadAgain
        {...{ service, campaign, list, replaced }}
        image={imageOptions(campaign.template, template, image)}
      />
    </section>
  );
}

function factsOf(list: Campaign['list'] & ReadList): [name: string, text: string][] {
  const { kind, encoding, separator, sheet, columns, header_row: header } = list;
  const facts: [string, string | undefined][] = [
    ['File', kinds[kind]],
    ['Encoding', encoding && encodingName(encoding)],
    ['Separator', separator && (separatorNames[separator] ?? separator)],
    ['Sheet', sheet],
    ['Columns', String(columns.length)],
    ['Names', named.has(kind) ? undefined : header > 0 ? `in row ${header}` : 'none'],
    ['Duplicates', `by ${list.recipient_column ?? 'the whole row'}`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

type ReadAgainProps = Pick<CampaignParts, 'service' | 'campaign'> & {
  list: ReadList;
  image: ImageOptions;
  replaced: (campaign: Campaign) => void;
};

/** Uploads the same file with other choices; the new campaign replaces this one. */
function ReadAgain({ service, campaign, list, image, replaced }: ReadAgainProps): VNode | null {
  const { id, template: uid } = campaign;
  const [choices, setChoices] = useState(detectedChoices);
  const upload = useReadAgain(service, campaign, image, replaced);
  const file = fileOf(id);
  if (named.has(list.kind)) return null;
  if (file === undefined) {
    return (
      <p class="soft">
        To read it with another encoding, separator or sheet, choose the file again in a{' '}
        <a href={`#/t/${uid}/campaign`}>new campaign</a>: this tab does not have it any more.
      </p>
    );
  }
  const isSame = Object.values(choices).every((choice) => choice === '');
  return (
    <details>
      <summary>Read it in another way</summary>
      <ListChoiceFields choices={choices} set={setChoices} sheets={list.sheets} />
      <button
        type="button"
        disabled={isSame || upload.part !== undefined}
        onClick={() => upload.send(file, choices)}
      >
        Read the list again
      </button>
      <UploadState upload={upload} />
    </details>
  );
}
