/** The description of API keys and signing keys. */
import type { Operation } from './operation.ts';
import { idParameter, json, jsonAnswer, ref, uidParameter } from './operation.ts';

const created = '2026-01-31T09:00:00.000Z';

const key = {
  id: 2,
  name: 'newsletter',
  prefix: 'plk_7Q2x',
  scopes: ['read'],
  created_at: created,
  last_used_at: null,
  revoked_at: null,
};
const newKey = { ...key, key: 'plk_…' };

const signingKey = { id: 1, prefix: 'pls_4mNz', created_at: created };

const shared = { tag: 'Keys', errorShape: 'organization' } as const;

const keyId = idParameter('Id of the key.', '2');

const apiKeys: readonly Operation[] = [
  {
    ...shared,
    id: 'listKeys',
    method: 'get',
    path: '/v1/keys',
    summary: 'List keys',
    description: 'The organization’s keys, never the keys themselves.',
    scope: 'read',
    answers: { 200: jsonAnswer('The keys.', ref('ApiKeyList'), { keys: [key] }) },
    clientCall: 'const { keys } = await platen.listKeys()',
  },
  {
    ...shared,
    id: 'createKey',
    method: 'post',
    path: '/v1/keys',
    summary: 'Create a key',
    description:
      'The answer contains the key, only once. A key cannot create one with more scopes than it has.',
    scope: 'write',
    body: {
      description: 'Its name and what it may do.',
      required: true,
      content: json(ref('NewKeyRequest'), { name: 'newsletter', scopes: ['read'] }),
    },
    answers: { 201: jsonAnswer('The key.', ref('NewApiKey'), newKey) },
    errors: { 400: 'The body is not valid.', 409: 'The organization has too many keys.' },
    clientCall: "const { key } = await platen.createKey({ name: 'newsletter', scopes: ['read'] })",
  },
  {
    ...shared,
    id: 'rotateKey',
    method: 'post',
    path: '/v1/keys/{id}/rotate',
    summary: 'Rotate a key',
    description: 'Creates a key with the same name and scopes. The old key ends at once.',
    scope: 'write',
    parameters: [keyId],
    answers: { 201: jsonAnswer('The new key.', ref('NewApiKey'), newKey) },
    errors: { 404: 'No such key in the organization.' },
    clientCall: 'const { key } = await platen.rotateKey(2)',
  },
  {
    ...shared,
    id: 'revokeKey',
    method: 'delete',
    path: '/v1/keys/{id}',
    summary: 'Revoke a key',
    description: 'Ends a key at once.',
    scope: 'write',
    parameters: [keyId],
    answers: { 204: { description: 'It is revoked.' } },
    errors: {
      404: 'No such key in the organization.',
      409: 'It is the last key that may write.',
    },
    clientCall: 'await platen.revokeKey(2)',
  },
];

const signingKeys: readonly Operation[] = [
  {
    ...shared,
    id: 'listSigningKeys',
    method: 'get',
    path: '/v1/templates/{uid}/signing-keys',
    summary: 'List signing keys',
    description: 'The keys that links of this template are signed with, never the keys themselves.',
    scope: 'read',
    parameters: [uidParameter],
    answers: {
      200: jsonAnswer('The keys.', ref('SigningKeyList'), { signing_keys: [signingKey] }),
    },
    errors: { 404: 'No such template in the organization.' },
    clientCall: "const { signing_keys } = await platen.listSigningKeys('hello')",
  },
  {
    ...shared,
    id: 'createSigningKey',
    method: 'post',
    path: '/v1/templates/{uid}/signing-keys',
    summary: 'Create a signing key',
    description:
      'The answer has the key, this once. Two are valid at a time: make the new one, sign with it, delete the old one.',
    scope: 'write',
    parameters: [uidParameter],
    answers: {
      201: jsonAnswer('The key.', ref('NewSigningKey'), { ...signingKey, key: 'pls_…' }),
    },
    errors: { 404: 'No such template in the organization.', 409: 'There are two already.' },
    clientCall: "const { key } = await platen.createSigningKey('hello')",
  },
  {
    ...shared,
    id: 'deleteSigningKey',
    method: 'delete',
    path: '/v1/templates/{uid}/signing-keys/{id}',
    summary: 'Delete a signing key',
    description: 'Links that were signed with it answer 401 from now on.',
    scope: 'write',
    parameters: [uidParameter, idParameter('Id of the signing key.', '1')],
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: 'No such template, or no such key of it.' },
    clientCall: "await platen.deleteSigningKey('hello', 1)",
  },
];

/** Keys of the organization, then those of templates. */
export const keyOperations: readonly Operation[] = [...apiKeys, ...signingKeys];
