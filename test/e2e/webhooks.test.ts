/** Webhooks of a service as it is started: its API, a kill, and live links beside a receiver that does not answer. */
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { demoKey, startService } from './service.ts';
import type { Service } from './service.ts';

const headers = { 'X-API-Key': demoKey };

async function call(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const answer = await service.get(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: answer.text === '' ? undefined : answer.json() };
}

/** Resolves when the newest delivery is recorded as delivered. */
async function isDelivered(service: Service, path: string): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- asks until it is so
    const { body } = await call(service, 'GET', path);
    const [newest] = (body as { deliveries: { state: string }[] }).deliveries;
    if (newest?.state === 'delivered') return;
  }
}

t.test('a ping in flight when the service is killed arrives from the next one', async (t) => {
  const receiver = await startReceiver(t);
  const dataDirectory = `${t.testdir()}/data`;
  const options = { dataDirectory, origins: [receiver] };
  const service = await startService(t, options);
  const made = await call(service, 'POST', '/v1/webhooks', { url: receiver.url });
  t.equal(made.status, 201);
  const { id, secret } = made.body as { id: string; secret: string };
  const listed = await call(service, 'GET', '/v1/webhooks');
  t.match(listed.body, { webhooks: [{ id, url: receiver.url, disabled: null }] });
  t.notOk(JSON.stringify(listed).includes(secret), 'the secret is shown once');

  receiver.answer = () => undefined;
  const ping = await call(service, 'POST', `/v1/webhooks/${id}/ping`);
  t.equal(ping.status, 202);
  await receiver.hasReceived(1);
  t.equal((await service.render('welcome-banner.png')).status, 200, 'links are answered meanwhile');
  service.process.kill('SIGKILL');
  await service.process.ended;

  // The claim of the killed attempt, 20 s, is over.
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  db.exec("UPDATE webhook_deliveries SET next_at = 0 WHERE state = 'waiting'");
  db.close();
  receiver.answer = (response) => void response.writeHead(204).end();
  const next = await startService(t, options);
  await receiver.hasReceived(2);
  const [one, two] = receiver.received;
  t.equal(two?.headers['webhook-id'], one?.headers['webhook-id']);
  t.match(ping.body, { id: two?.headers['webhook-id'] });
  t.ok(new Verifier(secret).verify(two?.body ?? '', two?.headers ?? {}));
  const deliveryPath = `/v1/webhooks/${id}/deliveries`;
  // A retry of a delivery that is still under way is the same delivery.
  await isDelivered(next, deliveryPath);
  const again = `${deliveryPath}/${two?.headers['webhook-id'] ?? ''}/retry`;
  t.equal((await call(next, 'POST', again)).status, 202);
  await receiver.hasReceived(3);
  t.match((await call(next, 'GET', deliveryPath)).body, { total: 1, limit: 20, offset: 0 });

  for (const url of ['ftp://example.com/', 'http://example.com/', 'https://10.0.0.1/', 'x']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const refused = await call(next, 'POST', '/v1/webhooks', { url });
    t.match(refused, { status: 400, body: { details: [{ path: 'url' }] } }, url);
  }
  const events = ['template.failing', 'template.sold'];
  const odd = await call(next, 'POST', '/v1/webhooks', { url: receiver.url, events });
  t.equal(odd.status, 400);
  t.equal((await call(next, 'DELETE', `/v1/webhooks/${id}`)).status, 204);
  t.equal((await call(next, 'GET', deliveryPath)).status, 404);
});

t.test(
  'a template whose links begin to fail is reported, and counts outlast the service',
  async (t) => {
    const receiver = await startReceiver(t);
    const dataDirectory = `${t.testdir()}/data`;
    const options = { dataDirectory, origins: [receiver] };
    const service = await startService(t, options);
    const { body } = await call(service, 'POST', '/v1/webhooks', {
      url: receiver.url,
      events: ['template.failing'],
    });
    const { secret } = body as { secret: string };
    const failures = 25;
    for (let count = 0; count < failures; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await service.render('welcome-banner.png?_scale=9');
      t.equal(answer.status, 400);
    }
    await receiver.hasReceived(1);
    const [message] = receiver.received;
    const event = new Verifier(secret).verify(message?.body ?? '', message?.headers ?? {});
    t.match(event, {
      type: 'template.failing',
      data: { template: 'welcome-banner', errors: { BAD_REQUEST: Number } },
    });
    t.equal((await service.render('welcome-banner.png')).status, 200);
    service.process.kill('SIGTERM');
    await service.process.ended;
    const next = await startService(t, options);
    const statistics = await call(next, 'GET', '/v1/templates/welcome-banner/statistics');
    t.match(statistics.body, {
      total: { images: 1, drawn: 1, errors: failures },
      errors: [{ code: 'BAD_REQUEST', errors: failures }],
      clients: [{ client: 'program', images: 1 }],
    });
  },
);
