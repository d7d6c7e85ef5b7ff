/** Bodies that say whose a key is and what templates there are. */
import { Type } from 'typebox';
import { Variable } from '#language/schema/template.ts';
import { pageProperties } from './page-properties.ts';

const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 UTC with milliseconds',
});

/** `GET /v1/validate-organization` */
export const OrganizationAnswer = Type.Object({
  valid: Type.Literal(true),
  organization: Type.Object({ uid: Type.String(), name: Type.String() }),
});

/** The same for a key that is none. */
export const InvalidKeyAnswer = Type.Object({
  valid: Type.Literal(false),
  error: Type.String(),
});

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
};

/** A template as it is listed. */
export const TemplateSummary = Type.Object(summaryProperties);

/** `GET /v1/templates` */
export const TemplatePage = Type.Object({
  templates: Type.Array(TemplateSummary, { maxItems: 100, description: 'newest first' }),
  total: Type.Integer({ minimum: 0, description: 'all of them, not only those of this page' }),
  ...pageProperties,
});

/** `GET /v1/templates/{uid}` */
export const TemplateDetails = Type.Object({
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
    { description: 'of the published version; empty before the first' },
  ),
  width: Type.Integer({ minimum: 1, description: 'design pixels' }),
  height: Type.Integer({ minimum: 1, description: 'design pixels' }),
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
});
