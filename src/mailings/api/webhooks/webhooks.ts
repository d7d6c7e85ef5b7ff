/** `/v1/webhooks`: creates, lists and deletes the addresses to which an organization's events are sent. */
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AppError } from '../../../foundation/errors.ts';
import { emptyReply, jsonReply } from '../../../http/reply.ts';
import { ImageError } from '../../../images/image-error.ts';
import { whenFree } from '../../../store/database/store-error.ts';
import { webhookEvents, webhookEventTypes } from '../../webhooks/message.ts';
import { webhooksMax } from '../../webhooks/webhook-store.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { jsonAnswer, jsonBody, pathParameter } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { badBody } from '../../../api/request/input.ts';
import { closed, nullable, Timestamp } from '../../../api/shared-schemas.ts';

/** Services that the endpoints need. */
export interface WebhookParts {
  webhooks: Webhooks;
}

const eventsText = Object.entries(webhookEvents)
  .map(([type, meaning]) => `\`${type}\`: ${meaning}`)
  .join(' ');

const Events = Type.Array(Type.Enum([...webhookEventTypes]), {
  minItems: 1,
  maxItems: webhookEventTypes.length,
  description: `what is sent. ${eventsText}`,
});

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'an https address on a public host; redirects are not followed',
});

const NewWebhookRequest = Type.Object(
  { url: Url, events: Type.Optional(Events) },
  { ...closed, $id: 'NewWebhookRequest' },
);

const webhookProperties = {
  id: Type.String(),
  url: Url,
  events: Events,
  created_at: Timestamp,
  failing_since: nullable(
    Timestamp,
    'the first failed attempt since the last success; null after a success',
  ),
  disabled: nullable(
    Type.Enum(['failing', 'gone']),
    'why nothing is sent any more: every attempt failed for five days, or the server answered 410. A ping that succeeds ends it. Else null',
  ),
};

const Webhook = Type.Object(webhookProperties, { ...closed, $id: 'Webhook' });

const NewWebhook = Type.Object(
  {
    ...webhookProperties,
    secret: Type.String({
      description: '`whsec_…`, what messages are signed with, shown this once',
    }),
  },
  { ...closed, $id: 'NewWebhook' },
);

const WebhookList = Type.Object(
  { webhooks: Type.Array(Webhook, { maxItems: webhooksMax, description: 'oldest first' }) },
  { ...closed, $id: 'WebhookList' },
);

export const webhookExample = {
  id: 'wh_4mNzT0aLr2TzK9cBw5eQ',
  url: 'https://example.com/platen',
  events: [...webhookEventTypes],
  created_at: '2026-01-31T09:00:00.000Z',
  failing_since: null,
  disabled: null,
} satisfies Static<typeof Webhook>;

export const sharedWebhookDeclaration = { tag: 'Webhooks', errorShape: 'organization' } as const;

export const webhookId = pathParameter('Id of the webhook.', webhookExample.id);

export const noSuchWebhook = 'No such webhook in the organization.';

const listWebhooks = endpoint(
  {
    ...sharedWebhookDeclaration,
    id: 'listWebhooks',
    route: 'webhooks',
    method: 'get',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    description: 'The organization’s webhooks, never their secrets.',
    scope: 'read',
    answers: { 200: jsonAnswer('The webhooks.', WebhookList, { webhooks: [webhookExample] }) },
    clientCall: "const { webhooks } = await platen.request('GET /v1/webhooks')",
  },
  ({ webhooks }: WebhookParts) =>
    (_, { holder }) =>
      jsonReply(200, { webhooks: webhooks.listWebhooks(holder.uid) }),
);

const createWebhook = endpoint(
  {
    ...sharedWebhookDeclaration,
    id: 'createWebhook',
    route: 'webhooks',
    method: 'post',
    path: '/v1/webhooks',
    summary: 'Create a webhook',
    description:
      'Has events sent to an address, signed as Standard Webhooks say. The answer contains the secret, only once. A message that fails is sent again for three days.',
    scope: 'write',
    body: jsonBody('Where to, and which events; default: all.', NewWebhookRequest, {
      url: webhookExample.url,
    }),
    answers: {
      201: jsonAnswer('The webhook.', NewWebhook, { ...webhookExample, secret: 'whsec_…' }),
    },
    errors: {
      400: 'The body is not valid, or the address is not public.',
      409: `The organization has ${webhooksMax} webhooks.`,
    },
    clientCall: `const { secret } = await platen.request('POST /v1/webhooks', { body: { url: '${webhookExample.url}' } })`,
  },
  ({ webhooks }: WebhookParts) =>
    async (_, { holder, readBody }) => {
      const { url, events = webhookEventTypes } = await readBody();
      checkUrl(webhooks, url);
      const made = await whenFree(() =>
        webhooks.createWebhook(holder.uid, { url, events: [...new Set(events)] }),
      );
      return jsonReply(201, made, { Location: `/v1/webhooks/${made.id}` });
    },
);

const getWebhook = endpoint(
  {
    ...sharedWebhookDeclaration,
    id: 'getWebhook',
    route: 'webhook',
    method: 'get',
    path: '/v1/webhooks/{id}',
    summary: 'Get a webhook',
    description: 'Whether it works, and since when it fails.',
    scope: 'read',
    pathParameters: { id: webhookId },
    answers: { 200: jsonAnswer('The webhook.', Webhook, webhookExample) },
    errors: { 404: noSuchWebhook },
    clientCall: `const webhook = await platen.request('GET /v1/webhooks/{id}', { path: { id: '${webhookExample.id}' } })`,
  },
  ({ webhooks }: WebhookParts) =>
    ({ parameter }, { holder }) => {
      const webhook = webhooks.findWebhook(holder.uid, parameter);
      if (webhook === undefined) throw noWebhook();
      return jsonReply(200, webhook);
    },
);

const deleteWebhook = endpoint(
  {
    ...sharedWebhookDeclaration,
    id: 'deleteWebhook',
    route: 'webhook',
    method: 'delete',
    path: '/v1/webhooks/{id}',
    summary: 'Delete a webhook',
    description: 'Nothing is sent to it any more. Its log is deleted too.',
    scope: 'write',
    pathParameters: { id: webhookId },
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: noSuchWebhook },
    clientCall: `await platen.request('DELETE /v1/webhooks/{id}', { path: { id: '${webhookExample.id}' } })`,
  },
  ({ webhooks }: WebhookParts) =>
    async ({ parameter }, { holder }) => {
      if (await whenFree(() => webhooks.removeWebhook(holder.uid, parameter)))
        return emptyReply(204);
      throw noWebhook();
    },
);

function checkUrl(webhooks: Webhooks, url: string): void {
  try {
    webhooks.checkUrl(url);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw badBody([{ path: 'url', message: error.message }], 'body');
  }
}

export function noWebhook(): AppError {
  return new AppError('NOT_FOUND', 'Webhook not found', { reason: 'webhook-id' });
}

export const webhookEndpoints = [listWebhooks, createWebhook, getWebhook, deleteWebhook];
