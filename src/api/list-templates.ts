/** `GET /v1/templates`: one page of the organization's templates, newest first. */
import { AppError } from '../errors.ts';
import type { KeyHolders } from '../http/api-key.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import type { Query } from '../http/query.ts';
import { firstValue, parseQuery } from '../http/query.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { TemplateStore } from '../templates/template-store.ts';

/** Templates of a page when the caller does not say (specification, limits). */
const limitDefault = 20;
/** Templates of a page at most; a larger limit counts as this (contract section 2). */
const limitMax = 100;

/**
 * 200 with `{templates, total}`; 401 without a valid key; 404 when there is none to return; 400 for a
 * `limit` or `offset` that is no whole number.
 */
export function listTemplatesRoute(
  organizations: KeyHolders<{ uid: string }>,
  templates: Pick<TemplateStore, 'listTemplates'>,
): Route {
  return {
    name: 'list-templates',
    path: '/v1/templates',
    errorShape: 'organization',
    get: (exchange) => {
      const { uid } = requireKeyHolder(exchange.apiKey, organizations);
      const query = parseQuery(exchange.query);
      const limit = parseCount(query, 'limit', 1) ?? limitDefault;
      const offset = parseCount(query, 'offset', 0) ?? 0;
      const page = templates.listTemplates(uid, Math.min(limit, limitMax), offset);
      if (page.templates.length === 0) {
        throw new AppError('NOT_FOUND', 'No templates found', { reason: 'empty' });
      }
      return jsonReply(200, page);
    },
  };
}

/** Numbers beyond 2^53 count as that: no organization has more templates. */
function parseCount(query: Query, name: string, minimum: number): number | undefined {
  const text = firstValue(query, name);
  if (text === undefined) return undefined;
  const count = /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : -1;
  if (count >= minimum) return count;
  throw new AppError(
    'BAD_REQUEST',
    `Invalid ${name}: expected a whole number, ${minimum} or greater`,
    { reason: name },
  );
}
