/** `/v1/campaigns`: lists of recipients, and the runs over them. */
import { rm } from 'node:fs/promises';
import type { Static } from 'typebox';
import { readFirstRows } from '../../campaigns/list/import-list.ts';
import type { ImportedList } from '../../campaigns/list/import-list.ts';
import { proposedMapping } from '../../campaigns/list/mapping.ts';
import { AppError } from '../../../foundation/errors.ts';
import { uploadSlots } from '../../../foundation/organization-slots.ts';
import type { BodyLimit } from '../../../http/body/request-body.ts';
import type { Exchange } from '../../../http/exchange.ts';
import { jsonReply } from '../../../http/reply.ts';
import { listLimits } from '../../lists/list-limits.ts';
import { requireSheet } from '../../lists/workbook/open-sheet.ts';
import type { KeyHolder } from '../../../store/organizations/api-key-store.ts';
import { createCampaignId } from '../../store/campaigns/campaign-store.ts';
import type { Campaign, CampaignMode } from '../../store/campaigns/campaign-records.ts';
import { toMebibytes } from '../../../store/database/storage-quota.ts';
import { whenFree } from '../../../store/database/store-error.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import { jsonAnswer, pageQuery } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { deleteCampaign } from './delete.ts';
import {
  parseRun,
  refuseForm,
  requireCampaign,
  requireFiles,
  requireMapping,
  requireOptions,
  requirePublished,
  show,
} from './request.ts';
import type { CampaignParts } from './request.ts';
import {
  CampaignDetails,
  campaignExample,
  CampaignPage,
  campaignPageExample,
  idParameter,
  Mode,
  showCampaign,
  showSummary,
} from './schemas.ts';
import type { RunRequest } from './schemas.ts';
import { listContent } from '../list-content.ts';

const nameCharactersMax = 100;

/** Lists that are uploaded and read at a time, one per organization. Each takes up to 512 MiB beside its file. */
const uploadsMax = 8;

const createCampaign = endpoint(
  {
    id: 'createCampaign',
    route: 'campaigns',
    method: 'post',
    path: '/v1/campaigns',
    tag: 'Campaigns',
    summary: 'Upload a list and start a run',
    description:
      'Reads a list of recipients (CSV, tab-separated values, JSON, JSON lines, XLSX, ODS or vCard), maps its columns to the variables of the template, and starts a run. Encoding and separator are detected and shown. A proof of a workbook with several sheets reads the first and says `sheet_doubt`; another run of it needs `sheet`. The rows are deleted with the campaign, and after a set time.',
    scope: 'render',
    query: {
      template: {
        description: 'Uid of a published template.',
        schema: { type: 'string' },
        required: true,
        example: 'welcome-banner',
      },
      mode: { description: 'What is made of the list.', schema: { ...Mode, default: 'proof' } },
      name: { description: 'A name for people; default: the time.', schema: { type: 'string' } },
      version: {
        description: 'A published version; default: the newest.',
        schema: { type: 'integer', minimum: 1 },
      },
      options: {
        description: 'Options of the run and the mapping (`map`), as JSON of `CampaignRunRequest`.',
        schema: { type: 'string' },
      },
      encoding: {
        description: 'A label of the Encoding Standard, such as `windows-1252`; default: detected.',
        schema: { type: 'string' },
      },
      separator: {
        description: 'The character between the cells of a CSV; default: detected.',
        schema: { type: 'string', maxLength: 1 },
      },
      sheet: {
        description: 'Name of a sheet of an XLSX or ODS; default: the first visible one with rows.',
        schema: { type: 'string' },
      },
    },
    body: {
      description: `The list: up to ${listLimits.rowsMax.toLocaleString('en-US')} rows.`,
      required: true,
      content: {
        'text/csv': {
          schema: { type: 'string' },
          example: 'email,name\namanda@example.com,Amanda',
        },
        ...listContent,
      },
    },
    bodyBytesMax: listLimits.fileBytesMax,
    savesBody: true,
    answers: { 202: jsonAnswer('The run is queued.', CampaignDetails, campaignExample) },
    errors: {
      400: 'The list cannot be read, and the message says at which line and byte; or an option is wrong.',
      404: 'No such published template in the organization.',
      409: 'A request with the same `Idempotency-Key` is in progress, or the organization has too many campaigns.',
      413: 'The list has too many bytes, rows or columns, or the organization stores too much.',
      503: 'Too many lists are being uploaded; `Retry-After` says when to come back.',
    },
    clientCall:
      "const campaign = await platen.request('POST /v1/campaigns', { query: { template: 'welcome-banner', mode: 'proof' }, bytes: new Blob(['email,name\\namanda@example.com,Amanda']) })",
    errorShape: 'organization',
  },
  (parts: CampaignParts) => {
    const slots = uploadSlots('lists', uploadsMax);
    return (exchange, { holder, readQuery, answerOnce }) => {
      const query = readQuery();
      const { mode, version } = query;
      refuseForm(exchange);
      const request = parseRun(query.options, { mode: mode as CampaignMode, version });
      const template = requirePublished(parts, holder, query.template ?? '', request.version);
      requireOptions(request, template);
      // An early check, before the upload. Storing the campaign decides a race between two uploads.
      parts.campaignStore.requireCapacity(holder.uid);
      return slots.use(holder.uid, async () => {
        const id = createCampaignId();
        const path = parts.campaigns.uploadPath(id);
        // Called before any `await`, because the body arrives at once.
        const saved = exchange.saveBody(path, spaceLeft(parts, holder));
        try {
          const { sha256 } = await saved;
          return await answerOnce(sha256, async () => {
            const { contentType } = exchange;
            const { encoding, separator, sheet, name } = query;
            const given = Object.entries({ contentType, encoding, separator, sheet });
            const options = Object.fromEntries(
              given.filter(([, value]) => value !== undefined && value !== ''),
            );
            const space = parts.campaignStore.space(holder.uid);
            const imported = await parts.campaigns.import({ id, path, options, space });
            return createFrom(parts, exchange, holder, { id, name, template, request, imported });
          });
        } finally {
          await rm(path, { force: true });
        }
      });
    };
  },
);

