/** How a link is read: strictly for its own template, and repaired for one that stands in where the countdown is over. */
import type { Query } from '../../http/query.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { TableLookup } from '../../store/tables/table-store.ts';
import { chooseSize, repairOptions, repairSize, resolveOptions } from '../request.ts';
import type { RenderOptions, RenderPath } from '../request.ts';
import { repairVariables, resolveVariables } from '../values.ts';
import type { ResolvedValues } from '../values.ts';

/** What a link says to a template. */
export interface LinkReader {
  size: (template: PublishedTemplate, query: Query) => PublishedTemplate;
  options: (path: RenderPath, query: Query, template: PublishedTemplate) => RenderOptions;
  values: (
    template: PublishedTemplate,
    query: Query,
    tables: TableLookup,
    onUnmerged: (templateUid: string) => void,
  ) => ResolvedValues;
}

/** Throws BAD_REQUEST that names what the template refuses. */
const strict: LinkReader = {
  size: chooseSize,
  options: resolveOptions,
  values: resolveVariables,
};

/** Leaves out what the template refuses: the link was made for another one, and was right for it. */
const repairing: LinkReader = {
  size: repairSize,
  options: repairOptions,
  values: repairVariables,
};

/** `hops`: how many templates have drawn the link before; absent for its own. */
export function linkReader({ hops }: { hops?: number }): LinkReader {
  return hops === undefined ? strict : repairing;
}
