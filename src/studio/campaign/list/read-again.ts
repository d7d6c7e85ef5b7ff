/** Uploads the list of a campaign again with other choices. */
import type { Campaign } from '../../../client/platen-client.ts';
import type { Service } from '../../state/service.ts';
import { useUpload } from './drop-list.tsx';
import type { Upload } from './drop-list.tsx';
import type { ImageOptions } from '../image-choices.ts';

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
