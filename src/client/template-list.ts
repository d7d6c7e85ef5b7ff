/** Reads the list of templates page by page, up to the answer past its end. */
import type { TemplatePage, TemplateSummary } from './api-types.ts';
import { PlatenError } from './call.ts';

/** Which templates are listed. */
export type TemplateFilter = {
  /** The archived ones, in place of those in use. */
  archived?: boolean;
  /** Only those that have a published version, or only those that have none. Default: both. */
  published?: boolean;
};

/** Which page of a list. */
export type PageQuery = {
  limit?: number;
  offset?: number;
};

/** Templates of a page at most; the service takes a larger limit as this. */
const pageTemplatesMax = 100;

/** Whether an error is the answer past the end. A 404 of something else, such as of a wrong base address, is not. */
export function isEndOfList(error: unknown): boolean {
  return (
    error instanceof PlatenError && error.status === 404 && error.message === 'No templates found'
  );
}

/** The page in place of that answer, which has no total. */
export function emptyPage({ limit = 20, offset = 0 }: PageQuery): TemplatePage {
  return { templates: [], total: 0, limit: Math.min(limit, pageTemplatesMax), offset };
}

/** Every template of the pages that `readPage` gives, once; ends at the first page that is not full. */
export async function* eachTemplate(
  readPage: (query: Required<PageQuery>) => Promise<TemplatePage>,
): AsyncGenerator<TemplateSummary, void> {
  // A template that is saved meanwhile moves others to the next page, where they come again.
  const seen = new Set<string>();
  for (let offset = 0; ; offset += pageTemplatesMax) {
    const { templates } = await readPage({ limit: pageTemplatesMax, offset });
    for (const template of templates) {
      if (seen.has(template.uid)) continue;
      seen.add(template.uid);
      yield template;
    }
    if (templates.length < pageTemplatesMax) return;
  }
}
