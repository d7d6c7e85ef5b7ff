/** `/v1/keys` and `/v1/validate-organization`: the organization's API keys. */
import { Type } from 'typebox';
import { AppError } from '../foundation/errors.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import type { KeyHolders } from '../http/api-key.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import type { KeyScope } from '../store/organizations/api-key.ts';
import { keyScopes } from '../store/organizations/api-key.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import { whenFree } from '../store/database/store-error.ts';
import { jsonAnswer, jsonBody, pathParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { parseId } from './request/input.ts';
import { closed, nullable, Timestamp } from './shared-schemas.ts';

/** Services that the endpoints need. */
export interface KeyParts {
  organizations: OrganizationStore;
}

const Scopes = Type.Array(
  Type.Enum([...keyScopes], { description: `one of ${keyScopes.join(', ')}` }),
  {
    minItems: 1,
    maxItems: keyScopes.length,
    description:
      'what the key may do: read (show, preview, open links), render (render and make links), write (change)',
  },
);

const LaterTimestamp = nullable(
  Timestamp,
  'ISO 8601 UTC with milliseconds, null as long as it has not happened',
);

const NewKeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'for people' }),
    scopes: Scopes,
  },
  { ...closed, $id: 'NewKeyRequest' },
);

const keyProperties = {
  id: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  prefix: Type.String({ description: 'the first characters of the key, to recognise it by' }),
  scopes: Scopes,
  created_at: Timestamp,
  last_used_at: LaterTimestamp,
  revoked_at: LaterTimestamp,
};

const ApiKey = Type.Object(keyProperties, { ...closed, $id: 'ApiKey' });

const NewApiKey = Type.Object(
  { ...keyProperties, key: Type.String({ description: 'the key itself, shown this once' }) },
  { ...closed, $id: 'NewApiKey' },
);

const ApiKeyList = Type.Object({ keys: Type.Array(ApiKey) }, { ...closed, $id: 'ApiKeyList' });

const keyExample = {
  id: 2,
  name: 'newsletter',
  prefix: 'pk_live_7Q2x',
  scopes: ['read'],
  created_at: '2026-01-31T09:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
};
const newKeyExample = { ...keyExample, key: 'pk_live_…' };

const shared = { tag: 'Keys', errorShape: 'organization' } as const;

const keyId = { id: pathParameter('Id of the key.', '2') };

const noSuchKey = 'No such key in the organization.';

const listKeys = endpoint(
  {
    ...shared,
    id: 'listKeys',
    route: 'keys',
    method: 'get',
    path: '/v1/keys',
    summary: 'List keys',
    description: 'The organization’s keys, never the keys themselves.',
    scope: 'read',
    answers: { 200: jsonAnswer('The keys.', ApiKeyList, { keys: [keyExample] }) },
    clientCall: 'const { keys } = await platen.listKeys()',
  },
  ({ organizations }: KeyParts) =>
    (_, { holder }) =>
      jsonReply(200, { keys: organizations.listKeys(holder.uid) }),
);

const createKey = endpoint(
  {
    ...shared,
    id: 'createKey',
    route: 'keys',
    method: 'post',
    path: '/v1/keys',
    summary: 'Create a key',
    description:
      'The answer contains the key, only once. A key cannot create one with more scopes than it has.',
    scope: 'write',
    body: jsonBody('Its name and what it may do.', NewKeyRequest, {
      name: 'newsletter',
      scopes: ['read'],
    }),
    answers: { 201: jsonAnswer('The key.', NewApiKey, newKeyExample) },
    errors: { 400: 'The body is not valid.', 409: 'The organization has too many keys.' },
    clientCall: "const { key } = await platen.createKey({ name: 'newsletter', scopes: ['read'] })",
  },
  ({ organizations }: KeyParts) =>
    async (_, { holder, readBody }) => {
      const { name, scopes } = await readBody();
      refuseMoreScopes(holder, scopes);
      const key = await whenFree(() => organizations.issueKey(holder.uid, { name, scopes }));
      return jsonReply(201, key);
    },
);

