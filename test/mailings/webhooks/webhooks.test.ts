/** Webhooks from an event to a receiver, on a real database and real sockets; only the wall clock is moved. */
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import t from 'tap';
import type { Test } from 'tap';
import { createLog } from '../../../src/foundation/log.ts';
import { collectExpired } from '../../../src/store/collect-expired.ts';
import type { Delivery } from '../../../src/mailings/webhooks/delivery.ts';
import { retryDelayMs } from '../../../src/mailings/webhooks/delivery.ts';
import { webhookEventTypes } from '../../../src/mailings/webhooks/message.ts';
import { deliveriesMax, webhooksMax } from '../../../src/mailings/webhooks/webhook-store.ts';
import { createWebhooks } from '../../../src/mailings/webhooks/webhooks.ts';
import type { Webhooks } from '../../../src/mailings/webhooks/webhooks.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import type { Receiver } from '../../fixtures/webhook-receiver.ts';
import { createStores } from '../../store/store-fixture.ts';
import type { Stores } from '../../store/store-fixture.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

interface Trial {
  webhooks: Webhooks;
  stores: Stores;
  receiver: Receiver;
  id: string;
  secret: string;
  /** Resolves with the newest delivery when that has this many attempts. */
  attempted: (count: number) => Promise<Delivery>;
  emit: () => void;
}

/** The webhooks of a service that reaches this receiver. */
function open(t: Test, { db, clock }: Stores, { port }: Receiver): Webhooks {
  const webhooks = createWebhooks({
    db,
    settings: { allowedAddresses: ['127.0.0.1'], allowedPorts: [port], dnsServers: [] },
    log: createLog(() => undefined),
    nowMs: () => clock.nowMs,
  });
  t.teardown(() => webhooks.close(0));
  return webhooks;
}

/** One webhook of `org_a` for all events. */
async function startTrial(t: Test): Promise<Trial> {
  const stores = createStores(t);
  const receiver = await startReceiver(t);
  stores.clock.nowMs = Date.now();
  const webhooks = open(t, stores, receiver);
  const { url } = receiver;
  const { id, secret } = webhooks.createWebhook('org_a', { url, events: webhookEventTypes });
  return {
    webhooks,
    stores,
    receiver,
    id,
    secret,
    attempted: (count) => waitForAttempts(webhooks, id, count),
    emit: () =>
      webhooks.emit({ organizationUid: 'org_a', type: 'campaign.finished', data: { rows: 3 } }),
  };
}

async function waitForAttempts(webhooks: Webhooks, id: string, count: number): Promise<Delivery> {
  for (;;) {
    const page = webhooks.listDeliveries('org_a', id, { limit: 1, offset: 0 });
    const [newest] = page?.deliveries ?? [];
    if (newest !== undefined && newest.attempts.length >= count) return newest;
    await pause(5);
  }
}

t.test('an event reaches the webhooks that want it, signed', async (t) => {
  const { webhooks, receiver, secret, attempted, emit } = await startTrial(t);
  webhooks.createWebhook('org_a', { url: `${receiver.url}/other`, events: ['template.failing'] });
  emit();
  await receiver.hasReceived(1);
  const [message] = receiver.received;
  t.equal(message?.path, '/hook');
  t.equal(message?.headers['content-type'], 'application/json');
  const body = new Verifier(secret).verify(message?.body ?? '', message?.headers ?? {});
  t.match(body, { type: 'campaign.finished', data: { rows: 3 } });
  const delivery = await attempted(1);
  t.match(delivery, { id: message?.headers['webhook-id'], state: 'delivered', payload: body });
  t.match(delivery.attempts, [{ status: 204, error: null }]);
  t.equal(receiver.received.length, 1, 'the other webhook wants other events');
});