/** Limits an upload to the bytes that the organization may still store. The import counts the bytes of the list. */
function spaceLeft({ campaignStore }: CampaignParts, { uid }: KeyHolder): BodyLimit {
  const { bytesMax } = campaignStore.space(uid);
  const tooLarge = new AppError(
    'PAYLOAD_TOO_LARGE',
    `The list has more bytes than the organization may still store, which are ${toMebibytes(bytesMax)} MiB. Delete assets, fonts, tables and campaigns that are not used, or ask the operator for more space.`,
    { reason: 'quota' },
  );
  return { bytesMax, tooLarge };
}

/** An imported list and the run to start over it. */
interface NewCampaign {
  id: string;
  name: string | undefined;
  template: PublishedTemplate;
  request: Static<typeof RunRequest>;
  imported: ImportedList;
}

async function createFrom(
  parts: CampaignParts,
  exchange: Exchange,
  holder: KeyHolder,
  { id, name, template, request, imported }: NewCampaign,
): Promise<ReturnType<typeof jsonReply>> {
  const { campaigns, campaignStore, campaignKeepMs, publicUrl } = parts;
  const { facts, rowCount, bytes, fileBytes, firstRows } = imported;
  const { mode, map, version: _version, ...options } = request;
  try {
    if (mode !== 'proof') requireSheet(facts.format);
    const mapping = requireMapping(map ?? proposedMapping(facts, template), facts, template);
    requireFiles(request, facts, rowCount);
    const nowMs = Date.now();
    const campaign: Campaign = {
      id,
      organizationUid: holder.uid,
      templateUid: template.uid,
      name: (name ?? '').trim().slice(0, nameCharactersMax) || new Date(nowMs).toISOString(),
      listJson: JSON.stringify(facts),
      mappingJson: JSON.stringify(mapping),
      rowCount,
      bytes,
      fileBytes,
      createdAt: nowMs,
      expiresAt: nowMs + campaignKeepMs,
    };
    const newRun = {
      campaignId: id,
      mode,
      version: template.version,
      optionsJson: JSON.stringify(options),
      baseUrl: publicUrl(exchange),
    };
    const run = await whenFree(() => campaignStore.createWithRun(campaign, newRun));
    campaigns.wake(id);
    const shown = {
      ...showCampaign(campaign, [run], { hits: 0, misses: 0 }, template),
      // The answer to a request with an idempotency key is stored, so rows in it would outlive the list.
      ...(exchange.idempotencyKey === '' ? { first_rows: firstRows } : {}),
    };
    return jsonReply(202, shown, { Location: `/v1/campaigns/${id}` });
  } catch (error) {
    await campaigns.delete(id);
    throw error;
  }
}

const listCampaigns = endpoint(
  {
    id: 'listCampaigns',
    route: 'campaigns',
    method: 'get',
    path: '/v1/campaigns',
    tag: 'Campaigns',
    summary: 'List campaigns',
    description: 'The campaigns of the organization, newest first.',
    scope: 'render',
    query: pageQuery,
    answers: { 200: jsonAnswer('A page of campaigns.', CampaignPage, campaignPageExample) },
    clientCall: "const { campaigns } = await platen.request('GET /v1/campaigns')",
    errorShape: 'organization',
  },
  ({ campaignStore }: Pick<CampaignParts, 'campaignStore'>) =>
    (_exchange, { holder, readQuery }) => {
      const { limit, offset } = readQuery();
      const page = { limit: Math.min(limit, 100), offset };
      const found = campaignStore.list(holder.uid, page.limit, page.offset);
      const total = campaignStore.count(holder.uid);
      const shown = found.map((each) => showSummary(each, campaignStore.findRuns(each.id)));
      return jsonReply(200, { campaigns: shown, total, ...page });
    },
);

const getCampaign = endpoint(
  {
    id: 'getCampaign',
    route: 'campaigns',
    method: 'get',
    path: '/v1/campaigns/{id}',
    tag: 'Campaigns',
    summary: 'Get a campaign',
    description: 'State, progress and verdict of a campaign, and how its list was read.',
    scope: 'render',
    pathParameters: { id: idParameter },
    answers: { 200: jsonAnswer('The campaign.', CampaignDetails, campaignExample) },
    errors: { 404: 'No such campaign in the organization.' },
    clientCall:
      "const campaign = await platen.request('GET /v1/campaigns/{id}', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  (parts: CampaignParts) =>
    async (exchange, { holder }) => {
      const campaign = requireCampaign(parts, exchange, holder);
      // While the shared database is unavailable, the answer may lack the first rows.
      await parts.campaigns.loadList(campaign.id).catch(() => undefined);
      const first = readFirstRows(parts.campaigns.folder, campaign.id);
      return jsonReply(200, { ...show(parts, campaign), first_rows: first });
    },
);

export const campaignEndpoints = [createCampaign, listCampaigns, getCampaign, deleteCampaign];
