/** Asks which sheet of a workbook is the list, before its proof is shown. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Campaign } from '../../../client/platen-client.ts';
import { UploadState } from './drop-list.tsx';
import { isUnanswered, useAnswer } from './read-again.ts';
import type { QuestionProps } from './read-again.ts';

/** Whether the service read the first of several sheets, and nobody has said that it is the right one. */
export function isSheetOpen(campaign: Campaign): boolean {
  return campaign.list.sheet_doubt === true && isUnanswered(campaign);
}

export function SheetChoice(props: QuestionProps): VNode {
  const { list, template: uid } = props.campaign;
  const [sheet, setSheet] = useState('');
  const { upload, hasFile, confirm, readAs } = useAnswer(props);
  const read = String((list as { sheet?: string }).sheet);
  const isMissing = sheet !== '' && sheet !== read && !hasFile;
  return (
    <section class="campaign-card" aria-labelledby="sheet-title">
      <h2 id="sheet-title">Which sheet is the list?</h2>
      <p>The file has several sheets with rows. Choose one to see its proof.</p>
      <label class="field">
        Sheet
        <select value={sheet} onChange={(event) => setSheet(event.currentTarget.value)}>
          <option value="">Choose a sheet</option>
          {list.sheets?.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
      </label>
      {isMissing && (
        <p class="hint">
          This tab does not have the file any more. To read another sheet, choose the file again in
          a <a href={`#/t/${uid}/campaign`}>new campaign</a>.
        </p>
      )}
      <button
        type="button"
        class="primary"
        disabled={sheet === '' || isMissing || upload.part !== undefined}
        onClick={() => (sheet === read ? confirm() : readAs({ sheet }))}
      >
        Use this sheet
      </button>
      <UploadState upload={upload} />
    </section>
  );
}
