/** Data tables and webhooks of a service as it is started: rows in every kind of link, and deliveries beside a kill. */
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { createCampaign, waitForRun } from '../mailings/campaigns/campaign-client.ts';
import { checkSame } from './image-bytes.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import type { Answer } from './request.ts';
import { eventually, startService } from './service.ts';
import type { Service } from './service.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const name = { ...textVariable('name', 'friend'), from: 'members.{{id}}.name' };
  publish('card', { variables: [textVariable('id', ''), name], layers: [textLayer('{{name}}')] });
  publish('plain', { variables: [textVariable('name', '')], layers: [textLayer('{{name}}')] });
});
const receiver = await startReceiver(t);
const options = { dataDirectory, origins: [receiver] };
const service = await startService(t, options);

/** Calls an organization endpoint; `body` is sent as JSON, a text as it is. */
function call(to: Service, method: string, path: string, body: unknown = ''): Promise<Answer> {
  return to.get(path, {
    method,
    headers: { 'X-API-Key': testOrganization.key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

t.test('a row is drawn by links, short links and JSON renders alike', async (t) => {
  const list = 'id,name\n8f2c,Wolfeschlegel\n';
  t.equal((await call(service, 'PUT', '/v1/tables/members?key=id', list)).status, 201);
  const [row, friend] = [await service.render('card?id=8f2c'), await service.render('card')];
  await checkSame(t, row, await service.render('plain?name=Wolfeschlegel'), 'the row');
  await checkSame(t, friend, await service.render('plain?name=friend'), 'the default');
  const values = { id: '8f2c', name: 'Spoofed' };
  const posted = await call(service, 'POST', '/v1/render/card', { values });
  t.ok(posted.body.equals(row.body));
  const order = { values, response: 'url', short: true };
  const made = await call(service, 'POST', '/v1/render/card', order);
  t.match(made.json(), { ignored: ['name'] });
  const { pathname } = new URL((made.json() as { url: string }).url);
  t.ok((await service.get(pathname)).body.equals(row.body));
  const rows = [{ id: '8f2c', name: 'friend' }];
  t.equal((await call(service, 'PATCH', '/v1/tables/members', { rows })).status, 200);
  t.ok((await service.get(pathname)).body.equals(friend.body), 'a short link has the new row');
  const written = service.process.stdout + service.process.stderr;
  t.notMatch(written, /Wolfeschlegel/, 'the log has no value');
});

t.test('a campaign of ids links the rows of a table', async (t) => {
  const rows = 'id,name\n8f2c,Amanda\nlong,*|FNAME|*\n';
  await call(service, 'PUT', '/v1/tables/members?key=id', rows);
  const list = 'id,name\n8f2c,Spoofed\nnobody,Spoofed\n';
  const made = await createCampaign(service, 'card', 'links', list);
  t.notOk(Object.values(made.body.mapping).includes('name'), 'no column is mapped to it');
  t.equal((await waitForRun(service, made.body.id)).state, 'finished');
  const links = await call(service, 'GET', `/v1/campaigns/${made.body.id}/links.csv`);
  const [, first = '', second = ''] = links.text.split(/\r?\n/);
  t.match(first, /id=8f2c.*Amanda/, 'the alternative text has the row');
  t.notMatch(first, 'name=');
  t.match(second, /id=nobody.*friend/);
});

t.test('a webhook is made, shows its secret once, and has an allowed address', async (t) => {
  const made = await call(service, 'POST', '/v1/webhooks', { url: receiver.url });
  t.equal(made.status, 201);
  const { id, secret } = made.json() as { id: string; secret: string };
  const listed = await call(service, 'GET', '/v1/webhooks');
  t.match(listed.json(), { webhooks: [{ id, url: receiver.url, disabled: null }] });
  t.notOk(listed.text.includes(secret));
  for (const url of ['ftp://example.com/', 'http://example.com/', 'https://10.0.0.1/', 'x']) {
    const refused = await call(service, 'POST', '/v1/webhooks', { url });
    t.equal(refused.status, 400, url);
    t.match(refused.json(), { details: [{ path: 'url' }] }, url);
  }
  const events = ['template.failing', 'template.sold'];
  const odd = await call(service, 'POST', '/v1/webhooks', { url: receiver.url, events });
  t.equal(odd.status, 400);
  t.equal((await call(service, 'DELETE', `/v1/webhooks/${id}`)).status, 204);
  const gone = await call(service, 'GET', `/v1/webhooks/${id}/deliveries`);
  t.equal(gone.status, 404);
});

t.test('a report that a kill interrupts comes from the next process; counts stay', async (t) => {
  const order = { url: receiver.url, events: ['template.failing'] };
  const made = await call(service, 'POST', '/v1/webhooks', order);
  const { id, secret } = made.json() as { id: string; secret: string };
  receiver.answer = () => undefined;
  const failures = 25;
  for (let count = 0; count < failures; count += 1) {
    t.equal((await service.render('plain?_scale=9')).status, 400);
  }
  await receiver.hasReceived(1);
  t.equal((await service.render('plain')).status, 200, 'links are answered meanwhile');
  // Counts are stored by what reads them.
  await call(service, 'GET', '/v1/templates/plain/statistics');
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
  const event = new Verifier(secret).verify(two?.body ?? '', two?.headers ?? {});
  const data = { template: 'plain', errors: { BAD_REQUEST: Number } };
  t.match(event, { type: 'template.failing', data });
  const statistics = await call(next, 'GET', '/v1/templates/plain/statistics');
  t.match(statistics.json(), {
    total: { errors: failures },
    errors: [{ code: 'BAD_REQUEST', errors: failures }],
  });

  const path = `/v1/webhooks/${id}/deliveries`;
  // A retry of a delivery that is still under way is the same delivery.
  const isDelivered = async (): Promise<boolean> => {
    const { deliveries } = (await call(next, 'GET', path)).json() as {
      deliveries: { state: string }[];
    };
    return deliveries[0]?.state === 'delivered';
  };
  t.ok(await eventually(isDelivered));
  const again = await call(next, 'POST', `${path}/${two?.headers['webhook-id'] ?? ''}/retry`);
  t.equal(again.status, 202);
  await receiver.hasReceived(3);
  t.match((await call(next, 'GET', path)).json(), { total: 1, limit: 20, offset: 0 });
  t.equal((await call(next, 'POST', `/v1/webhooks/${id}/ping`)).status, 202);
  await receiver.hasReceived(4);
});
