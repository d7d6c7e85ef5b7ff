/** `/v1/templates/{uid}/access`: who may open the links of a template, what they may choose, and where they lead. */
import { Type } from 'typebox';
import { ignoredAccess, sortedOptions } from '#language/access.ts';
import { AtZero, LinkAuth, LinkOptions } from '#language/schema/access.ts';
import type { Access } from '#language/schema/access.ts';
import type { Template } from '#language/schema/template.ts';
import { jsonReply } from '../../http/reply.ts';
import type { Reply } from '../../http/reply.ts';
import { whenFree } from '../../store/database/store-error.ts';
import { accessTag } from '../../store/organizations/access-store.ts';
import type { TemplateStore } from '../../store/template-store.ts';
import { jsonAnswer, jsonBody, uidParameter } from '../declaration.ts';
import { endpoint } from '../endpoint.ts';
import {
  documentETag,
  noTemplate,
  parseIfMatch,
  requireTemplate,
} from '../request/organization-template.ts';
import { closed, noTemplateHere } from '../shared-schemas.ts';
import type { AccessWarning } from '../shared-schemas.ts';

/** Services that the endpoints need. */
export interface AccessParts {
  templates: Pick<TemplateStore, 'findAccess' | 'hasTemplate' | 'setAccess'>;
}

export const TemplateAccess = Type.Object(
  { linkAuth: LinkAuth, linkOptions: LinkOptions, atZero: AtZero },
  { ...closed, $id: 'TemplateAccess' },
);

const headers = {
  ETag: { description: 'For `If-Match` of the next change.', schema: { type: 'string' } },
};

export const accessExample: Access = {
  linkAuth: 'open',
  linkOptions: ['format', 'scale', 'size'],
  atZero: 'stay',
};

const shared = {
  tag: 'Templates',
  errorShape: 'organization',
  route: 'template-access',
  path: '/v1/templates/{uid}/access',
  scope: 'access',
  pathParameters: { uid: uidParameter },
} as const;

const getAccess = endpoint(
  {
    ...shared,
    id: 'getAccess',
    method: 'get',
    summary: 'Get the access',
    description:
      'Who may open the links of a template, the options that links may use, and the template that they show after a countdown. It is the same for all versions.',
    answers: { 200: { ...jsonAnswer('The access.', TemplateAccess, accessExample), headers } },
    errors: { 404: noTemplateHere },
    clientCall:
      "const access = await platen.request('GET /v1/templates/{uid}/access', { path: { uid: 'hello' } })",
  },
  ({ templates }: AccessParts) =>
    (exchange, { holder }) => {
      const uid = requireTemplate(exchange, holder, templates);
      return accessReply(templates.findAccess(holder.uid, uid));
    },
);

const putAccess = endpoint(
  {
    ...shared,
    id: 'putAccess',
    method: 'put',
    summary: 'Replace the access',
    description:
      'Replaces all of it. Links follow at once, those with `_version` too. Neither the draft nor a version changes, and no publication changes the access.',
    headers: {
      'If-Match': {
        description:
          'The `ETag` under which the access was read: somebody else’s change in between answers 412. Absent: the access is replaced whatever it is.',
        schema: { type: 'string' },
      },
    },
    body: jsonBody('The whole access.', TemplateAccess, accessExample),
    answers: { 200: { ...jsonAnswer('The access.', TemplateAccess, accessExample), headers } },
    errors: {
      400: 'The body is not valid.',
      404: noTemplateHere,
      412: 'The access is no longer the one that `If-Match` names.',
    },
    clientCall:
      "await platen.request('PUT /v1/templates/{uid}/access', { path: { uid: 'hello' }, body: { linkAuth: 'open', linkOptions: ['format', 'scale'], atZero: 'stay' } })",
  },
  ({ templates }: AccessParts) =>
    async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const options = { ifMatch: parseIfMatch(exchange) };
      const { linkAuth, linkOptions, atZero } = await readBody();
      // In this order, because equal accesses have equal tags.
      const access: Access = { linkAuth, linkOptions: sortedOptions(linkOptions), atZero };
      return accessReply(
        await whenFree(() => templates.setAccess(holder.uid, uid, access, options)),
      );
    },
);

export const accessEndpoints = [getAccess, putAccess];

function accessReply(access: Access | undefined): Reply {
  if (access === undefined) throw noTemplate();
  return jsonReply(200, access, { ETag: documentETag(accessTag(access)) });
}

/** The warnings for properties of a document that have no effect; empty without any. */
export function accessWarnings(
  uid: string,
  document: Template,
  access: Access | undefined,
): { warnings?: AccessWarning[] } {
  const ignored = access === undefined ? [] : ignoredAccess(uid, document, access);
  if (ignored.length === 0) return {};
  return { warnings: ignored.map((each) => ({ code: 'ACCESS_IGNORED', ...each })) };
}
