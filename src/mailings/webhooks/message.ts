/** A message to a webhook as Standard Webhooks define it: its types, its body, its secret and its signature. */
import { createHmac, randomBytes } from 'node:crypto';

/** The events that a webhook may get, with their meaning. */
export const webhookEvents = {
  'campaign.finished': 'A campaign has all its rows.',
  'campaign.failed': 'A campaign ended before its last row.',
  'template.failing': 'The links of a template began to fail.',
  'template.recovered': 'The links of a template that failed work again.',
} as const;

export type WebhookEventType = keyof typeof webhookEvents;

export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[];

/** The type of a test message, which a person sends with a ping. */
export const pingType = 'webhook.ping';

/** Something that happened in an organization. */
export interface WebhookEvent {
  organizationUid: string;
  type: WebhookEventType;
  /** Plain JSON of a few properties. It leaves the service, so it has no values of links or rows. */
  data: Readonly<Record<string, unknown>>;
}

/** Upper bound of a body in UTF-16 units. The data of an event are names and counts. */
const payloadCharactersMax = 16_384;

/** Makes the body of a message. Throws an `Error` for data that are too long, which is a fault of the caller. */
export function writePayload(
  type: WebhookEventType | typeof pingType,
  data: WebhookEvent['data'],
  nowMs: number,
): string {
  const payload = JSON.stringify({ type, timestamp: new Date(nowMs).toISOString(), data });
  if (payload.length <= payloadCharactersMax) return payload;
  throw new Error(
    `The data of ${type} have ${payload.length} characters, at most ${payloadCharactersMax} are sent.`,
  );
}

const secretPrefix = 'whsec_';

/** Standard Webhooks ask for 24 to 64 bytes; 32 are as many as HMAC-SHA256 can use (RFC 2104 section 3). */
const secretBytes = 32;

/** A new secret: `whsec_` and base64. */
export function createWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

/** The headers of a message sent at `nowMs`. All attempts have the same `id`, so that receivers can drop duplicates. */
export function signedHeaders(
  { id, payload }: { id: string; payload: string },
  secret: string,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature.digest('base64')}`,
  };
}
