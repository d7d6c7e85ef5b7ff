/** Two real services over one real PostgreSQL server. */
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import type { Answer } from '../e2e/request.ts';
import { extent } from '../helpers/extent.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import { decodePixels } from '../helpers/render.ts';
import { key, send } from './content.ts';

t.test('two nodes share one database', { skip: skipsPostgres, timeout: 300_000 }, async (t) => {
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const start = (name: string, mayBeUnready = false): Promise<Service> =>
    startService(t, {
      dataDirectory: join(folder, name),
      environment: { PLATEN_DATABASE_URL: url },
      mayBeUnready,
    });
  const a = await start('a');
  let b = await start('b');

  await t.test('both have the samples and one demo organization', async (t) => {
    const lists = await Promise.all(
      [a, b].map((each) => each.get('/v1/templates?limit=100', { headers: key })),
    );
    t.strictSame(lists[0]?.json(), lists[1]?.json());
    t.equal(postgres.sql('platen', 'SELECT count(*) FROM organizations').trim(), '1');
  });

  await t.test('a node draws the change of the other, also after a lost connection', async (t) => {
    await publish(t, a, 'shared', '#ff0000');
    const red = await drawn(t, b, 'shared');
    await publish(t, a, 'shared', '#0000ff');
    const blue = await drawn(t, b, 'shared', red);
    postgres.sql(
      'postgres',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'platen'",
    );
    await publish(t, a, 'shared', '#ff0000');
    t.equal(await drawn(t, b, 'shared', blue), red);
  });

  await t.test('a node answers with its own change at once', async (t) => {
    const images = new Set<string>();
    const fills = ['#00ff00', '#000000', '#ffffff'];
    for (const fill of fills) {
      await publish(t, a, 'own', fill);
      images.add((await a.render('own.png')).body.toString('base64'));
    }
    t.equal(images.size, fills.length);
  });

  await t.test('one of two concurrent changes of a draft is refused', async (t) => {
    for (let round = 0; round < extent(3, 20); round += 1) {
      const uid = `race-${round}`;
      const { cid } = (await save(a, 'POST', `/v1/templates?uid=${uid}`, '#ff0000')).json() as {
        cid: string;
      };
      await eventually(
        async () => (await b.get(`/v1/templates/${uid}`, { headers: key })).status === 200,
      );
      const answers = await Promise.all([
        save(a, 'PUT', `/v1/templates/${uid}`, '#00ff00', { 'If-Match': `"${cid}"` }),
        save(b, 'PUT', `/v1/templates/${uid}`, '#0000ff', { 'If-Match': `"${cid}"` }),
      ]);
      t.strictSame(
        answers.map(({ status }) => status).toSorted((x, y) => x - y),
        [200, 412],
      );
    }
  });

  await t.test('an answer to an idempotent request is that of the other node', async (t) => {
    const create = (service: Service): Promise<Answer> =>
      save(service, 'POST', '/v1/templates', '#ff0000', { 'Idempotency-Key': '"one"' });
    const first = await create(a);
    t.equal(first.status, 201, first.text);
    t.equal((await create(b)).text, first.text);
  });

  await t.test('with the database away, links are answered and changes are refused', async (t) => {
    postgres.stop();
    for (const service of [a, b]) {
      t.equal((await service.render('hello.png?name=Away')).status, 200);
      const refused = await save(service, 'POST', '/v1/templates?uid=away', '#ff0000');
      t.equal(refused.status, 503, refused.text);
      t.ok(Number(refused.headers['retry-after']) >= 1);
      t.equal((await service.get('/v1/templates/away', { headers: key })).status, 404);
    }
    t.ok(
      await eventually(async () => /"shared_database":"away"/.test((await a.get('/readyz')).text)),
    );
    t.equal((await a.get('/readyz')).status, 200, 'the node stays ready');
    t.equal(await a.metric('platen_shared_database_connected'), 0);
  });

  await t.test('a node starts while the database is away, with what its disk has', async (t) => {
    b.process.kill('SIGTERM');
    await b.process.ended;
    b = await start('b');
    t.equal((await b.render('hello.png?name=Away')).status, 200);
    t.equal((await b.render('shared.png')).status, 200);
    t.equal((await save(b, 'POST', '/v1/templates?uid=away', '#ff0000')).status, 503);
  });

  await t.test('the nodes follow again when it is back', async (t) => {
    postgres.start();
    t.equal(
      postgres.sql('platen', "SELECT count(*) FROM templates WHERE uid = 'away'").trim(),
      '0',
    );
    await publish(t, b, 'back', '#ff0000');
    await drawn(t, a, 'back');
  });

  await t.test('kill -9 in the middle of writes loses and repeats none', async (t) => {
    const stored: string[] = [];
    const count = extent(10, 200);
    let number = 0;
    const writeUntilKilled = async (): Promise<void> => {
      for (;;) {
        number += 1;
        const uid = `killed-${number}`;
        const answer = await save(b, 'POST', `/v1/templates?uid=${uid}`, '#ff0000').catch(
          () => undefined,
        );
        if (answer === undefined) return;
        if (answer.status === 201) stored.push(uid);
      }
    };
    const writers = Array.from({ length: 8 }, writeUntilKilled);
    t.ok(await eventually(() => stored.length >= count));
    b.process.kill('SIGKILL');
    await Promise.all([...writers, b.process.ended]);
    b = await start('b');
    const known = postgres
      .sql('platen', "SELECT uid FROM templates WHERE uid LIKE 'killed-%'")
      .trim()
      .split('\n');
    t.strictSame(
      stored.filter((uid) => !known.includes(uid)),
      [],
      'every acknowledged write is stored',
    );
    t.equal(new Set(known).size, known.length, 'none is stored twice');
    const details = known.map((uid) => b.get(`/v1/templates/${uid}`, { headers: key }));
    t.ok((await Promise.all(details)).every(({ status }) => status === 200));
  });
});

/** The template is published on `service`, also while it connects again. */
async function publish(t: Test, service: Service, uid: string, fill: string): Promise<void> {
  const path = `/v1/templates/${uid}`;
  const isSaved = async (): Promise<boolean> => {
    const { status } = await service.get(path, { headers: key });
    const saved =
      status === 200
        ? await save(service, 'PUT', path, fill)
        : await save(service, 'POST', `/v1/templates?uid=${uid}`, fill);
    return saved.status < 300;
  };
  t.ok(await eventually(isSaved));
  const published = await send(service, 'POST', `${path}/publish`, {});
  t.equal(published.status, 200, published.text);
}

/**
 * The pixels of the image as text, once the service has it and they are not those of `before`. Files of the same pixels
 * differ between a process with a base render and one without.
 */
async function drawn(t: Test, service: Service, uid: string, before = ''): Promise<string> {
  let pixels = before;
  const isNew = async (): Promise<boolean> => {
    const { status, body } = await service.render(`${uid}.png`);
    if (status !== 200) return false;
    pixels = (await decodePixels(body)).data.toString('base64');
    return pixels !== before;
  };
  t.ok(await eventually(isNew));
  return pixels;
}

function save(
  service: Service,
  method: string,
  path: string,
  fill: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const box = { id: 'box', type: 'rect', x: 0, y: 0, width: 20, height: 20, fill };
  const document = { format: 1, name: 'Box', width: 20, height: 20, variables: [], layers: [box] };
  return send(service, method, path, document, headers);
}
