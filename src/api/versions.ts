/** `POST /v1/templates/{uid}/publish` and `GET …/versions`: the published versions of a template. */
import { Type } from 'typebox';
import type { Template } from '#language/schema/template.ts';
import { AppError } from '../foundation/errors.ts';
import { jsonReply } from '../http/reply.ts';
import { createPublisher } from '../publish/publisher.ts';
import type { PublisherOptions } from '../publish/publisher.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { jsonAnswer, jsonBody, pageQuery, uidParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { noTemplate, parseIfMatch, requireTemplate } from './request/organization-template.ts';
import { accessWarnings } from './templates/access.ts';
import {
  Cid,
  cidExample,
  closed,
  ifMatch,
  lostRace,
  noTemplateHere,
  pageProperties,
  Timestamp,
  Version,
  warnsOfAccess,
} from './shared-schemas.ts';

/** Versions of a page: the upper bound and the default. */
const pageVersionsMax = 100;

const PublishRequest = Type.Object(
  {
    note: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'what is new, for people',
      }),
    ),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'the number of an older version to publish again; absent: the draft',
      }),
    ),
  },
  { ...closed, $id: 'PublishRequest' },
);

const Published = Type.Object(
  { version: Version, cid: Cid, ...warnsOfAccess },
  { ...closed, $id: 'Published' },
);

const VersionList = Type.Object(
  {
    versions: Type.Array(
      Type.Object(
        { version: Version, cid: Cid, published_at: Timestamp, note: Type.String() },
        closed,
      ),
    ),
    total: Type.Integer({ minimum: 0 }),
    ...pageProperties,
  },
  { ...closed, $id: 'VersionList' },
);

const shared = { tag: 'Templates', errorShape: 'organization' } as const;

const publishTemplate = endpoint(
  {
    ...shared,
    id: 'publishTemplate',
    route: 'publish-template',
    method: 'post',
    path: '/v1/templates/{uid}/publish',
    summary: 'Publish',
    description:
      'Makes the draft the next version: 1, 2, 3 …. With `version`, that older version’s document becomes the next one: a way back. Links follow at once. The access to links stays as it is: `warnings` names what the document says otherwise.',
    scope: 'write',
    embed: 'publish',
    pathParameters: { uid: uidParameter },
    headers: ifMatch,
    body: jsonBody(
      'A note for people, or the version to go back to.',
      PublishRequest,
      { note: 'Larger name' },
      false,
    ),
    answers: { 200: jsonAnswer('The new version.', Published, { version: 2, cid: cidExample }) },
    errors: {
      400: 'The body is not valid, or the default image cannot be drawn.',
      404: 'No such template or version.',
      409: 'The draft was changed while it was being published.',
      412: lostRace,
      503: 'The service is too busy to draw the default image: nothing is published. `Retry-After` says when to retry.',
    },
    clientCall:
      "const { version } = await platen.publishTemplate('hello', { note: 'Larger name' })",
  },
  (parts: PublisherOptions) => {
    const publisher = createPublisher(parts);
    return async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, parts.templates);
      const options = { ifMatch: parseIfMatch(exchange) };
      const { note, version } = await readBody();
      const published = await publisher.publish(
        holder.uid,
        uid,
        { note, version, ...options },
        exchange.deadline,
      );
      if (published === undefined) throw version === undefined ? noTemplate() : noVersion();
      const stored = parts.templates.findDocument(holder.uid, uid, published.version);
      const document = JSON.parse(stored?.documentJson ?? '{}') as Template;
      const access = parts.templates.findAccess(holder.uid, uid);
      return jsonReply(200, { ...published, ...accessWarnings(uid, document, access) });
    };
  },
);

const listTemplateVersions = endpoint(
  {
    ...shared,
    id: 'listTemplateVersions',
    route: 'template-versions',
    method: 'get',
    path: '/v1/templates/{uid}/versions',
    summary: 'List versions',
    description: 'Published versions, newest first; 100 a page unless asked for fewer.',
    scope: 'read',
    embed: 'edit',
    pathParameters: { uid: uidParameter },
    query: {
      limit: {
        description: pageQuery.limit.description,
        schema: { type: 'integer', minimum: 1, default: pageVersionsMax },
      },
      offset: pageQuery.offset,
    },
    answers: {
      200: jsonAnswer('The versions.', VersionList, {
        versions: [
          { version: 1, cid: cidExample, published_at: '2026-01-31T09:00:00.000Z', note: '' },
        ],
        total: 1,
        limit: 100,
        offset: 0,
      }),
    },
    errors: { 400: '`limit` or `offset` is no whole number.', 404: noTemplateHere },
    clientCall: "const { versions } = await platen.listTemplateVersions('hello')",
  },
  ({ templates }: { templates: Pick<TemplateStore, 'hasTemplate' | 'listVersions'> }) =>
    (exchange, { holder, readQuery }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const { limit: wanted, offset } = readQuery();
      const limit = Math.min(wanted, pageVersionsMax);
      const page = templates.listVersions(holder.uid, uid, limit, offset);
      if (page === undefined) throw noTemplate();
      return jsonReply(200, { ...page, limit, offset });
    },
);

export const versionEndpoints = [publishTemplate, listTemplateVersions];

export function noVersion(): AppError {
  return new AppError('NOT_FOUND', 'Version not found', { reason: 'version' });
}
