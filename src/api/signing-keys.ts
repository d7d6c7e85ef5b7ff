/** `/v1/templates/{uid}/signing-keys`: the keys that links of a template are signed with. */
import { Type } from 'typebox';
import { AppError } from '../foundation/errors.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import { whenFree } from '../store/database/store-error.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { jsonAnswer, pathParameter, uidParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { parseId } from './request/input.ts';
import { noTemplate, requireTemplate } from './request/organization-template.ts';
import { closed, noTemplateHere, Timestamp } from './shared-schemas.ts';

/** Services that the endpoints need. */
export interface SigningKeyParts {
  organizations: OrganizationStore;
  templates: Pick<TemplateStore, 'hasTemplate'>;
}

const keyProperties = {
  id: Type.Integer({ minimum: 1 }),
  prefix: Type.String({ description: 'the first characters of the key, to recognise it by' }),
  created_at: Timestamp,
};

const SigningKey = Type.Object(keyProperties, { ...closed, $id: 'SigningKey' });

const NewSigningKey = Type.Object(
  { ...keyProperties, key: Type.String({ description: 'the key itself, shown this once' }) },
  { ...closed, $id: 'NewSigningKey' },
);

const SigningKeyList = Type.Object(
  { signing_keys: Type.Array(SigningKey, { maxItems: 2 }) },
  { ...closed, $id: 'SigningKeyList' },
);

const keyExample = { id: 1, prefix: 'sk_4mNzA', created_at: '2026-01-31T09:00:00.000Z' };

const shared = {
  tag: 'Keys',
  errorShape: 'organization',
  path: '/v1/templates/{uid}/signing-keys',
  pathParameters: { uid: uidParameter },
} as const;

const listSigningKeys = endpoint(
  {
    ...shared,
    id: 'listSigningKeys',
    route: 'signing-keys',
    method: 'get',
    summary: 'List signing keys',
    description: 'The keys that links of this template are signed with, never the keys themselves.',
    scope: 'read',
    answers: { 200: jsonAnswer('The keys.', SigningKeyList, { signing_keys: [keyExample] }) },
    errors: { 404: noTemplateHere },
    clientCall: "const { signing_keys } = await platen.listSigningKeys('hello')",
  },
  ({ organizations, templates }: SigningKeyParts) =>
    (exchange, { holder }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const keys = organizations.listSigningKeys(holder.uid, uid);
      if (keys === undefined) throw noTemplate();
      return jsonReply(200, { signing_keys: keys });
    },
);

const createSigningKey = endpoint(
  {
    ...shared,
    id: 'createSigningKey',
    route: 'signing-keys',
    method: 'post',
    summary: 'Create a signing key',
    description:
      'The answer has the key, this once. Two are valid at a time: make the new one, sign with it, delete the old one.',
    scope: 'access',
    answers: { 201: jsonAnswer('The key.', NewSigningKey, { ...keyExample, key: 'sk_…' }) },
    errors: { 404: noTemplateHere, 409: 'There are two already.' },
    clientCall: "const { key } = await platen.createSigningKey('hello')",
  },
  ({ organizations, templates }: SigningKeyParts) =>
    async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates);
      await readBody();
      const key = await whenFree(() => organizations.createSigningKey(holder.uid, uid));
      if (key === undefined) throw noTemplate();
      return jsonReply(201, key);
    },
);

const deleteSigningKey = endpoint(
  {
    ...shared,
    id: 'deleteSigningKey',
    route: 'remove-signing-key',
    method: 'delete',
    path: '/v1/templates/{uid}/signing-keys/{id}',
    summary: 'Delete a signing key',
    description: 'Links that were signed with it answer 401 from now on.',
    scope: 'access',
    pathParameters: { uid: uidParameter, id: pathParameter('Id of the signing key.', '1') },
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: 'No such template, or no such key of it.' },
    clientCall: "await platen.deleteSigningKey('hello', 1)",
  },
  ({ organizations, templates }: SigningKeyParts) =>
    async (exchange, { holder }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const id = parseId(exchange.parameters[1] ?? '');
      const isRemoved =
        id !== undefined &&
        (await whenFree(() => organizations.removeSigningKey(holder.uid, uid, id)));
      if (!isRemoved) {
        throw new AppError('NOT_FOUND', 'Signing key not found', { reason: 'key-id' });
      }
      return emptyReply(204);
    },
);

export const signingKeyEndpoints = [listSigningKeys, createSigningKey, deleteSigningKey];
