/** Asks which sheet of a workbook is the list, before its proof is shown. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Campaign } from '../../../client/platen-client.ts';
import { UploadState } from './drop-list.tsx';
import { imageOptions } from '../image-choices.ts';
import { useReadAgain } from './read-again.ts';
import { detectedChoices, fileOf } from './upload.ts';
import type { CampaignParts } from '../use-campaign.ts';

/** Campaigns whose sheet was confirmed in this tab. */
const confirmed = new Set<string>();

/** Whether the service read the first of several sheets, and nobody has said that it is the right one. */
export function isSheetOpen({ id, list, runs }: Campaign): boolean {
  return list.sheet_doubt === true && !confirmed.has(id) && runs.every(isProof);
}

function isProof({ mode }: Campaign['runs'][number]): boolean {
  return mode === 'proof';
}

/** `chosen` is called when the sheet that was read is the right one; `replaced` gets the campaign of another sheet. */
export function SheetChoice({
  service,
  campaign,
  template,
  image,
  chosen,
  replaced,
}: CampaignParts & { chosen: () => void; replaced: (campaign: Campaign) => void }): VNode {
  const { id, list, template: uid } = campaign;
  const [sheet, setSheet] = useState('');
  const options = imageOptions(uid, template, image);
  const upload = useReadAgain(service, campaign, options, replaced);
  const file = fileOf(id);
  const read = String((list as { sheet?: string }).sheet);
  const isMissing = sheet !== '' && sheet !== read && file === undefined;
  const use = (): void => {
    if (sheet === read) {
      confirmed.add(id);
      chosen();
    } else if (file !== undefined) {
      upload.send(file, { ...detectedChoices, sheet });
    }
  };
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
        onClick={use}
      >
        Use this sheet
      </button>
      <UploadState upload={upload} />
    </section>
  );
}
