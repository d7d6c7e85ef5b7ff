/** `GET /v1/templates/{uid}`: one template of the organization in full. */
import { AppError } from '../errors.ts';
import type { KeyHolders } from '../http/api-key.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { TemplateStore } from '../templates/template-store.ts';

const uidPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** 200 with the details; 401 without a valid key; 404 for an unknown uid and for another organization's alike. */
export function getTemplateRoute(
  organizations: KeyHolders<{ uid: string }>,
  templates: Pick<TemplateStore, 'findDetails'>,
): Route {
  return {
    name: 'get-template',
    path: '/v1/templates/:uid',
    errorShape: 'organization',
    get: ({ apiKey, parameter }) => {
      const { uid } = requireKeyHolder(apiKey, organizations);
      const details = uidPattern.test(parameter)
        ? templates.findDetails(uid, parameter)
        : undefined;
      if (details === undefined) {
        throw new AppError('NOT_FOUND', 'Template not found', { reason: 'template' });
      }
      return jsonReply(200, details);
    },
  };
}
