/** Uploads the list of a campaign again with other choices, also to answer a question about how it was read. */
import type { Campaign } from '../../../client/platen-client.ts';
import type { Service } from '../../state/service.ts';
import { imageOptions } from '../image-choices.ts';
import type { ImageOptions } from '../image-choices.ts';
import type { CampaignParts } from '../use-campaign.ts';
import { useUpload } from './drop-list.tsx';
import type { Upload } from './drop-list.tsx';
import { detectedChoices, fileOf } from './upload.ts';
import type { ListChoices } from './upload.ts';

/** The new campaign replaces `campaign`, which is deleted. */
export function useReadAgain(
  service: Service,
  { id, template }: Pick<Campaign, 'id' | 'template'>,
  image: ImageOptions,
  replaced: (campaign: Campaign) => void,
): Upload {
  const done = (next: Campaign): void => {
    // Comes first, so that the page stops its requests for the old campaign.
    replaced(next);
    // If this fails, the service deletes the old campaign when it expires.
    service.client.request('DELETE /v1/campaigns/{id}', { path: { id } }).catch(() => undefined);
  };
  return useUpload(service, template, done, image);
}

/** A question about how a list was read, such as its sheet, which comes before the proof. */
export interface QuestionProps extends CampaignParts {
  /** Called when the list was read in the right way. */
  chosen: () => void;
  /** Gets the campaign of the list that was read in another way. */
  replaced: (campaign: Campaign) => void;
}

/** Campaigns of which somebody said in this tab that they were read in the right way. */
const confirmed = new Set<string>();

/** Whether nobody has answered the question of a campaign, neither by a button nor by using its list. */
export function isUnanswered({ id, runs }: Campaign): boolean {
  return !confirmed.has(id) && runs.every(({ mode }) => mode === 'proof');
}

/** The way to answer a question. `hasFile` says whether this tab can read the list in another way. */
export function useAnswer({
  service,
  campaign,
  template,
  image,
  chosen,
  replaced,
}: QuestionProps): {
  upload: Upload;
  hasFile: boolean;
  confirm: () => void;
  readAs: (choices: Partial<ListChoices>) => void;
} {
  const { id, template: uid } = campaign;
  const upload = useReadAgain(service, campaign, imageOptions(uid, template, image), replaced);
  const file = fileOf(id);
  return {
    upload,
    hasFile: file !== undefined,
    confirm: () => {
      confirmed.add(id);
      chosen();
    },
    readAs: (choices) => {
      if (file !== undefined) upload.send(file, { ...detectedChoices, ...choices });
    },
  };
}
