/** The entrance of other wings to the code of the pages: merge tags, links and HTML for emails. */
export { emailServices } from './email-services.ts';
export { altColumn, columnRecipe, columnSnippet, urlColumn } from './list-columns.ts';
export { mergeTag } from './merge-tag.ts';
export type { EmailService } from './merge-tag.ts';
export * from './snippets.ts';
