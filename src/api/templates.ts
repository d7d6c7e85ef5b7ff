/** `GET /v1/templates`, `GET /v1/templates/{uid}` and `POST …/release`: the organization's templates, newest first. */
import { AppError } from '../foundation/errors.ts';
import type { KeyHolders } from '../http/api-key.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import { parseQuery } from '../http/query.ts';
import { jsonReply, emptyReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import { pageTemplatesMax } from '../store/template-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { parseFlag, parsePage, createBodyReader, smallBodyBytesMax } from './request/input.ts';
import type { Quarantine } from '../scheduling/quarantine.ts';
import { noTemplate, requireOwnTemplate } from './request/organization-template.ts';
import type { PublicUrl } from './public-url.ts';
import { withPreviewUrls } from './variable-image.ts';
import { EmptyRequest } from './schemas/keys.ts';

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

// `GET /v1/templates/{uid}`: one template of the organization in full.

/** 200 with the details, in which the addresses of stored images begin with `publicUrl`; 401 without a valid key; 404 for an unknown uid and for another organization's alike. */
export function getTemplateRoute(
  organizations: KeyHolders<KeyHolder>,
  templates: Pick<TemplateStore, 'findDetails' | 'findPublished' | 'hasTemplate'>,
  quarantine: Pick<Quarantine, 'find'>,
  publicUrl: PublicUrl,
): Route {
  return {
    name: 'get-template',
    path: '/v1/templates/:uid',
    errorShape: 'organization',
    get: (exchange) => {
      const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'read');
      const details = templates.findDetails(holder.uid, uid);
      if (details === undefined) throw noTemplate();
      const published = templates.findPublished(uid);
      const state = published && quarantine.find(published.templateKey);
      return jsonReply(200, {
        ...details,
        published_variables: withPreviewUrls(details.published_variables, uid, publicUrl(exchange)),
        quarantine: state === undefined ? null : { version: published?.version, ...state },
      });
    },
  };
}

// `POST /v1/templates/{uid}/release`: renders a template again whose renders have ended their processes.

/** 204, also for a template that was not in quarantine; 401, 403, 404. */
export function releaseTemplateRoute(
  organizations: KeyHolders<KeyHolder>,
  templates: Pick<TemplateStore, 'hasTemplate'>,
  quarantine: Pick<Quarantine, 'release'>,
): Route {
  const readBody = createBodyReader(EmptyRequest);
  return {
    name: 'release-template',
    path: '/v1/templates/:uid/release',
    errorShape: 'organization',
    bodyBytesMax: smallBodyBytesMax,
    post: async (exchange) => {
      const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'write');
      await readBody(exchange);
      await quarantine.release(holder.uid, uid);
      return emptyReply(204);
    },
  };
}
