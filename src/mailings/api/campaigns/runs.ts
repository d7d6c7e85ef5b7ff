/** `POST /v1/campaigns/{id}/runs` and `…/cancel`: start and cancel runs over the list of a campaign. */
import { jsonReply } from '../../../http/reply.ts';
import type { ListFacts } from '../../campaigns/campaign.ts';
import { whenFree } from '../../../store/database/store-error.ts';
import { jsonAnswer, jsonBody } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import {
  requireCampaign,
  requireFiles,
  requireMapping,
  requireOptions,
  requirePublished,
  show,
} from './request.ts';
import type { CampaignParts } from './request.ts';
import { campaignExample, CampaignDetails, idParameter, RunRequest } from './schemas.ts';

const startRun = endpoint(
  {
    id: 'startCampaignRun',
    route: 'campaigns',
    method: 'post',
    path: '/v1/campaigns/{id}/runs',
    tag: 'Campaigns',
    summary: 'Start another run over a list',
    description:
      'Makes something else of the list, or the same again: a proof of a newer version, links, files, or warm images. A mapping changes that of the campaign.',
    scope: 'render',
    pathParameters: { id: idParameter },
    body: jsonBody('What is made of the list.', RunRequest, { mode: 'links' }),
    answers: { 202: jsonAnswer('The run is queued.', CampaignDetails, campaignExample) },
    errors: {
      400: 'The body is not valid, or the mapping names a column or a variable that does not exist.',
      404: 'No such campaign in the organization, or no such version of its template.',
      409: 'A run of the campaign is queued or running.',
    },
    clientCall:
      "const campaign = await platen.request('POST /v1/campaigns/{id}/runs', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' }, body: { mode: 'links' } })",
    errorShape: 'organization',
  },
  (parts: CampaignParts) =>
    async (exchange, { holder, readBody }) => {
      const { campaignStore, campaigns, publicUrl } = parts;
      const campaign = requireCampaign(parts, exchange, holder);
      const request = await readBody();
      const { mode, map, version, ...options } = request;
      const template = requirePublished(parts, holder, campaign.templateUid, version);
      requireOptions(request, template);
      const facts = JSON.parse(campaign.listJson) as ListFacts;
      requireFiles(request, facts, campaign.rowCount);
      const mapping = map && requireMapping(map, facts, template);
      const run = {
        campaignId: campaign.id,
        mode,
        version: template.version,
        optionsJson: JSON.stringify(options),
        baseUrl: publicUrl(exchange),
      };
      await whenFree(() => campaignStore.createRun(run, mapping && JSON.stringify(mapping)));
      campaigns.wake(campaign.id);
      return jsonReply(202, show(parts, requireCampaign(parts, exchange, holder)));
    },
);

const cancelRun = endpoint(
  {
    id: 'cancelCampaignRun',
    route: 'campaigns',
    method: 'post',
    path: '/v1/campaigns/{id}/cancel',
    tag: 'Campaigns',
    summary: 'Cancel the run of a campaign',
    description: 'Ends the run after the rows in work. Results so far remain.',
    scope: 'render',
    pathParameters: { id: idParameter },
    answers: {
      200: jsonAnswer('The campaign without a run in work.', CampaignDetails, campaignExample),
    },
    errors: { 404: 'No such campaign in the organization.' },
    clientCall:
      "await platen.request('POST /v1/campaigns/{id}/cancel', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  (parts: CampaignParts) =>
    async (exchange, { holder }) => {
      const campaign = requireCampaign(parts, exchange, holder);
      await parts.campaigns.cancel(campaign.id);
      return jsonReply(200, show(parts, campaign));
    },
);

export const runEndpoints = [startRun, cancelRun];
