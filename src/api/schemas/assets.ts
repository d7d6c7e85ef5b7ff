/** Bodies of the endpoints of assets. */
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageProperties } from './page-properties.ts';

/** `POST /v1/assets` by address; a body of another type is the file itself. */
export const AssetFromUrlRequest = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'an http or https address of an image, a public share link included',
    }),
  },
  { additionalProperties: false },
);
export type AssetFromUrlRequest = Static<typeof AssetFromUrlRequest>;

/** One stored asset. */
export const AssetResponse = Type.Object({
  id: Type.String({
    pattern: '^asset:[0-9a-f]{64}$',
    description: 'how templates and links name it',
  }),
  type: Type.String({ description: 'media type of the file, such as image/png' }),
  width: Type.Number({ description: 'as it is seen, design pixels' }),
  height: Type.Number({ description: 'as it is seen, design pixels' }),
  bytes: Type.Integer({
    minimum: 1,
    description: 'stored bytes; of an SVG with those of its drawing',
  }),
  created_at: Type.String({ format: 'date-time' }),
});

/** `GET /v1/assets` */
export const AssetListResponse = Type.Object({
  assets: Type.Array(AssetResponse, { maxItems: 100, description: 'newest first' }),
  total: Type.Integer({ minimum: 0 }),
  ...pageProperties,
});