t.test('an event that its transaction drops is not sent', async (t) => {
  const { webhooks, stores, receiver, id, emit } = await startTrial(t);
  const work = stores.db.transaction(() => {
    emit();
    throw new Error('the campaign could not be stored');
  });
  t.throws(work);
  t.equal(webhooks.listDeliveries('org_a', id, { limit: 1, offset: 0 })?.total, 0);
  webhooks.addPing('org_a', id);
  await receiver.hasReceived(1);
  t.match(receiver.received[0]?.body, /webhook\.ping/);
});

t.test('a failed message is sent again later, with the same id and a new signature', async (t) => {
  const { webhooks, stores, receiver, secret, attempted, emit } = await startTrial(t);
  receiver.answer = (response) => void response.writeHead(500).end('no "database"');
  emit();
  const first = await attempted(1);
  t.match(first, { state: 'waiting' });
  t.match(first.attempts, [{ status: 500, error: 'answered 500', answer: 'no "database"' }]);
  const dueMs = Date.parse(first.next_attempt_at ?? '') - stores.clock.nowMs;
  t.ok(dueMs >= 5000 && dueMs <= 6000, `in ${dueMs} ms`);
  receiver.answer = (response) => void response.writeHead(200).end();
  stores.clock.nowMs += 6000;
  webhooks.start();
  t.match(await attempted(2), { state: 'delivered', next_attempt_at: null });
  const [one, two] = receiver.received;
  t.equal(one?.headers['webhook-id'], two?.headers['webhook-id']);
  t.equal(one?.body, two?.body);
  t.not(one?.headers['webhook-timestamp'], two?.headers['webhook-timestamp']);
  t.ok(new Verifier(secret).verify(two?.body ?? '', two?.headers ?? {}));
});

t.test('the attempts of a message end after ten, in three to four days', async (t) => {
  const delays = Array.from({ length: 9 }, (_, index) => retryDelayMs(index + 1, 0) ?? 0);
  t.same(
    delays,
    delays.toSorted((a, b) => a - b),
  );
  const days = delays.reduce((sum, each) => sum + each, 0) / dayMs;
  t.ok(days > 3 && days < 4, `${days} days`);
  t.equal(retryDelayMs(10, 0), undefined);
  t.ok((retryDelayMs(3, 0.99) ?? 0) > (retryDelayMs(3, 0) ?? 0), 'with jitter');
});

t.test('a message fails after its last attempt, and can be sent again by hand', async (t) => {
  const { webhooks, stores, receiver, id, attempted, emit } = await startTrial(t);
  receiver.answer = (response) => void response.writeHead(503).end();
  emit();
  for (let count = 1; count <= 10; count += 1) {
    webhooks.start();
    const { next_attempt_at: next } = await attempted(count);
    if (next !== null) stores.clock.nowMs = Date.parse(next);
  }
  const failed = await attempted(10);
  t.match(failed, { state: 'failed', next_attempt_at: null });
  t.match(webhooks.findWebhook('org_a', id), { disabled: null });
  receiver.answer = (response) => void response.writeHead(200).end();
  t.ok(webhooks.retryDelivery('org_a', id, failed.id));
  t.match(await attempted(11), { state: 'delivered' });
  t.match(webhooks.findWebhook('org_a', id), { failing_since: null });
});

t.test('a webhook that fails for five days is disabled, and a ping enables it again', async (t) => {
  const { webhooks, stores, receiver, id, attempted, emit } = await startTrial(t);
  receiver.answer = (response) => void response.writeHead(500).end();
  emit();
  await attempted(1);
  t.not(webhooks.findWebhook('org_a', id)?.failing_since, null);
  stores.clock.nowMs += 5 * dayMs;
  webhooks.start();
  t.match(await attempted(2), { state: 'failed' });
  t.match(webhooks.findWebhook('org_a', id), { disabled: 'failing' });
  emit();
  const page = webhooks.listDeliveries('org_a', id, { limit: 9, offset: 0 });
  t.equal(page?.total, 1, 'a disabled webhook gets no more events');
  receiver.answer = (response) => void response.writeHead(200).end();
  webhooks.addPing('org_a', id);
  t.match(await attempted(1), { type: 'webhook.ping', state: 'delivered' });
  t.match(webhooks.findWebhook('org_a', id), { disabled: null, failing_since: null });
});

