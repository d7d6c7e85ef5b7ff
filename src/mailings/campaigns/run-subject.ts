/** The input of a run: its campaign, list and template, and the options of its links. */
import { AppError } from '../../foundation/errors.ts';
import type { Log } from '../../foundation/log.ts';
import type { ImageLoader } from '../../images/load-images.ts';
import type { OrganizationStore } from '../../store/organizations/organization-store.ts';
import type { FontLookup } from '../../store/assets/font-store.ts';
import type { CampaignNode } from '../store/campaigns/campaign-node.ts';
import type { TableStore } from '../store/tables/table-store.ts';
import type { TableLookup } from '../../render/table-values.ts';
import type { TemplateStore } from '../../store/template-store.ts';
import { formatByName } from '#language/formats.ts';
import { parameter } from '../../render/json-values.ts';
import { chooseSize, resolveOptions } from '../../render/request.ts';
import type { RenderOptions, RenderPath } from '../../render/request.ts';
import type { Query } from '../../http/query.ts';
import type { CampaignList } from '../store/campaigns/campaign-list.ts';
import type { CampaignStore } from '../store/campaigns/campaign-store.ts';
import type { Campaign, CampaignRun } from '../store/campaigns/campaign-records.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { ColumnMapping, ListFacts, RunOptions } from './campaign.ts';
import type { campaignPaths } from './list/import-list.ts';
import type { KeptImages } from './kept-images.ts';
import type { RunNews } from './messages.ts';
import type { CampaignHosts, CampaignRenderer } from './renderer.ts';
import type { WriteRun } from './run-writes.ts';
import type { SharedFiles } from './shared/shared-files.ts';
import { mappedColumns } from './list/row-values.ts';
import type { MappedColumn } from './list/row-values.ts';

/** Services and settings that runs need. */
export interface RunParts {
  campaignsFolder: string;
  /** Upper bound in bytes of the warm images of all campaigns. */
  warmBytesMax: number;
  store: CampaignStore;
  templates: Pick<TemplateStore, 'findPublished'>;
  organizations: Pick<OrganizationStore, 'findSigningKeys' | 'listOrganizations'>;
  tables: TableLookup & Pick<TableStore, 'node'>;
  fonts: Pick<FontLookup, 'restoreFiles'>;
  loader: ImageLoader;
  processes: CampaignHosts;
  log: Log;
  write: WriteRun;
  /** Undefined without a database that nodes share. */
  shared: { node: CampaignNode; files: SharedFiles } | undefined;
  onNews: (news: RunNews) => void;
}

/** A run with everything that the work on its rows may need. */
export interface RunSubject extends RunParts {
  campaign: Campaign;
  run: CampaignRun;
  list: CampaignList;
  paths: ReturnType<typeof campaignPaths>;
  /** Aborting it ends the run. */
  signal: AbortSignal;
  images: KeptImages;
  renderer: CampaignRenderer;
}

/** A run with its template and its parsed JSON. */
export interface RowWorkSubject extends RunSubject {
  template: PublishedTemplate;
  facts: ListFacts;
  columns: readonly MappedColumn[];
  given: RunOptions;
  /** Path and options of each link, without values. */
  path: RenderPath;
  optionsQuery: Query;
  options: RenderOptions;
}

/** Reads the template, the mapping and the options of a run. Throws NOT_FOUND if the template's version is gone. */
export function prepareRun(subject: RunSubject): RowWorkSubject {
  const { campaign, run, templates } = subject;
  const published = templates.findPublished(campaign.templateUid, run.version);
  if (published === undefined) throw lostVersion(campaign.templateUid, run.version);
  const facts = JSON.parse(campaign.listJson) as ListFacts;
  const mapping = JSON.parse(campaign.mappingJson) as ColumnMapping;
  const given = JSON.parse(run.optionsJson) as RunOptions;
  const link = linkOptions(campaign.templateUid, run.version, given);
  const template = chooseSize(published, link.query);
  return {
    ...subject,
    template,
    facts,
    columns: mappedColumns(facts, mapping, template),
    given,
    path: link.path,
    optionsQuery: link.query,
    options: resolveOptions(link.path, link.query, template),
  };
}

/** Converts the options of a run to those of a link, pinned to its version. */
export function linkOptions(
  uid: string,
  version: number,
  { format, quality, scale, lang, size, frames, animated }: RunOptions,
): { path: RenderPath; query: Query } {
  const moving = animated === true ? 1 : undefined;
  const given = { quality, scale, lang, size, frames, animated: moving, version };
  const parameters = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [parameter(`_${name}`, value)],
  );
  const path = { uid, format: formatByName.get(format ?? '') };
  return { path, query: { parameters, isTruncated: false } };
}

function lostVersion(uid: string, version: number): AppError {
  const message = `Version ${version} of the template "${uid}" is not published any more: publish it, or restore the template if it is archived, and start the run again.`;
  return new AppError('NOT_FOUND', message, { reason: 'template' });
}
