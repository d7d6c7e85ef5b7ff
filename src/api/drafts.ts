/** Drafts: `POST /v1/templates`, `PUT` and `DELETE /v1/templates/{uid}`, `…/document`, `…/duplicate`, `…/restore`. */
import type { Template } from '#language/schema/template.ts';
import { uidSchemaPattern } from '#language/uid.ts';
import type { Exchange } from '../http/exchange.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import { checkInTurns, requireValid } from '../store/template-document.ts';
import { whenFree } from '../store/database/store-error.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { json, jsonAnswer, jsonBody, uidParameter } from './declaration.ts';
import type { RequestBody } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { refuseNewCells } from './request/holder.ts';
import { badBody, readJson } from './request/input.ts';
import {
  documentETag,
  draftReply,
  noTemplate,
  parseIfMatch,
  requireTemplate,
} from './request/organization-template.ts';
import {
  cidExample,
  Draft,
  DuplicateRequest,
  ifMatch,
  lostRace,
  noTemplateHere,
  TemplateDocument,
} from './shared-schemas.ts';
import { accessWarnings } from './templates/access.ts';
import { noVersion } from './versions.ts';

/** Services that the endpoints need. */
export interface DraftParts {
  templates: TemplateStore;
}

/** A document has at most 256 KiB without white space: four times that allows any indentation. */
const documentBodyBytesMax = 1024 * 1024;

const draftExample = { uid: 'hello', cid: cidExample, version: 1 };

const badDocument = 'The body is no valid template: `details` has each problem.';

