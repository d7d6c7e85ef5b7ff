/** `GET /v1/templates`: one page of the organization's templates, newest first. */
import { AppError } from '../errors.ts';
import type { KeyHolders } from '../http/api-key.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import { parseQuery } from '../http/query.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { KeyHolder } from '../templates/api-key-store.ts';
import type { TemplateStore } from '../templates/template-store.ts';
import { parseCount, parseFlag } from './parse-count.ts';

/** Templates of a page when the caller does not say (specification, limits). */
const limitDefault = 20;
/** Templates of a page at most; a larger limit counts as this (contract section 2). */
const limitMax = 100;

/**
 * 200 with `{templates, total}`; 401 without a valid key; 404 when there is none to return; 400 for a
 * `limit` or `offset` that is no whole number. With `archived=true` those that are out of use.
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
      const limit = parseCount(query, 'limit', 1) ?? limitDefault;
      const offset = parseCount(query, 'offset', 0) ?? 0;
      const archived = parseFlag(query, 'archived') ?? false;
      const page = templates.listTemplates(uid, Math.min(limit, limitMax), offset, { archived });
      if (page.templates.length === 0) {
        throw new AppError('NOT_FOUND', 'No templates found', { reason: 'empty' });
      }
      return jsonReply(200, page);
    },
  };
}
