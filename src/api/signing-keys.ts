/** `GET` and `POST /v1/templates/{uid}/signing-keys`, `DELETE …/signing-keys/{id}`: the keys that links are signed with. */
import { AppError } from '../foundation/errors.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { whenFree } from '../store/database/when-free.ts';
import { createBodyReader, smallBodyBytesMax } from './request/json-body.ts';
import { noTemplate, requireOwnTemplate } from './request/organization-template.ts';
import { parseId } from './request/parse-id.ts';
import { EmptyRequest } from './schemas/keys.ts';

/** Errors of all: 401, 403, 404; 409 for a third key. */
export function signingKeyRoutes(
  organizations: OrganizationStore,
  templates: Pick<TemplateStore, 'hasTemplate'>,
): Route[] {
  const shape = { errorShape: 'organization', bodyBytesMax: smallBodyBytesMax } as const;
  const readNothing = createBodyReader(EmptyRequest);
  return [
    {
      ...shape,
      name: 'signing-keys',
      path: '/v1/templates/:uid/signing-keys',
      get: (exchange) => {
        const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'read');
        const keys = organizations.listSigningKeys(holder.uid, uid);
        if (keys === undefined) throw noTemplate();
        return jsonReply(200, { signing_keys: keys });
      },
      post: async (exchange) => {
        const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'write');
        await readNothing(exchange);
        const key = await whenFree(() => organizations.createSigningKey(holder.uid, uid));
        if (key === undefined) throw noTemplate();
        return jsonReply(201, key);
      },
    },
    {
      ...shape,
      name: 'remove-signing-key',
      path: '/v1/templates/:uid/signing-keys/:id',
      delete: async (exchange) => {
        const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'write');
        const id = parseId(exchange.parameters[1] ?? '');
        const isRemoved =
          id !== undefined &&
          (await whenFree(() => organizations.removeSigningKey(holder.uid, uid, id)));
        if (!isRemoved) {
          throw new AppError('NOT_FOUND', 'Signing key not found', { reason: 'key-id' });
        }
        return emptyReply(204);
      },
    },
  ];
}
