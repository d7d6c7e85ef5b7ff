/** Asks in which encoding a list is, before its proof is shown: the first cells that differ, side by side. */
import type { VNode } from 'preact';
import type { Campaign } from '../../../client/platen-client.ts';
import { UploadState } from './drop-list.tsx';
import { encodingName } from './list-choices.tsx';
import { isUnanswered, useAnswer } from './read-again.ts';
import type { QuestionProps } from './read-again.ts';

/** Whether two encodings are about as likely, and nobody has said that the one that was read is right. */
export function isEncodingOpen(campaign: Campaign): boolean {
  return campaign.list.encoding_doubt !== undefined && isUnanswered(campaign);
}

export function EncodingChoice(props: QuestionProps): VNode {
  const { list, template: uid } = props.campaign;
  const { upload, hasFile, confirm, readAs } = useAnswer(props);
  const readings = list.encoding_doubt?.readings ?? [];
  const read = readings[0]?.encoding;
  return (
    <section class="campaign-card" aria-labelledby="encoding-title">
      <h2 id="encoding-title">Which column is right?</h2>
      <p>
        The file does not say how its letters are encoded. Choose the column without wrong letters
        to see its proof.
      </p>
      <ReadingsTable
        readings={readings}
        isOff={(encoding) => upload.part !== undefined || (!hasFile && encoding !== read)}
        use={(encoding) => (encoding === read ? confirm() : readAs({ encoding }))}
      />
      {!hasFile && (
        <p class="hint">
          This tab does not have the file any more. To read it in another encoding, choose the file
          again in a <a href={`#/t/${uid}/campaign`}>new campaign</a>.
        </p>
      )}
      <UploadState upload={upload} />
    </section>
  );
}

type Readings = NonNullable<Campaign['list']['encoding_doubt']>['readings'];

/** A column for each reading: its cells, and the button that takes it. */
function ReadingsTable({
  readings,
  isOff,
  use,
}: {
  readings: Readings;
  isOff: (encoding: string) => boolean;
  use: (encoding: string) => void;
}): VNode {
  return (
    <div class="table-scroll" role="region" tabindex={0} aria-label="Cells in each encoding">
      <table>
        <thead>
          <tr>
            {readings.map(({ encoding }) => (
              <th scope="col">{encodingName(encoding)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {readings[0]?.cells.map((_, at) => (
            <tr>
              {readings.map(({ cells }) => (
                <td>{cells[at]}</td>
              ))}
            </tr>
          ))}
          <tr>
            {readings.map(({ encoding }) => (
              <td>
                <button type="button" disabled={isOff(encoding)} onClick={() => use(encoding)}>
                  Read as {encodingName(encoding)}
                </button>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}
