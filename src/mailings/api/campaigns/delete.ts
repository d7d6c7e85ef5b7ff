/** `DELETE /v1/campaigns/{id}`: deletes a campaign with its list, and its short links if the request asks for that. */
import { emptyReply } from '../../../http/reply.ts';
import { deleteInParts } from '../../../store/collect-expired.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { findCampaign, noCampaign } from './request.ts';
import type { CampaignParts } from './request.ts';
import { idParameter } from './schemas.ts';

/** Upper bound of the time for which one request deletes short links, in ms. A million links take longer. */
const deletionMsMax = 10_000;

export const deleteCampaign = endpoint(
  {
    id: 'deleteCampaign',
    route: 'campaigns',
    method: 'delete',
    path: '/v1/campaigns/{id}',
    tag: 'Campaigns',
    summary: 'Delete a campaign',
    description:
      'Deletes the list, its rows and all results at once. Links remain, so that emails show their images: short ones until they end. With `short_links=true` they are deleted too, also of a campaign that is gone.',
    scope: 'render',
    pathParameters: { id: idParameter },
    query: {
      short_links: {
        description: 'Whether its short links are deleted too: they answer 404 from then on.',
        schema: { type: 'boolean', default: false },
      },
    },
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: 'No such campaign in the organization, and no short links of one.' },
    clientCall:
      "await platen.request('DELETE /v1/campaigns/{id}', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  (parts: CampaignParts) =>
    async ({ parameter: id }, { holder, readQuery }) => {
      const withLinks = readQuery().short_links;
      const campaign = findCampaign(parts, id, holder);
      if (campaign !== undefined) await parts.campaigns.delete(id);
      // After the campaign's run has ended, because a run makes links.
      const links = withLinks
        ? await deleteInParts(
            (max) => parts.shortLinks.deleteLinksOf(holder.uid, id, max),
            deletionMsMax,
          )
        : 0;
      if (campaign === undefined && links === 0) throw noCampaign();
      return emptyReply(204);
    },
);