export const documentBody: RequestBody = {
  description: 'A template document, at most 256 KiB without white space.',
  required: true,
  content: json(TemplateDocument, {
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

const shared = { tag: 'Templates', errorShape: 'organization' } as const;

const createTemplate = endpoint(
  {
    ...shared,
    id: 'createTemplate',
    route: 'create-template',
    method: 'post',
    path: '/v1/templates',
    summary: 'Create a template',
    description:
      'Saves a document as a new draft. Its links work once it is published. The template takes its access from the document.',
    scope: 'write',
    query: {
      uid: {
        description: 'Uid of your choice; absent: a random one.',
        schema: { type: 'string', pattern: uidSchemaPattern },
        example: 'my-hello',
      },
    },
    body: documentBody,
    bodyBytesMax: documentBodyBytesMax,
    answers: {
      201: {
        ...jsonAnswer('The draft.', Draft, { ...draftExample, uid: 'my-hello', version: null }),
        headers: {
          ...draftHeaders,
          Location: { description: 'Address of the template.', schema: { type: 'string' } },
        },
      },
    },
    errors: { 400: badDocument, 409: 'The uid is taken.' },
    clientCall: "const { cid } = await platen.createTemplate(document, { uid: 'my-hello' })",
  },
  ({ templates }: DraftParts) =>
    async (exchange, { holder, readQuery }) => {
      const { uid } = readQuery();
      const [document, text] = await readDocument(exchange, holder.uid);
      const draft = await whenFree(() => templates.createDraft(holder.uid, uid, document, text));
      return draftReply(201, draft);
    },
);

const updateTemplate = endpoint(
  {
    ...shared,
    id: 'updateTemplate',
    route: 'save-template',
    method: 'put',
    path: '/v1/templates/{uid}',
    summary: 'Save the draft',
    description:
      'Replaces the draft. What is published stays as it is, and so does the access to links: `warnings` names what the document says otherwise.',
    scope: 'write',
    embed: 'edit',
    pathParameters: { uid: uidParameter },
    headers: ifMatch,
    body: documentBody,
    bodyBytesMax: documentBodyBytesMax,
    answers: {
      200: { ...jsonAnswer('The draft.', Draft, draftExample), headers: draftHeaders },
    },
    errors: { 400: badDocument, 404: noTemplateHere, 412: lostRace },
    clientCall: "await platen.updateTemplate('hello', document, { cid })",
  },
  ({ templates }: DraftParts) =>
    async (exchange, { holder }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const options = { ifMatch: parseIfMatch(exchange) };
      const [document, text] = await readDocument(exchange, holder.uid);
      refuseNewCells(holder, document, templates);
      const draft = await whenFree(() =>
        templates.updateDraft(holder.uid, uid, document, text, options),
      );
      return draftReply(
        200,
        draft,
        accessWarnings(uid, document, templates.findAccess(holder.uid, uid)),
      );
    },
);

const getTemplateDocument = endpoint(
  {
    ...shared,
    id: 'getTemplateDocument',
    route: 'template-document',
    method: 'get',
    path: '/v1/templates/{uid}/document',
    summary: 'Get a document',
    description: 'The document of the draft, or of a published version.',
    scope: 'read',
    embed: 'edit',
    pathParameters: { uid: uidParameter },
    query: {
      version: {
        description: 'A published version; absent: the draft.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
    answers: {
      200: {
        description: 'The document.',
        content: documentBody.content,
        headers: draftHeaders,
      },
    },
    errors: { 400: '`version` is no whole number.', 404: 'No such template or version.' },
    clientCall: "const document = await platen.getTemplateDocument('hello', { version: 1 })",
  },
  ({ templates }: DraftParts) =>
    (exchange, { holder, readQuery }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const stored = templates.findDocument(holder.uid, uid, readQuery().version);
      if (stored === undefined) throw noVersion();
      // Sends the stored text, so that the content id matches the body.
      const reply = jsonReply(200, undefined, { ETag: documentETag(stored.cid) });
      return { ...reply, body: stored.documentJson };
    },
);

const duplicateTemplate = endpoint(
  {
    ...shared,
    id: 'duplicateTemplate',
    route: 'duplicate-template',
    method: 'post',
    path: '/v1/templates/{uid}/duplicate',
    summary: 'Duplicate a template',
    description: 'Copies the draft and the access into a new template, which is not published.',
    scope: 'write',
    pathParameters: { uid: uidParameter },
    body: jsonBody(
      'Uid and name of the copy.',
      DuplicateRequest,
      { uid: 'hello-2', name: 'Hello again' },
      false,
    ),
    answers: {
      201: jsonAnswer('The copy.', Draft, { ...draftExample, uid: 'hello-2', version: null }),
    },
    errors: { 400: 'The body is not valid.', 404: noTemplateHere, 409: 'The uid is taken.' },
    clientCall: "await platen.duplicateTemplate('hello', { uid: 'hello-2' })",
  },
  ({ templates }: DraftParts) =>
    async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const copy = await readBody();
      const draft = templates.findDocument(holder.uid, uid);
      if (draft === undefined) throw noTemplate();
      await requireValid(draft, holder.uid);
      return draftReply(201, await whenFree(() => templates.duplicate(holder.uid, uid, copy)));
    },
);

const archiveTemplate = endpoint(
  {
    ...shared,
    id: 'archiveTemplate',
    route: 'save-template',
    method: 'delete',
    path: '/v1/templates/{uid}',
    summary: 'Archive a template',
    description: 'Its links answer 404 from now on. It can be restored.',
    scope: 'write',
    pathParameters: { uid: uidParameter },
    headers: ifMatch,
    answers: { 204: { description: 'It is archived.' } },
    errors: { 404: noTemplateHere, 412: lostRace },
    clientCall: "await platen.archiveTemplate('hello')",
  },
  ({ templates }: DraftParts) =>
    async (exchange, { holder }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const options = { ifMatch: parseIfMatch(exchange) };
      const isArchived = await whenFree(() => templates.archive(holder.uid, uid, options));
      if (!isArchived) throw noTemplate();
      return emptyReply(204);
    },
);

/** Restoring a template that is not archived changes nothing. */
const restoreTemplate = endpoint(
  {
    ...shared,
    id: 'restoreTemplate',
    route: 'restore-template',
    method: 'post',
    path: '/v1/templates/{uid}/restore',
    summary: 'Restore a template',
    description: 'Brings an archived template back, its links too.',
    scope: 'write',
    pathParameters: { uid: uidParameter },
    headers: ifMatch,
    answers: { 200: jsonAnswer('The template.', Draft, draftExample) },
    errors: { 404: noTemplateHere, 412: lostRace },
    clientCall: "await platen.restoreTemplate('hello')",
  },
  ({ templates }: DraftParts) =>
    async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates, { orArchived: true });
      const options = { ifMatch: parseIfMatch(exchange) };
      await readBody();
      return draftReply(200, await whenFree(() => templates.restore(holder.uid, uid, options)));
    },
);

export const draftEndpoints = [
  createTemplate,
  updateTemplate,
  getTemplateDocument,
  duplicateTemplate,
  archiveTemplate,
  restoreTemplate,
];

/** Reads the document of a body, and its text without white space for the store. Throws BAD_REQUEST. */
async function readDocument(
  exchange: Exchange,
  organizationUid: string,
): Promise<[document: Template, text: string]> {
  const checked = await checkInTurns(await readJson(exchange), organizationUid);
  if (!checked.ok) throw badBody(checked.problems, 'template document');
  return [checked.template, JSON.stringify(checked.template)];
}