const rotateKey = endpoint(
  {
    ...shared,
    id: 'rotateKey',
    route: 'rotate-key',
    method: 'post',
    path: '/v1/keys/{id}/rotate',
    summary: 'Rotate a key',
    description: 'Creates a key with the same name and scopes. The old key ends at once.',
    scope: 'write',
    pathParameters: keyId,
    answers: { 201: jsonAnswer('The new key.', NewApiKey, newKeyExample) },
    errors: { 404: noSuchKey },
    clientCall: 'const { key } = await platen.rotateKey(2)',
  },
  ({ organizations }: KeyParts) =>
    async ({ parameter }, { holder, readBody }) => {
      const id = parseId(parameter);
      const old = id === undefined ? undefined : organizations.findKey(holder.uid, id);
      if (old === undefined) throw noKey();
      refuseMoreScopes(holder, old.scopes);
      await readBody();
      const key = await whenFree(() => organizations.rotateKey(holder.uid, old.id));
      if (key === undefined) throw noKey();
      return jsonReply(201, key);
    },
);

const revokeKey = endpoint(
  {
    ...shared,
    id: 'revokeKey',
    route: 'revoke-key',
    method: 'delete',
    path: '/v1/keys/{id}',
    summary: 'Revoke a key',
    description: 'Ends a key at once.',
    scope: 'write',
    pathParameters: keyId,
    answers: { 204: { description: 'It is revoked.' } },
    errors: { 404: noSuchKey, 409: 'It is the last key that may write.' },
    clientCall: 'await platen.revokeKey(2)',
  },
  ({ organizations }: KeyParts) =>
    async ({ parameter }, { holder }) => {
      const id = parseId(parameter);
      const isRevoked =
        id !== undefined &&
        (await whenFree(() => organizations.revokeKey(holder.uid, id, { keepsWriter: true })));
      if (!isRevoked) throw noKey();
      return emptyReply(204);
    },
);

/** Throws FORBIDDEN for scopes that the key lacks: a leaked key must not lead to a key with more scopes. */
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

export const keyEndpoints = [listKeys, createKey, rotateKey, revokeKey];

const OrganizationAnswer = Type.Object(
  {
    valid: Type.Literal(true),
    organization: Type.Object({ uid: Type.String(), name: Type.String() }),
  },
  { $id: 'OrganizationAnswer' },
);

const InvalidKeyAnswer = Type.Object(
  { valid: Type.Literal(false), error: Type.String() },
  { $id: 'InvalidKeyAnswer' },
);

/** Declares no scope, because any valid key is enough and its 401 has a special body. */
export const validateOrganization = endpoint(
  {
    tag: 'Templates',
    errorShape: 'organization',
    id: 'validateOrganization',
    route: 'validate-organization',
    method: 'get',
    path: '/v1/validate-organization',
    isUnshared: true,
    summary: 'Validate a key',
    description: 'Whose the key is. Any valid key will do, whatever its scopes.',
    headers: {
      'X-API-Key': {
        description: 'The key.',
        required: true,
        schema: { type: 'string' },
        example: 'pk_live_…',
      },
    },
    answers: {
      200: jsonAnswer('The key is valid.', OrganizationAnswer, {
        valid: true,
        organization: { uid: 'org_demo', name: 'demo' },
      }),
      401: jsonAnswer('The key is absent or not valid.', InvalidKeyAnswer, {
        valid: false,
        error: 'Invalid API key',
      }),
    },
    errors: { 429: 'Too many wrong keys from this address; this body has no `valid`.' },
    clientCall: 'const { organization } = await platen.validateOrganization()',
  },
  ({ organizations }: { organizations: KeyHolders<{ uid: string; name: string }> }) =>
    ({ apiKey }) => {
      const organization = organizations.findByKey(apiKey);
      if (organization === undefined) {
        return { ...jsonReply(401, { valid: false, error: 'Invalid API key' }), cause: 'key' };
      }
      const { uid, name } = organization;
      return jsonReply(200, { valid: true, organization: { uid, name } });
    },
);