t.test('410 disables a webhook at once', async (t) => {
  const { webhooks, receiver, id, attempted, emit } = await startTrial(t);
  receiver.answer = (response) => void response.writeHead(410).end();
  emit();
  t.match(await attempted(1), { state: 'failed' });
  t.match(webhooks.findWebhook('org_a', id), { disabled: 'gone' });
});

t.test('a redirect is not followed, and of a huge answer the start is kept', async (t) => {
  const { receiver, attempted, emit } = await startTrial(t);
  const location = `${receiver.url}/else`;
  receiver.answer = (response) => void response.writeHead(302, { location }).end();
  emit();
  t.match((await attempted(1)).attempts, [{ status: 302, error: /^answered 302, a redirect/ }]);
  t.match(receiver.received, [{ path: '/hook' }]);
  t.equal(receiver.received.length, 1);
  receiver.answer = (response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  };
  emit();
  const { attempts, state } = await attempted(1);
  t.equal(attempts[0]?.answer, 'x'.repeat(1024));
  t.equal(state, 'delivered');
});

t.test('one slow receiver delays no other webhook, and its messages come one by one', async (t) => {
  const { webhooks, receiver, attempted, emit } = await startTrial(t);
  const held: (() => void)[] = [];
  receiver.answer = (response, { path }) => {
    if (path === '/hook') held.push(() => void response.writeHead(204).end());
    else response.writeHead(204).end();
  };
  emit();
  emit();
  const url = `${receiver.url}/quick`;
  const quick = webhooks.createWebhook('org_a', { url, events: ['campaign.finished'] });
  emit();
  await receiver.hasReceived(2);
  const { deliveries = [] } =
    webhooks.listDeliveries('org_a', quick.id, { limit: 1, offset: 0 }) ?? {};
  t.equal(deliveries.length, 1);
  webhooks.addPing('org_a', quick.id);
  await waitForAttempts(webhooks, quick.id, 1);
  t.equal(held.length, 1, 'the next message to the slow one waits');
  for (let count = 1; count <= 3; count += 1) {
    await receiver.hasReceived(count + 2);
    held.shift()?.();
  }
  t.match(await attempted(1), { state: 'delivered' });
});

t.test('what a closed service was sending is sent by the next one', async (t) => {
  const { webhooks, stores, receiver, emit } = await startTrial(t);
  receiver.answer = () => undefined;
  emit();
  await receiver.hasReceived(1);
  await webhooks.close(0);
  receiver.answer = (response) => void response.writeHead(204).end();
  open(t, stores, receiver).start();
  await receiver.hasReceived(2);
  const [one, two] = receiver.received;
  t.equal(one?.headers['webhook-id'], two?.headers['webhook-id']);
});

t.test('webhooks and their logs are bounded', async (t) => {
  const { webhooks, stores, receiver, id, emit } = await startTrial(t);
  receiver.answer = () => undefined;
  for (let count = 0; count < deliveriesMax + 5; count += 1) emit();
  const page = webhooks.listDeliveries('org_a', id, { limit: 1, offset: 0 });
  t.equal(page?.total, deliveriesMax);
  const { url } = receiver;
  const make = () => webhooks.createWebhook('org_a', { url, events: ['campaign.failed'] });
  for (let count = 1; count < webhooksMax; count += 1) make();
  t.throws(make, { code: 'CONFLICT', message: /has 20 webhooks/ });
  const data = { text: 'x'.repeat(20_000) };
  const event = { organizationUid: 'org_a', type: 'campaign.failed', data } as const;
  t.throws(() => webhooks.emit(event), /at most 16384/);
  await webhooks.close(0);
  stores.clock.nowMs += 31 * dayMs;
  await collectExpired(stores.db, [webhooks]);
  t.equal(webhooks.listDeliveries('org_a', id, { limit: 1, offset: 0 })?.total, 0);
});
