/** `GET /v1/templates`, `GET /v1/templates/{uid}` and `POST …/release`: the organization's templates. */
import { Type } from 'typebox';
import { Variable } from '#language/schema/template.ts';
import { AppError } from '../../foundation/errors.ts';
import { emptyReply, jsonReply } from '../../http/reply.ts';
import type { Quarantine } from '../../scheduling/quarantine.ts';
import { pageTemplatesMax } from '../../store/template-store.ts';
import type { TemplateStore } from '../../store/template-store.ts';
import { jsonAnswer, pageQuery, uidParameter } from '../declaration.ts';
import { endpoint } from '../endpoint.ts';
import type { PublicUrl } from '../request/public-url.ts';
import { noTemplate, requireTemplate } from '../request/organization-template.ts';
import { cidExample, noTemplateHere, pageProperties, Timestamp } from '../shared-schemas.ts';
import { accessExample, TemplateAccess } from './access.ts';
import { labelLimits } from './labels.ts';
import { withPreviewUrls } from '../variable-image.ts';

const summaryProperties = {
  uid: Type.String({ description: 'stands in the links of the template' }),
  name: Type.String(),
  type: Type.Literal('image'),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description:
      'the published version; null for a draft that was never published, whose links answer 404',
  }),
  state: Type.Union([Type.Literal('draft'), Type.Literal('live'), Type.Literal('changed')], {
    description:
      '`draft`: never published; `live`: links show the draft; `changed`: the draft is another than the published version',
  }),
  folder: Type.String({ description: 'empty: in no folder' }),
  tags: Type.Array(Type.String()),
};

const TemplateSummary = Type.Object(summaryProperties, { $id: 'TemplateSummary' });

const TemplatePage = Type.Object(
  {
    templates: Type.Array(TemplateSummary, { maxItems: 100, description: 'newest first' }),
    total: Type.Integer({ minimum: 0, description: 'all of them, not only those of this page' }),
    ...pageProperties,
  },
  { $id: 'TemplatePage' },
);

