/** `GET /v1/templates`: one page of the organization's templates, newest first. */
import { AppError } from '../foundation/errors.ts';
import type { KeyHolders } from '../http/api-key.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import { parseQuery } from '../http/query.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import { pageTemplatesMax } from '../store/template-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { parseFlag, parsePage } from './request/parse-count.ts';

/** Templates of a page when the caller does not say (specification, limits). */
const limitDefault = 20;
/**
 * 200 with `{templates, total, limit, offset}`, the last two as they were applied; 401 without a valid key; 404 when there is
 * none to return, also past the end (specification, list endpoint); 400 for a `limit` or `offset` that is no whole
 * number. `archived=true` lists those that are out of use, `published` those with a published version or those without.
 */
export function listTemplatesRoute(
  organizations: KeyHolders<KeyHolder>,
  templates: Pick<TemplateStore, 'listTemplates'>,
): Route {
  return {
    name: 'list-templates',
    path: '/v1/templates',
    errorShape: 'organization',
    get: (exchange) => {
      const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'read');
      const query = parseQuery(exchange.query);
      const { limit, offset } = parsePage(query, limitDefault, pageTemplatesMax);
      const page = templates.listTemplates(uid, limit, offset, {
        archived: parseFlag(query, 'archived'),
        published: parseFlag(query, 'published'),
      });
      if (page.templates.length === 0) {
        throw new AppError('NOT_FOUND', 'No templates found', { reason: 'empty' });
      }
      return jsonReply(200, { ...page, limit, offset });
    },
  };
}
