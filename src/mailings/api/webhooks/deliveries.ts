/** `/v1/webhooks/{id}/deliveries`: the log of a webhook's deliveries, pings and retries. */
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AppError } from '../../../foundation/errors.ts';
import { jsonReply } from '../../../http/reply.ts';
import { whenFree } from '../../../store/database/store-error.ts';
import { manualSendsMax } from '../../webhooks/manual-sends.ts';
import { pingType, webhookEventTypes } from '../../webhooks/message.ts';
import { jsonAnswer, pageQuery, pathParameter } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { closed, nullable, pageProperties, Timestamp } from '../../../api/shared-schemas.ts';
import {
  noSuchWebhook,
  noWebhook,
  sharedWebhookDeclaration,
  webhookExample,
  webhookId,
} from './webhooks.ts';
import type { WebhookParts } from './webhooks.ts';

const deliveriesPageMax = 100;

const tooManySends = `The organization has sent ${manualSendsMax} pings and retries within a minute, or too many wrong keys came from this address; \`Retry-After\` says when to come back.`;

const Attempt = Type.Object({
  at: Timestamp,
  duration_ms: Type.Integer({ minimum: 0 }),
  status: nullable(Type.Integer(), 'null without an answer'),
  error: nullable(Type.String(), 'what the address did; null after a success'),
  answer: nullable(Type.String(), 'the first 1,024 bytes of the answer; null without one'),
});

const DeliveryId = Type.String({ description: 'the header `webhook-id` of its messages' });

const Delivery = Type.Object(
  {
    id: DeliveryId,
    type: Type.Enum([...webhookEventTypes, pingType]),
    created_at: Timestamp,
    state: Type.Enum(['waiting', 'delivered', 'failed']),
    next_attempt_at: nullable(Timestamp, 'null unless it waits'),
    attempts: Type.Array(Attempt, { description: 'the last 20, oldest first' }),
    payload: Type.Object(
      {
        type: Type.String(),
        timestamp: Timestamp,
        data: Type.Object({}, { additionalProperties: true }),
      },
      { description: 'the body of its messages' },
    ),
  },
  { $id: 'WebhookDelivery' },
);

const DeliveryPage = Type.Object(
  {
    deliveries: Type.Array(Delivery, { description: 'newest first' }),
    total: Type.Integer({ minimum: 0 }),
    ...pageProperties,
  },
  { $id: 'WebhookDeliveryPage' },
);

const NewDelivery = Type.Object({ id: DeliveryId }, { ...closed, $id: 'NewWebhookDelivery' });

const deliveryExample = {
  id: 'msg_7Qm3vX0aLr2TzK9cBw5e',
  type: 'template.failing',
  created_at: '2026-01-31T09:00:00.000Z',
  state: 'delivered',
  next_attempt_at: null,
  attempts: [
    {
      at: '2026-01-31T09:00:00.100Z',
      duration_ms: 84,
      status: 204,
      error: null,
      answer: '',
    },
  ],
  payload: {
    type: 'template.failing',
    timestamp: '2026-01-31T09:00:00.000Z',
    data: { template: 'hello', requests: 120, failed: 60, errors: { TIMEOUT: 60 } },
  },
} satisfies Static<typeof Delivery>;

const pingWebhook = endpoint(
  {
    ...sharedWebhookDeclaration,
    id: 'pingWebhook',
    route: 'ping-webhook',
    method: 'post',
    path: '/v1/webhooks/{id}/ping',
    rate: { what: 'pings', countMax: 60, windowSeconds: 60 },
    summary: 'Ping a webhook',
    description: `Sends a message of the type \`${pingType}\`. If it succeeds, a disabled webhook is enabled again.`,
    scope: 'write',
    pathParameters: { id: webhookId },
    answers: {
      202: jsonAnswer('It is sent; the log shows the outcome.', NewDelivery, {
        id: deliveryExample.id,
      }),
    },
    errors: { 404: noSuchWebhook, 429: tooManySends },
    clientCall: `await platen.request('POST /v1/webhooks/{id}/ping', { path: { id: '${webhookExample.id}' } })`,
  },
  ({ webhooks }: WebhookParts) =>
    async ({ parameter }, { holder, readBody }) => {
      await readBody();
      webhooks.takeManualSend(holder.uid);
      const delivery = await whenFree(() => webhooks.addPing(holder.uid, parameter));
      if (delivery === undefined) throw noWebhook();
      return jsonReply(202, { id: delivery });
    },
);

const listDeliveries = endpoint(
  {
    ...sharedWebhookDeclaration,
    id: 'listWebhookDeliveries',
    route: 'webhook-deliveries',
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    summary: 'List deliveries',
    description:
      'The log of a webhook, newest first: each event with its attempts. The last 500 are kept, for 30 days.',
    scope: 'read',
    pathParameters: { id: webhookId },
    query: pageQuery,
    answers: {
      200: jsonAnswer('A page of deliveries.', DeliveryPage, {
        deliveries: [deliveryExample],
        total: 1,
        limit: 20,
        offset: 0,
      }),
    },
    errors: { 400: '`limit` or `offset` is no whole number.', 404: noSuchWebhook },
    clientCall: `const { deliveries } = await platen.request('GET /v1/webhooks/{id}/deliveries', { path: { id: '${webhookExample.id}' } })`,
  },
  ({ webhooks }: WebhookParts) =>
    ({ parameter }, { holder, readQuery }) => {
      const { limit: wanted, offset } = readQuery();
      const limit = Math.min(wanted, deliveriesPageMax);
      const page = webhooks.listDeliveries(holder.uid, parameter, { limit, offset });
      if (page === undefined) throw noWebhook();
      return jsonReply(200, { ...page, limit, offset });
    },
);

const retryDelivery = endpoint(
  {
    ...sharedWebhookDeclaration,
    id: 'retryWebhookDelivery',
    route: 'retry-webhook-delivery',
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{delivery}/retry',
    summary: 'Retry a delivery',
    description:
      'Sends an event again now, whatever came of it before, with the same `webhook-id`.',
    scope: 'write',
    pathParameters: {
      id: webhookId,
      delivery: pathParameter('Id of the delivery.', deliveryExample.id),
    },
    answers: {
      202: jsonAnswer('It is sent; the log shows the outcome.', NewDelivery, {
        id: deliveryExample.id,
      }),
    },
    errors: { 404: 'No such webhook, or no such delivery of it.', 429: tooManySends },
    clientCall: `await platen.request('POST /v1/webhooks/{id}/deliveries/{delivery}/retry', { path: { id: '${webhookExample.id}', delivery: '${deliveryExample.id}' } })`,
  },
  ({ webhooks }: WebhookParts) =>
    async ({ parameters }, { holder, readBody }) => {
      await readBody();
      const [id = '', deliveryId = ''] = parameters;
      webhooks.takeManualSend(holder.uid);
      if (!(await whenFree(() => webhooks.retryDelivery(holder.uid, id, deliveryId)))) {
        throw new AppError('NOT_FOUND', 'Delivery not found', { reason: 'delivery-id' });
      }
      return jsonReply(202, { id: deliveryId });
    },
);

export const deliveryEndpoints = [pingWebhook, listDeliveries, retryDelivery];
