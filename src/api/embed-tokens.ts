/** `POST /v1/embed-tokens`: tokens with which the studio opens one template in a frame of another page. */
import { Type } from 'typebox';
import { uidSchemaPattern } from '#language/uid.ts';
import { AppError } from '../foundation/errors.ts';
import { jsonReply } from '../http/reply.ts';
import { whenFree } from '../store/database/store-error.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { jsonAnswer, jsonBody } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { badBody } from './request/input.ts';
import { noTemplate } from './request/organization-template.ts';
import type { PublicUrl } from './request/public-url.ts';
import { closed, noTemplateHere, Timestamp } from './shared-schemas.ts';

/** Services and settings that the endpoint needs. */
export interface EmbedTokenParts {
  organizations: OrganizationStore;
  templates: Pick<TemplateStore, 'hasTemplate'>;
  publicUrl: PublicUrl;
  /** Origins whose pages may show the studio in a frame. */
  embedOrigins: readonly string[];
}

const secondsMin = 60;
const secondsMax = 24 * 60 * 60;
const secondsDefault = 60 * 60;

const EmbedTokenRequest = Type.Object(
  {
    template: Type.String({
      pattern: uidSchemaPattern,
      description: 'uid of the only template that the token opens',
    }),
    publish: Type.Optional(
      Type.Boolean({ description: 'whether it may publish the template; absent: no' }),
    ),
    origin: Type.String({
      maxLength: 300,
      description: 'origin of the page that the frame stands in, one of PLATEN_EMBED_ORIGINS',
    }),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: secondsMin,
        maximum: secondsMax,
        description: `seconds until it expires; absent: ${secondsDefault}`,
      }),
    ),
  },
  { ...closed, $id: 'EmbedTokenRequest' },
);

const EmbedToken = Type.Object(
  {
    token: Type.String({ description: 'for the header X-API-Key, as the studio sends it' }),
    url: Type.String({ description: 'address of the frame, with the token as its fragment' }),
    expires_at: Timestamp,
  },
  { ...closed, $id: 'EmbedToken' },
);

export const createEmbedToken = endpoint(
  {
    tag: 'Keys',
    errorShape: 'organization',
    id: 'createEmbedToken',
    route: 'embed-tokens',
    method: 'post',
    path: '/v1/embed-tokens',
    summary: 'Create an embed token',
    description:
      'A token with which the studio opens one template in a frame of your page. It ends at its time, and at once with the key that made it.',
    scope: 'write',
    body: jsonBody('What it opens, where and for how long.', EmbedTokenRequest, {
      template: 'hello',
      publish: true,
      origin: 'https://app.example.com',
      expires_in: 3600,
    }),
    answers: {
      201: jsonAnswer('The token.', EmbedToken, {
        token: 'embed_eyJrZXkiOjJ9.…',
        url: 'https://images.example.com/studio/embed#embed_eyJrZXkiOjJ9.…',
        expires_at: '2026-01-31T10:00:00.000Z',
      }),
    },
    errors: {
      400: 'The body is not valid, or the origin is none of `PLATEN_EMBED_ORIGINS`.',
      404: noTemplateHere,
    },
    clientCall:
      "const { url } = await platen.request('POST /v1/embed-tokens', { body: { template: 'hello', origin: 'https://app.example.com' } })",
  },
  ({ organizations, templates, publicUrl, embedOrigins }: EmbedTokenParts) =>
    async (exchange, { holder, readBody }) => {
      const { template, publish = false, origin, expires_in = secondsDefault } = await readBody();
      if (!holder.scopes.includes('read')) {
        throw new AppError(
          'FORBIDDEN',
          'This API key lacks the scope "read", and an embed token can do no more than its key.',
          { reason: 'scope' },
        );
      }
      if (!templates.hasTemplate(holder.uid, template)) throw noTemplate();
      if (!embedOrigins.includes(origin)) {
        const message = `is ${JSON.stringify(origin)}, expected an origin that the setting PLATEN_EMBED_ORIGINS lists`;
        throw badBody([{ path: 'origin', message }], 'body');
      }
      const claims = { key: holder.keyId, template, publish, origin };
      const made = await whenFree(() => organizations.createEmbedToken(claims, expires_in));
      if (made === undefined) {
        throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
      }
      const { token, expires_at } = made;
      const url = `${publicUrl(exchange)}/studio/embed#${token}`;
      return jsonReply(201, { token, url, expires_at });
    },
);