const TemplateDetails = Type.Object(
  {
    cid: Type.String({ description: 'the content id of the draft, which `If-Match` takes' }),
    published_cid: Type.Union([Type.String(), Type.Null()], {
      description:
        'the content id of the published version: another than `cid` when a newer or older draft waits; null as long as there is none',
    }),
    ...summaryProperties,
    published_variables: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        type: Variable.properties.type,
        value: Type.String({ description: 'the default' }),
        preview_url: Type.Optional(
          Type.Union([Type.String(), Type.Null()], {
            description:
              'of an image alone: an address of the default that opens without a key, as long as this version is published; null where it has none',
          }),
        ),
      }),
      {
        description:
          'those of the published version that a link may give, so none with `from`; empty before the first',
      },
    ),
    width: Type.Integer({ minimum: 1, description: 'design pixels' }),
    height: Type.Integer({ minimum: 1, description: 'design pixels' }),
    sizes: Type.Array(
      Type.Object({
        name: Type.String({ description: 'as it stands in `_size` of a link' }),
        width: Type.Integer({ minimum: 1, description: 'design pixels' }),
        height: Type.Integer({ minimum: 1, description: 'design pixels' }),
      }),
      { description: 'further canvases of the design; empty for a template without any' },
    ),
    access: TemplateAccess,
    quarantine: Type.Union(
      [
        Type.Object({
          version: Type.Integer({ minimum: 1, description: 'the published version' }),
          since: Timestamp,
          reason: Type.String({
            description: 'how the last render was lost: `cpu stalled memory killed crash exit`',
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'set while the published version is not rendered, because two of its renders ended their process; a new version or `POST …/release` ends it',
      },
    ),
  },
  { $id: 'TemplateDetails' },
);

const summaryExample = {
  uid: 'hello',
  name: 'Hello',
  type: 'image',
  created_at: '2026-01-31T09:00:00.000Z',
  updated_at: '2026-01-31T09:00:00.000Z',
  version: 1,
  state: 'live',
  folder: '',
  tags: [],
};

const shared = { tag: 'Templates', errorShape: 'organization' } as const;

export const listTemplates = endpoint(
  {
    ...shared,
    id: 'listTemplates',
    route: 'list-templates',
    method: 'get',
    path: '/v1/templates',
    summary: 'List templates',
    description:
      'A page of the organization’s templates, newest first. `version` is null for a draft that was never published. A list is read to its end by adding `limit` to `offset` until a page is not full; past the end the answer is 404 `No templates found`. The client’s `eachTemplate()` does that.',
    scope: 'read',
    query: {
      ...pageQuery,
      archived: {
        description: 'True: archived templates, in place of those in use.',
        schema: { type: 'boolean', default: false },
      },
      published: {
        description:
          'True: only templates that have a published version; false: only those that have none.',
        schema: { type: 'boolean' },
      },
      folder: {
        description: 'Only templates in this folder.',
        schema: { type: 'string', maxLength: labelLimits.folderLength },
      },
      tag: {
        description: 'Only templates with this tag.',
        schema: { type: 'string', maxLength: labelLimits.tagLength },
      },
    },
    answers: {
      200: jsonAnswer('A page of templates.', TemplatePage, {
        templates: [summaryExample],
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
  ({ templates }: { templates: Pick<TemplateStore, 'listTemplates'> }) =>
    (_, { holder, readQuery }) => {
      const { limit: wanted, offset, archived, published, folder, tag } = readQuery();
      const limit = Math.min(wanted, pageTemplatesMax);
      const filter = { archived, published, folder, tag };
      const page = templates.listTemplates(holder.uid, limit, offset, filter);
      if (page.templates.length === 0) {
        throw new AppError('NOT_FOUND', 'No templates found', { reason: 'empty' });
      }
      return jsonReply(200, { ...page, limit, offset });
    },
);

/** Services that `getTemplate` needs. */
export interface TemplateDetailsParts {
  templates: Pick<TemplateStore, 'findAccess' | 'findDetails' | 'findPublished' | 'hasTemplate'>;
  pool: { quarantine: Pick<Quarantine, 'find'> };
  publicUrl: PublicUrl;
}

export const getTemplate = endpoint(
  {
    ...shared,
    id: 'getTemplate',
    route: 'get-template',
    method: 'get',
    path: '/v1/templates/{uid}',
    summary: 'Get a template',
    description: 'A template in full, with the variables of its published version and its access.',
    scope: 'read',
    embed: 'edit',
    pathParameters: { uid: uidParameter },
    answers: {
      200: jsonAnswer('The template.', TemplateDetails, {
        cid: cidExample,
        published_cid: cidExample,
        ...summaryExample,
        published_variables: [
          { id: 'var_0f8a2c31d94e', name: 'name', type: 'text', value: 'world' },
        ],
        width: 400,
        height: 200,
        sizes: [],
        access: accessExample,
        quarantine: null,
      }),
    },
    errors: { 404: noTemplateHere },
    clientCall: "const template = await platen.getTemplate('hello')",
  },
  ({ templates, pool, publicUrl }: TemplateDetailsParts) =>
    (exchange, { holder }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const details = templates.findDetails(holder.uid, uid);
      const access = templates.findAccess(holder.uid, uid);
      if (details === undefined || access === undefined) throw noTemplate();
      const published = templates.findPublished(uid);
      const state = published && pool.quarantine.find(published.templateKey);
      return jsonReply(200, {
        ...details,
        published_variables: withPreviewUrls(details.published_variables, uid, publicUrl(exchange)),
        access,
        quarantine: state === undefined ? null : { version: published?.version, ...state },
      });
    },
);

/** Services that `releaseTemplate` needs. */
interface ReleaseParts {
  templates: Pick<TemplateStore, 'hasTemplate'>;
  pool: { quarantine: Pick<Quarantine, 'release'> };
}

/** Answers 204 also for a template that is not in quarantine. */
export const releaseTemplate = endpoint(
  {
    ...shared,
    id: 'releaseTemplate',
    route: 'release-template',
    method: 'post',
    path: '/v1/templates/{uid}/release',
    summary: 'Release a template',
    description:
      'Renders a template again that is in quarantine. A version is quarantined when two of its renders within an hour ended their process: its links answer 503 QUARANTINED or the fallback image.',
    scope: 'write',
    embed: 'publish',
    pathParameters: { uid: uidParameter },
    answers: { 204: { description: 'It is rendered again.' } },
    errors: { 404: noTemplateHere },
    clientCall: "await platen.releaseTemplate('hello')",
  },
  ({ templates, pool }: ReleaseParts) =>
    async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates);
      await readBody();
      await pool.quarantine.release(holder.uid, uid);
      return emptyReply(204);
    },
);
