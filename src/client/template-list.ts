/** Reads the list of templates page by page. */
import type { TemplatePage, TemplateSummary } from './endpoints.ts';
import { PlatenError } from './call.ts';

/** Filter of a list of templates. */
export type TemplateFilter = {
  /** Archived templates, instead of those in use. */
  archived?: boolean;
  /** Only templates with a published version, or only those without. Default: both. */
  published?: boolean;
};

/** A page of a list. */
export type PageQuery = {
  limit?: number;
  offset?: number;
};

/** Maximum templates of a page. The service reduces a larger limit to this number. */
const pageTemplatesMax = 100;

/**
 * Whether an error is the answer past the end of the list. A 404 for another reason, such as a wrong base URL, is not.
 */
export function isEndOfList(error: unknown): boolean {
  return (
    error instanceof PlatenError && error.status === 404 && error.message === 'No templates found'
  );
}

/** The page for the answer past the end of the list, which has no total. */
export function emptyPage({ limit = 20, offset = 0 }: PageQuery): TemplatePage {
  return { templates: [], total: 0, limit: Math.min(limit, pageTemplatesMax), offset };
}

/** Yields every template of the pages once. Ends with the page that reaches their total. */
export async function* eachTemplate(
  readPage: (query: Required<PageQuery>) => Promise<TemplatePage>,
): AsyncGenerator<TemplateSummary, void> {
  // A new template moves others to the next page, which lists them again.
  const seen = new Set<string>();
  for (let offset = 0; ; offset += pageTemplatesMax) {
    const { templates, total } = await readPage({ limit: pageTemplatesMax, offset });
    for (const template of templates) {
      if (seen.has(template.uid)) continue;
      seen.add(template.uid);
      yield template;
    }
    if (offset + templates.length >= total || templates.length === 0) return;
  }
}
