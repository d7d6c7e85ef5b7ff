/** `GET` and `POST /v1/keys`, `DELETE /v1/keys/{id}`, `POST …/rotate`: the organization's API keys; and the signing keys of its templates. */
import { AppError } from '../foundation/errors.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { KeyScope } from '../store/organizations/key-scopes.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import { whenFree } from '../store/database/store-error.ts';
import { createBodyReader, smallBodyBytesMax } from './request/input.ts';
import { EmptyRequest, NewKeyRequest } from './schemas/keys.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { noTemplate, requireOwnTemplate } from './request/organization-template.ts';
import type { KeyHolders } from '../http/api-key.ts';

/**
 * Errors of all: 401, 403 (also for scopes that the caller's own key lacks), 404 for another organization's key or
 * one that is revoked; 409 for the last key that may write.
 */
export function keyRoutes(organizations: OrganizationStore): Route[] {
  const shape = { errorShape: 'organization', bodyBytesMax: smallBodyBytesMax } as const;
  const readNewKey = createBodyReader(NewKeyRequest);
  const readNothing = createBodyReader(EmptyRequest);
  return [
    {
      ...shape,
      name: 'keys',
      path: '/v1/keys',
      get: ({ apiKey }) => {
        const { uid } = requireKeyHolder(apiKey, organizations, 'read');
        return jsonReply(200, { keys: organizations.listKeys(uid) });
      },
      post: async (exchange) => {
        const holder = requireKeyHolder(exchange.apiKey, organizations, 'write');
        const { name, scopes } = await readNewKey(exchange);
        refuseMoreScopes(holder, scopes);
        const key = await whenFree(() => organizations.issueKey(holder.uid, { name, scopes }));
        return jsonReply(201, key);
      },
    },
    {
      ...shape,
      name: 'revoke-key',
      path: '/v1/keys/:id',
      delete: async ({ apiKey, parameter }) => {
        const { uid } = requireKeyHolder(apiKey, organizations, 'write');
        const id = parseId(parameter);
        const isRevoked =
          id !== undefined &&
          (await whenFree(() => organizations.revokeKey(uid, id, { keepsWriter: true })));
        if (!isRevoked) throw noKey();
        return emptyReply(204);
      },
    },
    {
      ...shape,
      name: 'rotate-key',
      path: '/v1/keys/:id/rotate',
      post: async (exchange) => {
        const holder = requireKeyHolder(exchange.apiKey, organizations, 'write');
        const id = parseId(exchange.parameter);
        const old = id === undefined ? undefined : organizations.findKey(holder.uid, id);
        if (old === undefined) throw noKey();
        refuseMoreScopes(holder, old.scopes);
        await readNothing(exchange);
        const key = await whenFree(() => organizations.rotateKey(holder.uid, old.id));
        if (key === undefined) throw noKey();
        return jsonReply(201, key);
      },
    },
  ];
}

/** A key that leaked must not be a way to a stronger one. */
function refuseMoreScopes(holder: KeyHolder, scopes: readonly KeyScope[]): void {
  const missing = scopes.filter((scope) => !holder.scopes.includes(scope));
  if (missing.length === 0) return;
  throw new AppError(
    'FORBIDDEN',
    `This API key lacks the scope "${missing.join('", "')}", so it cannot make a key that has it.`,
    { reason: 'scope' },
  );
}

function noKey(): AppError {
  return new AppError('NOT_FOUND', 'Key not found', { reason: 'key-id' });
}

// `GET` and `POST /v1/templates/{uid}/signing-keys`, `DELETE …/signing-keys/{id}`: the keys that links are signed with.

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

// Reads a number that names a row out of a path.

/** A positive whole number without leading zeros; undefined for everything else, which names nothing. */
function parseId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

// `GET /v1/validate-organization`: whether a key is valid, and whose it is.

/** 200 with the key's organization, or 401; both say `valid`. */
export function validateOrganizationRoute(
  organizations: KeyHolders<{ uid: string; name: string }>,
): Route {
  return {
    name: 'validate-organization',
    path: '/v1/validate-organization',
    errorShape: 'organization',
    get: ({ apiKey }) => {
      const organization = organizations.findByKey(apiKey);
      if (organization === undefined) {
        return { ...jsonReply(401, { valid: false, error: 'Invalid API key' }), cause: 'key' };
      }
      const { uid, name } = organization;
      return jsonReply(200, { valid: true, organization: { uid, name } });
    },
  };
}
