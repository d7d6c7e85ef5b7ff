/** Shared code of campaign endpoints: the campaign of the path, and checks of templates, options and mappings. */
import type { Static } from 'typebox';
import { keyForms } from '#language/normal-form.ts';
import { isUid } from '#language/uid.ts';
import type { ColumnMapping, ListFacts, RunOptions } from '../../campaigns/campaign.ts';
import type { Campaigns } from '../../campaigns/campaigns.ts';
import { mappingProblems } from '../../campaigns/list/mapping.ts';
import { namesProblems } from '../../campaigns/results/files/file-names.ts';
import { pdfPagesMax } from '../../campaigns/results/files/result-file.ts';
import { linkOptions } from '../../campaigns/run-subject.ts';
import { AppError } from '../../../foundation/errors.ts';
import type { Exchange } from '../../../http/exchange.ts';
import { findVariable } from '../../../render/list-values.ts';
import { chooseSize, notPublished, resolveOptions } from '../../../render/request.ts';
import { isCampaignId } from '../../store/campaigns/campaign-store.ts';
import type { CampaignStore } from '../../store/campaigns/campaign-store.ts';
import type { Campaign, CampaignMode } from '../../store/campaigns/campaign-records.ts';
import type { KeyHolder } from '../../../store/organizations/api-key-store.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import type { ShortLinkStore } from '../../../store/short-link-store.ts';
import type { TemplateStore } from '../../../store/template-store.ts';
import type { PublicUrl } from '../../../api/request/public-url.ts';
import { badBody, parseBody } from '../../../api/request/input.ts';
import { RunRequest, showCampaign } from './schemas.ts';

type RunRequest = Static<typeof RunRequest>;

/** Services and settings that the endpoints need. */
export interface CampaignParts {
  campaigns: Campaigns;
  campaignStore: CampaignStore;
  campaignKeepMs: number;
  templates: Pick<TemplateStore, 'findPublished'>;
  publicUrl: PublicUrl;
  shortLinks: Pick<ShortLinkStore, 'deleteLinksOf'>;
}

/** Returns the campaign of the path. Throws NOT_FOUND if it does not exist or belongs to another organization. */
export function requireCampaign(
  { campaignStore }: Pick<CampaignParts, 'campaignStore'>,
  { parameter: id }: Exchange,
  holder: KeyHolder,
): Campaign {
  const campaign = findCampaign({ campaignStore }, id, holder);
  if (campaign === undefined) throw noCampaign();
  return campaign;
}

/** Finds a campaign of the organization; undefined for a campaign of another organization. */
export function findCampaign(
  { campaignStore }: Pick<CampaignParts, 'campaignStore'>,
  id: string,
  { uid }: KeyHolder,
): Campaign | undefined {
  const campaign = isCampaignId(id) ? campaignStore.find(id) : undefined;
  return campaign?.organizationUid === uid ? campaign : undefined;
}

export function noCampaign(): AppError {
  return new AppError('NOT_FOUND', 'Campaign not found', { reason: 'campaign' });
}

export function show(
  { campaignStore, templates }: Pick<CampaignParts, 'campaignStore' | 'templates'>,
  campaign: Campaign,
): Record<string, unknown> {
  const runs = campaignStore.findRuns(campaign.id);
  const [latest] = runs;
  const use = campaignStore.findWarmUse(campaign.id);
  return showCampaign(
    campaign,
    runs,
    use,
    templates.findPublished(campaign.templateUid, latest?.version),
  );
}

export function requirePublished(
  { templates }: Pick<CampaignParts, 'templates'>,
  holder: KeyHolder,
  uid: string,
  version: number | undefined,
): PublishedTemplate {
  const template = isUid(uid) ? templates.findPublished(uid, version) : undefined;
  if (template?.organizationUid !== holder.uid) throw notPublished(uid);
  return template;
}

/** Parses the options of a run, given as JSON in the query. Throws BAD_REQUEST. */
export function parseRun(
  json: string | undefined,
  { mode, version }: { mode: CampaignMode; version: number | undefined },
): RunRequest {
  const given = json === undefined || json === '' ? {} : parseOptions(json);
  const request = { mode, ...(version === undefined ? {} : { version }), ...given };
  return parseBody(RunRequest, Buffer.from(JSON.stringify(request)));
}

function parseOptions(json: string): object {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    // Invalid JSON gets the same error as JSON that is no object.
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw badBody([{ path: 'options', message: 'is no object of JSON, expected one' }], 'query');
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a form: its parts would be read as rows. */
export function refuseForm({ contentType }: Exchange): void {
  if (!/^\s*multipart\//i.test(contentType)) return;
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The list is in a form: send the file alone, as `curl --data-binary @list.csv` does.',
    { reason: 'list' },
  );
}

/** Throws BAD_REQUEST for options that links of the template may not have. */
export function requireOptions(
  request: RunOptions & Pick<RunRequest, 'mode'>,
  template: PublishedTemplate,
): void {
  const { path, query } = linkOptions(template.uid, template.version, request);
  resolveOptions(path, query, chooseSize(template, query));
  const taken = query.parameters.find(({ name }) => template.variables.has(name))?.name;
  // Only a run of `links` puts the version into addresses.
  if (taken !== undefined && (taken !== '_version' || request.mode === 'links')) {
    const effect = taken === '_version' ? 'cannot be pinned to a version' : `take no ${taken}`;
    const message = `is "${request.mode}", but the template has a variable "${taken}", so its links ${effect}: give the variable another name`;
    throw badBody([{ path: 'mode', message }], 'body');
  }
  if (request.mode === 'links' && template.linkAuth === 'key') {
    const message =
      'is "links", but links of this template ask for an API key, which readers do not have: set "linkAuth" to "open" or "signed"';
    throw badBody([{ path: 'mode', message }], 'body');
  }
  const { expires, short } = request;
  if (expires === undefined) return;
  const isPast = expires * 1000 <= Date.now();
  if (!isPast && (short === true || template.linkAuth === 'signed')) return;
  const message = isPast
    ? `is ${expires}, which is over, expected seconds since 1970 to come`
    : 'is for signed and short links: leave it out, or add "short": true';
  throw badBody([{ path: 'expires', message }], 'body');
}

/** Throws BAD_REQUEST for names of files with unknown columns, and for a PDF of too many rows. */
export function requireFiles(
  { mode, names, output }: RunRequest,
  { columns }: Pick<ListFacts, 'columns'>,
  rowCount: number,
): void {
  if (mode !== 'files') return;
  const problems = names === undefined ? [] : namesProblems(names, columns);
  if (output === 'pdf' && rowCount > pdfPagesMax) {
    const message = `is "pdf", and the list has ${rowCount} rows: one PDF has at most ${pdfPagesMax} pages; use "pdfs", a PDF for each row`;
    problems.push({ path: 'output', message });
  }
  if (problems.length > 0) throw badBody(problems, 'body');
}

/** The mapping with its names in the forms that the list and the template have. Throws BAD_REQUEST for unknown names. */
export function requireMapping(
  given: ColumnMapping,
  facts: ListFacts,
  template: PublishedTemplate,
): ColumnMapping {
  const mapping = Object.fromEntries(
    Object.entries(given).map(([column, name]) => [
      keyForms(column).find((form) => facts.columns.includes(form)) ?? column,
      findVariable(name, template.variables)?.name ?? name,
    ]),
  );
  const problems = mappingProblems(mapping, facts, template);
  if (problems.length > 0) throw badBody(problems, 'mapping');
  return mapping;
}
