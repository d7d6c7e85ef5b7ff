/** `POST /v1/templates/{uid}/release`: renders a template again whose renders have ended their processes. */
import type { KeyHolders } from '../http/api-key.ts';
import { emptyReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { Quarantine } from '../scheduling/quarantine.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { createBodyReader, smallBodyBytesMax } from './request/json-body.ts';
import { requireOwnTemplate } from './request/organization-template.ts';
import { EmptyRequest } from './schemas/keys.ts';

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
