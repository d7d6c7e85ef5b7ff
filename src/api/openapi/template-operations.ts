/** The description of templates: lists and drafts. */
import { uidSchemaPattern } from '#language/uid.ts';
import type { Operation } from './operation.ts';
import { json, jsonAnswer, pageParameters, ref, uidParameter } from './operation.ts';
import { cid, ifMatch, lostRace, noTemplate, versionOperations } from './version-operations.ts';

const summary = {
  uid: 'hello',
  name: 'Hello',
  type: 'image',
  created_at: '2026-01-31T09:00:00.000Z',
  updated_at: '2026-01-31T09:00:00.000Z',
  version: 1,
};

const draft = { uid: 'hello', cid, version: 1 };

const badDocument = 'The body is no valid template: `details` has each problem.';

const documentBody = {
  description: 'A template document, at most 256 KiB without white space.',
  required: true,
  content: json(ref('TemplateDocument'), {
    format: 1,
    name: 'Hello',
    width: 400,
    height: 200,
    background: '#fff4e3',
    variables: [{ name: 'name', type: 'text', value: 'world' }],
    layers: [
      {
        type: 'text',
        id: 'greeting',
        x: 20,
        y: 60,
        width: 360,
        height: 80,
        text: 'Hello, {{name}}!',
        align: 'center',
        fontSize: 40,
      },
    ],
  }),
};

const draftHeaders = {
  ETag: { description: 'The `cid` in quotes, for `If-Match`.', schema: { type: 'string' } },
};

/** What the endpoints of templates have in common. */
const shared = { tag: 'Templates', errorShape: 'organization' } as const;

