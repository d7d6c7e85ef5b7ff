/** `GET /v1/templates/{uid}/document` and `…/versions`, `POST …/publish`: what is saved, what is public, and the step between. */
import { AppError } from '../foundation/errors.ts';
import type { KeyHolders } from '../http/api-key.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseQuery } from '../http/query.ts';
import { jsonReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { Publisher } from '../publish/publisher.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import {
  documentETag,
  parseIfMatch,
  noTemplate,
  requireOwnTemplate,
} from './request/organization-template.ts';
import { createBodyReader, smallBodyBytesMax, parseCount, parsePage } from './request/input.ts';
import { PublishRequest } from './schemas/templates.ts';

/** Versions of a page, at most and when the caller does not say. */
const pageVersionsMax = 100;

/** Errors of all: 401, 403, 404; 400 for a wrong query or body. */
export function templateVersionRoutes(
  organizations: KeyHolders<KeyHolder>,
  templates: TemplateStore,
  publisher: Publisher,
): Route[] {
  return [
    {
      name: 'template-document',
      path: '/v1/templates/:uid/document',
      errorShape: 'organization',
      get: (exchange) => {
        const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'read');
        const version = parseCount(parseQuery(exchange.query), 'version', 1);
        const stored = templates.findDocument(holder.uid, uid, version);
        if (stored === undefined) throw noVersion();
        return documentReply(stored.cid, stored.documentJson);
      },
    },
    {
      name: 'template-versions',
      path: '/v1/templates/:uid/versions',
      errorShape: 'organization',
      get: (exchange) => {
        const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'read');
        const query = parseQuery(exchange.query);
        const { limit, offset } = parsePage(query, pageVersionsMax, pageVersionsMax);
        const page = templates.listVersions(holder.uid, uid, limit, offset);
        if (page === undefined) throw noTemplate();
        return jsonReply(200, { ...page, limit, offset });
      },
    },
    publishRoute(organizations, templates, publisher),
  ];
}

/**
 * Publishes the draft, or an older version again. 400 when the draft's default picture cannot be drawn, 412 on a
 * lost race, 409 when the draft is changed while it is being published.
 */
function publishRoute(
  organizations: KeyHolders<KeyHolder>,
  templates: TemplateStore,
  publisher: Publisher,
): Route {
  const readBody = createBodyReader(PublishRequest);
  return {
    name: 'publish-template',
    path: '/v1/templates/:uid/publish',
    errorShape: 'organization',
    bodyBytesMax: smallBodyBytesMax,
    post: async (exchange: Exchange) => {
      const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'write');
      const ifMatch = parseIfMatch(exchange);
      const { note, version } = await readBody(exchange);
      const published = await publisher.publish(
        holder.uid,
        uid,
        { note, version, ifMatch },
        exchange.deadline,
      );
      if (published === undefined) throw version === undefined ? noTemplate() : noVersion();
      return jsonReply(200, published);
    },
  };
}

/** The text as it is stored, so that its content id is that of the body. */
function documentReply(cid: string, documentJson: string): Reply {
  return { ...jsonReply(200, undefined, { ETag: documentETag(cid) }), body: documentJson };
}

function noVersion(): AppError {
  return new AppError('NOT_FOUND', 'Version not found', { reason: 'version' });
}
