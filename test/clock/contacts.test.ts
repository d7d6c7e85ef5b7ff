/** The endpoint that forgets the contacts of evergreen countdowns. */
import t from 'tap';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';

const pool = await sharePool();

type Api = Awaited<ReturnType<typeof startOrganizationApi>>;

/** Publishes a countdown that begins for each contact, whose variable has this default. */
function publishEvergreen(api: Api, uid: string, per: string, value: string): void {
  const frame = { id: 'a', type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
  api.service.publish(uid, {
    clock: { evergreen: '48h', per },
    variables: [{ name: 'contact', type: 'text', value }],
    layers: [{ ...frame, text: '{{countdown.hours}}' }],
  });
}

t.test('a contact, or all contacts, of a template are forgotten', async (t) => {
  const api = await startOrganizationApi(t, pool);
  publishEvergreen(api, 'sale', '{{contact}}', '');
  for (const contact of ['ann', 'bob%20b', 'carl']) {
    await (await api.service.get(`sale?contact=${contact}`)).arrayBuffer();
  }
  const forget = (query: string): Promise<{ status: number; body: unknown }> =>
    api.call('DELETE', `/v1/templates/sale/contacts${query}`);
  t.match(await forget('?contact=bob+b'), { status: 200, body: { deleted: 1, left: 2 } });
  t.match(await forget('?contact=bob+b'), { status: 200, body: { deleted: 0, left: 2 } });
  for (const query of ['?contact=', '?contact=%20', '?contct=ann', '?Contact=ann']) {
    t.match(await forget(query), { status: 400, body: { error: /^Invalid contact/ } }, query);
  }
  t.match(await forget(''), { status: 200, body: { deleted: 2, left: 0 } });
  const unknown = await api.call('DELETE', '/v1/templates/gone/contacts');
  t.equal(unknown.status, 404);
});

t.test('readers without a contact share no countdown', async (t) => {
  const api = await startOrganizationApi(t, pool);
  publishEvergreen(api, 'demo', 'shop-{{contact}}', 'demo');
  for (const query of ['', '?contact=%7B%7Bcontact%7D%7D', '?contact=demo', '?contact=ann']) {
    t.equal((await api.service.get(`demo${query}`)).status, 200, query);
  }
  const { body } = await api.call('DELETE', '/v1/templates/demo/contacts');
  t.match(body, { deleted: 1 }, 'that of ann alone');
});
