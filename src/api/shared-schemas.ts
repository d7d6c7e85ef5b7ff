/** Schemas and parts of declarations that several endpoints share. A schema with an `$id` is a component of OpenAPI. */
import type { Static, TNull, TSchema, TUnion } from 'typebox';
import { Type } from 'typebox';
import { formatNames } from '#language/formats.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { languagePattern } from '#language/schema/template.ts';
import { uidSchemaPattern } from '#language/uid.ts';
import { renderScales } from '#wire/render-job.ts';
import { errorTable } from '../foundation/errors.ts';
import type { ErrorCode } from '../foundation/errors.ts';
import type { Parameter } from './declaration.ts';

/** Refuses properties that the schema does not name. */
export const closed = { additionalProperties: false } as const;

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 UTC with milliseconds',
});

/** `schema` or null. */
export function nullable<Schema extends TSchema>(
  schema: Schema,
  description: string,
): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()], { description });
}

/** `limit` and `offset` as applied: a client that steps by a larger limit of its own would skip entries. */
export const pageProperties = {
  limit: Type.Integer({ minimum: 1, maximum: 100, description: 'entries of a page, as applied' }),
  offset: Type.Integer({ minimum: 0, description: 'entries before this page' }),
};

/** The options of a link in a JSON body. */
export const renderOptions = {
  format: Type.Optional(
    Type.Enum([...formatNames], {
      description: `one of ${formatNames.join(', ')}; default: the template's`,
    }),
  ),
  quality: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'of formats that lose' }),
  ),
  scale: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: renderScales.length,
      description: 'device pixels a design pixel',
    }),
  ),
  size: Type.Optional(
    Type.String({
      maxLength: 32,
      description: 'a size of the template; default: its own width and height',
    }),
  ),
  frames: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: templateLimits.framesMax,
      description: 'frames of an animated file',
    }),
  ),
  animated: Type.Optional(
    Type.Boolean({ description: 'a WebP or PNG that moves; a GIF always does', default: false }),
  ),
  lang: Type.Optional(
    Type.String({
      maxLength: 35,
      pattern: languagePattern,
      description: "the language of formats (BCP 47), in place of the document's",
    }),
  ),
};

// Errors.

/** The problems of a body. */
const ErrorDetails = Type.Optional(
  Type.Array(
    Type.Object({
      path: Type.String(),
      message: Type.String(),
      layers: Type.Optional(
        Type.Array(Type.String(), {
          description: 'ids of the layers at fault, where the path names none',
        }),
      ),
    }),
    {
      maxItems: 20,
      description: 'each problem of a body: where it is, and what was expected',
    },
  ),
);

/** The error of render links and of unknown addresses. */
export const RenderError = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(errorTable) as ErrorCode[], {
        description: 'what went wrong, for programs',
      }),
      message: Type.String({ description: 'what went wrong and what to do, for people' }),
      requestId: Type.String({
        pattern: '^req_[0-9A-Za-z]+$',
        description: 'to be named in questions about this answer',
      }),
      details: ErrorDetails,
    }),
  },
  { $id: 'RenderError', description: 'The error of a render link.' },
);

/** The error of the organization's endpoints. */
export const OrganizationError = Type.Object(
  {
    error: Type.String({ description: 'what went wrong and what to do' }),
    details: ErrorDetails,
  },
  { $id: 'OrganizationError', description: 'The error of an endpoint that needs a key.' },
);

// Templates.

/** A document in a body. The handlers check it layer by layer, for errors that name the property. */
export const TemplateDocument = Type.Object(
  {},
  { $id: 'TemplateDocument', additionalProperties: true },
);

export const Cid = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'the content id of a document, which `If-Match` takes',
});
export const Version = Type.Integer({
  minimum: 1,
  description: 'the number of a published version',
});

/** Uid and name of a copy of a template or a sample. */
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
        description: 'absent: the name of the original',
      }),
    ),
  },
  { ...closed, $id: 'DuplicateRequest' },
);
export type DuplicateRequest = Static<typeof DuplicateRequest>;

/** A property of a document that is without effect. */
const AccessWarning = Type.Object(
  {
    code: Type.Literal('ACCESS_IGNORED'),
    path: Type.String({ description: 'where the property is in the document' }),
    detail: Type.String({ description: 'what is in force, and how to change it' }),
  },
  { ...closed, $id: 'AccessWarning' },
);
export type AccessWarning = Static<typeof AccessWarning>;

/** Warnings of an answer to a document whose template has another access. */
export const warnsOfAccess = {
  warnings: Type.Optional(
    Type.Array(AccessWarning, {
      maxItems: 3,
      description:
        'properties of the document that are without effect, because the access of the template says something else; absent: none',
    }),
  ),
};

/** The answer to saving, copying and restoring a draft. */
export const Draft = Type.Object(
  {
    uid: Type.String({ pattern: uidSchemaPattern }),
    cid: Cid,
    version: Type.Union([Version, Type.Null()], {
      description: 'the published version, null as long as there is none',
    }),
    ...warnsOfAccess,
  },
  { ...closed, $id: 'Draft' },
);

/** A content id, for examples. */
export const cidExample = '9f2c7b1e5a3d48c6b0e4f7a1d2938c5e';

/** Header of a change that must not overwrite the change of another client. */
export const ifMatch = {
  'If-Match': {
    description:
      'The `cid` under which the draft was read, in quotes: somebody else’s change in between answers 412. Absent: the draft is changed whatever it is.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Parameter>;

/** Description of the 404 of a template. */
export const noTemplateHere = 'No such template in the organization.';
/** Description of the 412 of `ifMatch`. */
export const lostRace = 'The draft is no longer the one that `If-Match` names.';
