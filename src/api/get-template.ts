/** `GET /v1/templates/{uid}`: one template of the organization in full. */
import type { KeyHolders } from '../http/api-key.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import type { Quarantine } from '../scheduling/quarantine.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { noTemplate, requireOwnTemplate } from './request/organization-template.ts';
import type { PublicUrl } from './public-url.ts';
import { withPreviewUrls } from './variable-image.ts';

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
