/** Bodies of the endpoints that save, publish and list templates; the document itself is `#language/schema/template`. */
import { uidSchemaPattern } from '#language/uid.ts';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageProperties } from './page-properties.ts';

const closed = { additionalProperties: false } as const;

const Cid = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'the content id of a document, which `If-Match` takes',
});
const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 UTC with milliseconds',
});
const Version = Type.Integer({ minimum: 1, description: 'the number of a published version' });

/** `POST /v1/templates/{uid}/publish` */
export const PublishRequest = Type.Object(
  {
    note: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'what is new, for people; at most 1,000 characters',
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
  closed,
);
export type PublishRequest = Static<typeof PublishRequest>;

/** `POST /v1/templates/{uid}/duplicate` */
export const DuplicateRequest = Type.Object(
  {
    uid: Type.Optional(
      Type.String({
        pattern: uidSchemaPattern,
        description: '1 to 64 of A-Z, a-z, 0-9, _ and -; absent: a random one',
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: '1 to 200 characters; absent: the name of the original',
      }),
    ),
  },
  closed,
);
export type DuplicateRequest = Static<typeof DuplicateRequest>;

/** `GET /v1/samples` */
export const SampleList = Type.Object(
  {
    samples: Type.Array(
      Type.Object(
        {
          uid: Type.String({ pattern: uidSchemaPattern }),
          name: Type.String(),
          width: Type.Integer({ minimum: 1, description: 'design pixels' }),
          height: Type.Integer({ minimum: 1, description: 'design pixels' }),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** What saving, copying and restoring answer. */
export const Draft = Type.Object(
  {
    uid: Type.String({ pattern: uidSchemaPattern }),
    cid: Cid,
    version: Type.Union([Version, Type.Null()], {
      description: 'the published version, null as long as there is none',
    }),
  },
  closed,
);

/** What publishing answers. */
export const Published = Type.Object({ version: Version, cid: Cid }, closed);

/** `GET /v1/templates/{uid}/versions` */
export const VersionList = Type.Object(
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
  closed,
);
