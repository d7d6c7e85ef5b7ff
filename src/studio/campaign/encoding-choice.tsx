/** Asks in which encoding a list is, where two are about as likely: the first cells that differ, side by side. */
import type { VNode } from 'preact';
import type { Campaign } from '../../client/platen-client.ts';
import { encodingName } from './list-choices.tsx';

type EncodingDoubt = NonNullable<Campaign['list']['encoding_doubt']>;

/** `choose` receives the label of an encoding. */
export function EncodingChoice({
  doubt: { readings },
  isOff,
  choose,
}: {
  doubt: EncodingDoubt;
  isOff: boolean;
  choose: (encoding: string) => void;
}): VNode {
  const cells = readings[0]?.cells ?? [];
  return (
    <div class="encoding-choice" role="group" aria-labelledby="encoding-choice-title">
      <h3 id="encoding-choice-title">Which column is right?</h3>
      <p>
        The file does not say in which encoding its letters are. Choose the column without wrong
        letters; links and images are made with it.
      </p>
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
            {cells.map((_, at) => (
              <tr>
                {readings.map((reading) => (
                  <td>{reading.cells[at]}</td>
                ))}
              </tr>
            ))}
            <tr>
              {readings.map(({ encoding }) => (
                <td>
                  <button type="button" disabled={isOff} onClick={() => choose(encoding)}>
                    Read as {encodingName(encoding)}
                  </button>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </div>
  );
}