const lists: readonly Operation[] = [
  {
    ...shared,
    id: 'validateOrganization',
    method: 'get',
    path: '/v1/validate-organization',
    summary: 'Validate a key',
    description: 'Whose the key is. Any valid key will do, whatever its scopes.',
    parameters: [
      {
        name: 'X-API-Key',
        in: 'header',
        description: 'The key.',
        required: true,
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: jsonAnswer('The key is valid.', ref('OrganizationAnswer'), {
        valid: true,
        organization: { uid: 'org_demo', name: 'demo' },
      }),
      401: jsonAnswer('The key is absent or not valid.', ref('InvalidKeyAnswer')),
    },
    errors: { 429: 'Too many wrong keys from this address; this body has no `valid`.' },
    clientCall: 'const { organization } = await platen.validateOrganization()',
  },
  {
    ...shared,
    id: 'listTemplates',
    method: 'get',
    path: '/v1/templates',
    summary: 'List templates',
    description:
      'A page of the organization’s templates, newest first. `version` is null for a draft that was never published. A list is read to its end by adding `limit` to `offset` until a page is not full; past the end the answer is 404 `No templates found`. The client’s `eachTemplate()` does that.',
    scope: 'read',
    parameters: [
      ...pageParameters,
      {
        name: 'archived',
        in: 'query',
        description: 'True: archived templates, in place of those in use.',
        schema: { type: 'boolean', default: false },
      },
      {
        name: 'published',
        in: 'query',
        description:
          'True: only templates that have a published version; false: only those that have none.',
        schema: { type: 'boolean' },
      },
    ],
    answers: {
      200: jsonAnswer('A page of templates.', ref('TemplatePage'), {
        templates: [summary],
        total: 1,
        limit: 20,
        offset: 0,
      }),
    },
    errors: {
      400: '`limit` or `offset` is no whole number.',
      404: 'There is none to return: none at all, or the offset is past the end of the list.',
    },
    clientCall: 'const { templates, total } = await platen.listTemplates({ limit: 20 })',
  },
  {
    ...shared,
    id: 'getTemplate',
    method: 'get',
    path: '/v1/templates/{uid}',
    summary: 'Get a template',
    description: 'A template in full, with the variables of its published version.',
    scope: 'read',
    parameters: [uidParameter],
    answers: {
      200: jsonAnswer('The template.', ref('TemplateDetails'), {
        cid,
        published_cid: cid,
        ...summary,
        published_variables: [
          { id: 'var_0f8a2c31d94e', name: 'name', type: 'text', value: 'world' },
        ],
        width: 400,
        height: 200,
        quarantine: null,
      }),
    },
    errors: { 404: noTemplate },
    clientCall: "const template = await platen.getTemplate('hello')",
  },
];

const drafts: readonly Operation[] = [
  {
    ...shared,
    id: 'createTemplate',
    method: 'post',
    path: '/v1/templates',
    summary: 'Create a template',
    description: 'Saves a document as a new draft. Its links work once it is published.',
    scope: 'write',
    parameters: [
      {
        name: 'uid',
        in: 'query',
        description: 'Uid of your choice; absent: a random one.',
        schema: { type: 'string', pattern: uidSchemaPattern },
        example: 'my-hello',
      },
    ],
    body: documentBody,
    answers: {
      201: {
        ...jsonAnswer('The draft.', ref('Draft'), { ...draft, uid: 'my-hello', version: null }),
        headers: {
          ...draftHeaders,
          Location: { description: 'Address of the template.', schema: { type: 'string' } },
        },
      },
    },
    errors: { 400: badDocument, 409: 'The uid is taken.' },
    clientCall: "const { cid } = await platen.createTemplate(document, { uid: 'my-hello' })",
  },
  {
    ...shared,
    id: 'updateTemplate',
    method: 'put',
    path: '/v1/templates/{uid}',
    summary: 'Save the draft',
    description: 'Replaces the draft. What is published stays as it is.',
    scope: 'write',
    parameters: [uidParameter, ifMatch],
    body: documentBody,
    answers: {
      200: { ...jsonAnswer('The draft.', ref('Draft'), draft), headers: draftHeaders },
    },
    errors: { 400: badDocument, 404: noTemplate, 412: lostRace },
    clientCall: "await platen.updateTemplate('hello', document, { cid })",
  },
  {
    ...shared,
    id: 'getTemplateDocument',
    method: 'get',
    path: '/v1/templates/{uid}/document',
    summary: 'Get a document',
    description: 'The document of the draft, or of a published version.',
    scope: 'read',
    parameters: [
      uidParameter,
      {
        name: 'version',
        in: 'query',
        description: 'A published version; absent: the draft.',
        schema: { type: 'integer', minimum: 1 },
      },
    ],
    answers: {
      200: { ...jsonAnswer('The document.', ref('TemplateDocument')), headers: draftHeaders },
    },
    errors: { 400: '`version` is no whole number.', 404: 'No such template or version.' },
    clientCall: "const document = await platen.getTemplateDocument('hello', { version: 1 })",
  },
  {
    ...shared,
    id: 'duplicateTemplate',
    method: 'post',
    path: '/v1/templates/{uid}/duplicate',
    summary: 'Duplicate a template',
    description: 'Copies the draft into a new template, which is not published.',
    scope: 'write',
    parameters: [uidParameter],
    body: {
      description: 'Uid and name of the copy.',
      required: false,
      content: json(ref('DuplicateRequest'), { uid: 'hello-2', name: 'Hello again' }),
    },
    answers: {
      201: jsonAnswer('The copy.', ref('Draft'), { ...draft, uid: 'hello-2', version: null }),
    },
    errors: { 400: 'The body is not valid.', 404: noTemplate, 409: 'The uid is taken.' },
    clientCall: "await platen.duplicateTemplate('hello', { uid: 'hello-2' })",
  },
  {
    ...shared,
    id: 'archiveTemplate',
    method: 'delete',
    path: '/v1/templates/{uid}',
    summary: 'Archive a template',
    description: 'Its links answer 404 from now on. It can be restored.',
    scope: 'write',
    parameters: [uidParameter, ifMatch],
    answers: { 204: { description: 'It is archived.' } },
    errors: { 404: noTemplate, 412: lostRace },
    clientCall: "await platen.archiveTemplate('hello')",
  },
  {
    ...shared,
    id: 'restoreTemplate',
    method: 'post',
    path: '/v1/templates/{uid}/restore',
    summary: 'Restore a template',
    description: 'Brings an archived template back, its links too.',
    scope: 'write',
    parameters: [uidParameter, ifMatch],
    answers: { 200: jsonAnswer('The template.', ref('Draft'), draft) },
    errors: { 404: noTemplate, 412: lostRace },
    clientCall: "await platen.restoreTemplate('hello')",
  },
  {
    ...shared,
    id: 'releaseTemplate',
    method: 'post',
    path: '/v1/templates/{uid}/release',
    summary: 'Release a template',
    description:
      'Renders a template again that is in quarantine. A version is quarantined when two of its renders within an hour ended their process: its links answer 503 QUARANTINED or the fallback image.',
    scope: 'write',
    parameters: [uidParameter],
    answers: { 204: { description: 'It is rendered again.' } },
    errors: { 404: noTemplate },
    clientCall: "await platen.releaseTemplate('hello')",
  },
];

/** Templates, in the order of their life. */
export const templateOperations: readonly Operation[] = [...lists, ...drafts, ...versionOperations];
