/** The input of a proof. */
import type { RenderOptions } from '../../../render/request.ts';
import type { CampaignList } from '../../store/campaigns/campaign-list.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import type { TableLookup } from '../../../render/table-values.ts';
import type { ListFacts } from '../campaign.ts';
import type { KeptImages } from '../kept-images.ts';
import type { MappedColumn } from '../list/row-values.ts';
import type { CampaignRenderer } from '../renderer.ts';

/** Everything that a proof needs of its campaign. */
export interface ProofSubject {
  template: PublishedTemplate;
  options: RenderOptions;
  columns: readonly MappedColumn[];
  tables: TableLookup;
  facts: ListFacts;
  list: CampaignList;
  renderer: CampaignRenderer;
  images: KeptImages;
  /** Aborting it ends the survey of the list. */
  signal: AbortSignal;
  /** Where the contact sheet is written. */
  sheetPath: string;
}
