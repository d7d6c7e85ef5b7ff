/** Bodies of the endpoints of API keys and signing keys. */
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { keyScopes } from '../../store/organizations/key-scopes.ts';

const closed = { additionalProperties: false } as const;

const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 UTC with milliseconds',
});
const LaterTimestamp = Type.Union([Timestamp, Type.Null()], {
  description: 'ISO 8601 UTC with milliseconds, null as long as it has not happened',
});

const Scopes = Type.Array(
  Type.Enum([...keyScopes], { description: `one of ${keyScopes.join(', ')}` }),
  {
    minItems: 1,
    maxItems: keyScopes.length,
    description: 'read (show and draw), write (change) or both',
  },
);

/** `POST /v1/keys` */
export const NewKeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: '1 to 200 characters' }),
    scopes: Scopes,
  },
  closed,
);
export type NewKeyRequest = Static<typeof NewKeyRequest>;

/** `POST …/rotate`, `POST …/restore` and `POST …/signing-keys`, which need no word. */
export const EmptyRequest = Type.Object({}, closed);

const keyProperties = {
  id: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  prefix: Type.String({ description: 'the first characters of the key, to recognise it by' }),
  scopes: Scopes,
  created_at: Timestamp,
  last_used_at: LaterTimestamp,
  revoked_at: LaterTimestamp,
};

/** A key as it is listed. */
export const ApiKey = Type.Object(keyProperties, closed);

/** A key that was just made. */
export const NewApiKey = Type.Object(
  {
    ...keyProperties,
    key: Type.String({ description: 'the key itself, shown this once' }),
  },
  closed,
);

/** `GET /v1/keys` */
export const ApiKeyList = Type.Object({ keys: Type.Array(ApiKey) }, closed);

const signingKeyProperties = {
  id: Type.Integer({ minimum: 1 }),
  prefix: Type.String({ description: 'the first characters of the key, to recognise it by' }),
  created_at: Timestamp,
};

/** A signing key as it is listed. */
export const SigningKey = Type.Object(signingKeyProperties, closed);

/** A signing key that was just made. */
export const NewSigningKey = Type.Object(
  {
    ...signingKeyProperties,
    key: Type.String({ description: 'the key itself, shown this once' }),
  },
  closed,
);

/** `GET /v1/templates/{uid}/signing-keys` */
export const SigningKeyList = Type.Object(
  { signing_keys: Type.Array(SigningKey, { maxItems: 2 }) },
  closed,
);
