/** Programs of Bannerbear and Placid work with another address and key. */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Bannerbear } from 'bannerbear';
import BetterSqlite3 from 'better-sqlite3';
import sharp from 'sharp';
import t from 'tap';
import { makeWithWebhook } from '../../src/adapters/adapter.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import type { PostOutcome } from '../../src/mailings/webhooks/post-message.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';

const apiKey = testOrganization.key;
const green = { name: 'background_color', color: '#00ff00' };

/** Lists within one another. */
function nested(levels: number): unknown[] {
  let list: unknown[] = [];
  for (let level = 1; level < levels; level += 1) list = [list];
  return list;
}

/** The colour of the lower right corner. */
async function corner(link: string): Promise<number[]> {
  const answer = await fetch(link);
  t.equal(answer.status, 200, link);
  const image = sharp(await answer.arrayBuffer());
  const pixel = await image.extract({ left: 290, top: 90, width: 1, height: 1 }).raw().toBuffer();
  return [...pixel.subarray(0, 3)];
}

t.test('calls of other services are answered in their shape', async (t) => {
  const receiver = await startReceiver(t);

  const dataDirectory = fillDataDirectory(
    join(t.testdir(), 'data'),
    ({ publish, organizations }) => {
      publish('card', {
        width: 300,
        height: 100,
        background: '{{background_color}}',
        variables: [
          textVariable('title', 'Title'),
          { name: 'title_color', type: 'color', value: '#000000' },
          { name: 'background_color', type: 'color', value: '#ffffff' },
        ],
        layers: [textLayer('{{title}}', { id: 'title', fill: '{{title_color}}' })],
      });
      organizations.createOrganization('Acme', 'org_acme');
      organizations.createKey('org_acme', { name: 'all', key: 'key-of-acme' });
    },
  );
  const { base } = await startService(t, { dataDirectory, origins: [receiver] });

  await t.test('Bannerbear, asked by its client', async (t) => {
    const client = new Bannerbear(apiKey) as unknown as {
      api: { baseUrl: string };
      syncApi: { baseUrl: string };
    } & Pick<Bannerbear, 'create_image' | 'get_image'>;
    // The client has no option for another address.
    client.api.baseUrl = `${base}/v2`;
    client.syncApi.baseUrl = `${base}/v2`;
    const modifications = [{ name: 'title', text: 'Hello', color: '#ff0000' }, green];
    const params = { modifications, metadata: 'order 7' };
    const made = (await client.create_image('card', params, true)) as {
      uid: string;
      image_url: string;
      self: string;
    };
    t.match(made, { status: 'completed', template: 'card', metadata: 'order 7', width: 300 });
    t.same(await corner(made.image_url), [0, 255, 0]);
    const again = (await client.get_image(made.uid)) as typeof made;
    t.match(again, { uid: made.uid, status: 'completed', image_url: made.image_url });
    t.equal(made.self, `${new URL(made.image_url).origin}/v2/images/${made.uid}`);

    const later = { modifications, webhook_url: receiver.url };
    t.match(await client.create_image('card', later), { status: 'completed' });
    await t.rejects(client.create_image('no-such', {} as never), /HTTP error 404/);
    await t.rejects(client.get_image('abcdefghij0123456789'), /HTTP error 404/);
  });

  const ask = async (
    path: string,
    body?: object,
    key = apiKey,
    further: Record<string, string> = {},
  ): Promise<{ status: number; body: Record<string, string> }> => {
    const answer = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...further },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };

  await t.test('Placid', async (t) => {
    const layers = { title: { text: 'Hello' }, background: { background_color: 'x' } };
    const made = await ask('/api/rest/images', {
      template_uuid: 'card',
      layers: { ...layers, background: { text_color: '#00ff00' } },
      create_now: true,
      webhook_success: receiver.url,
    });
    t.match(made, { status: 200, body: { status: 'finished' } });
    t.same(await corner(made.body['image_url'] ?? ''), [0, 255, 0]);
    const found = await ask(`/api/rest/images/${made.body['id']}`);
    t.same(found, made);
  });

  await receiver.hasReceived(2);
  const messages = receiver.received.map(({ body }): unknown => JSON.parse(body));
  t.match(messages, [{ status: 'completed', template: 'card' }, { status: 'finished' }]);

  await t.test('what clients write for nothing counts as nothing', async (t) => {
    const title = { text: null, image: null, text_color: null };
    for (const layers of [[], { title }]) {
      const made = await ask('/api/rest/images', { template_uuid: 'card', layers });
      t.match(made, { status: 200, body: { status: 'finished' } }, JSON.stringify(layers));
    }
    const made = await ask('/v2/images', { template: 'card', webhook_url: '' });
    t.match(made, { status: 200, body: { webhook_url: null } }, 'complete, and no webhook');
  });

  await t.test('a call that is sent again makes one image', async (t) => {
    const body = { template: 'card', modifications: [green] };
    const send = (key: string): ReturnType<typeof ask> =>
      ask('/v2/images', body, apiKey, { 'Idempotency-Key': `"${key}"` });
    const first = await send('one');
    t.equal(first.status, 200);
    t.same(await send('one'), first);
    t.not((await send('two')).body['uid'], first.body['uid']);
    const other = { ...body, metadata: 'other' };
    const reused = await ask('/v2/images', other, apiKey, { 'Idempotency-Key': '"one"' });
    t.match(reused, { status: 422, body: { message: /used for another request/ } });
  });

  await t.test('an image is found by its organization, by its id alone', async (t) => {
    const { body } = await ask('/v2/images', { template: 'card' });
    for (const [path, key] of [
      [`/v2/images/${body['uid']}.png`, apiKey],
      [`/v2/images/${body['uid']}`, 'key-of-acme'],
      [`/api/rest/images/${body['uid']}`, 'key-of-acme'],
    ] as const) {
      t.same(await ask(path, undefined, key), {
        status: 404,
        body: { message: 'Image not found' },
      });
    }
  });

  await t.test('errors keep their status, and have a message', async (t) => {
    const cases = [
      ['/v2/images', { template: 'card', modifications: 'x' }, 400],
      ['/v2/images', { template: 'card', webhook_url: 'http://10.0.0.1/' }, 400],
      ['/api/rest/images', { template_uuid: 'none' }, 404],
      ['/v2/images', { template: '\ud800' }, 400],
      ['/api/rest/images', { template_uuid: '\udfff' }, 400],
      ['/v2/images', { template: 'card', metadata: nested(501) }, 400],
      ['/v1/webhooks', { url: 'https://example.com/', events: nested(600) }, 400],
    ] as const;
    for (const [path, body, status] of cases) {
      const answer = await ask(path, body);
      t.equal(answer.status, status, JSON.stringify(answer.body));
      const name = path.startsWith('/v1/') ? 'error' : 'message';
      t.type(answer.body[name], 'string', path);
    }
    const deep = { template: 'card', metadata: nested(600) };
    t.match((await ask('/v2/images', deep)).body['message'], /nested deeper than 500 levels/);
    const large = { template: 'card', metadata: 'x'.repeat(300_000) };
    t.match(await ask('/v2/images', large), { status: 413, body: { message: String } });
    const unknown = await ask('/v2/images/abcdefghij0123456789');
    t.same(unknown, { status: 404, body: { message: 'Image not found' } });
    // Nothing of a body is read before its key is checked.
    const wrong = await ask('/v2/images', { template: 'card', metadata: nested(600) }, 'wrong');
    t.equal(wrong.status, 401);
    t.same(wrong.body, { message: 'Invalid API key' });
    t.equal((await ask('/v2/images/abcdefghij0123456789', undefined, 'wrong')).status, 401);
  });

  await t.test('a call whose webhook is refused leaves no link', async (t) => {
    const database = new BetterSqlite3(join(dataDirectory, 'platen.db'), { readonly: true });
    t.teardown(() => database.close());
    const count = (): unknown => database.prepare('SELECT count(*) FROM short_links').get();
    const before = count();
    const body = { template: 'card', webhook_url: 'http://10.0.0.1/' };
    t.equal((await ask('/v2/images', body)).status, 400);
    t.same(count(), before);
    await ask('/v2/images', { template: 'card', modifications: [{ name: 'title', text: 'New' }] });
    t.notSame(count(), before, 'one that is answered does');
  });
});

t.test('webhooks to hosts that hang hold the share of one organization', async (t) => {
  const { promise: hanging, resolve } = Promise.withResolvers<PostOutcome>();
  const parts = {
    innerUrl: () => '',
    publicUrl: () => '',
    poster: { checkUrl: () => undefined, post: () => hanging },
    organizations: { findByKey: (key: string) => ({ uid: key }) },
  };
  let images = 0;
  const call = async (key: string): Promise<unknown> =>
    makeWithWebhook(parts, { apiKey: key } as Exchange, 'https://example.com/', () => {
      images += 1;
      return Promise.resolve({ id: 'a', value: {} });
    });
  await Promise.all(Array.from({ length: 25 }, () => call('org_a')));
  await t.rejects(call('org_a'), { code: 'OVERLOADED', message: /25 at a time/ });
  t.equal(images, 25, 'the image of a refused one is not made');
  await call('org_b');
  resolve({ status: 200 });
  await turn();
  await call('org_a');
});
