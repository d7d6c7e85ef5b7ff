import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { openAsItIs } from '../../src/store/database/database.ts';
import type { Answer } from '../e2e/request.ts';
import { eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import { key, lobster, photo, send } from './content.ts';

const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="9" cy="9" r="8"/></svg>',
);
t.test('nodes hold a part of the files', { skip: skipsPostgres, timeout: 300_000 }, async (t) => {
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const start = (name: string): Promise<Service> =>
    startService(t, {
      dataDirectory: join(folder, name),
      environment: { PLATEN_DATABASE_URL: url },
    });
  const a = await start('a');
  let b = await start('b');
  const restart = async (service: Service): Promise<Service> => {
    service.process.kill('SIGTERM');
    await service.process.ended;
    return start('b');
  };
  const assets = join(folder, 'b/assets');
  const [photoId, drawingId] = [await upload(a, photo), await upload(a, drawing)];
  await send(a, 'POST', '/v1/fonts?family=Lobster', lobster);
  await publish(t, a, 'photo', { type: 'image', src: photoId });
  await publish(t, a, 'drawing', { type: 'image', src: drawingId });
  const variable = { name: 'image', type: 'image', value: drawingId };
  await publish(t, a, 'any', { type: 'image', src: '{{image}}' }, [variable]);
  await publish(t, a, 'letters', { type: 'text', text: 'Amanda', fontFamily: 'Lobster' });

  await t.test('files come to a node before a link needs them', async (t) => {
    const digests = [photoId, drawingId].map(digestIn);
    t.ok(await eventually(() => digests.every((digest) => namesIn(assets).includes(digest))));
    t.ok(await eventually(() => namesIn(join(folder, 'b/fonts/own/org_demo')).length === 1));
    for (const name of ['a', 'b']) {
      const db = openAsItIs(join(folder, name, 'platen.db'));
      const longest = (table: string): unknown =>
        db.prepare(`SELECT max(octet_length(bytes)) FROM ${table}`).pluck().get();
      t.strictSame([longest('assets'), longest('fonts')], [1, 1], 'their databases have none');
      db.close();
    }
  });

  await t.test('a node brings a file that it lacks', async (t) => {
    for (const uid of ['photo', 'drawing', 'letters']) {
      rmSync(assets, { recursive: true, force: true });
      rmSync(join(folder, 'b/fonts/own'), { recursive: true, force: true });
      const image = await b.render(`${uid}.png?_scale=2`);
      t.equal(image.headers['x-render-warnings'], undefined, uid);
      t.ok(image.body.equals((await a.render(`${uid}.png?_scale=2`)).body), uid);
    }
    t.ok((await readAsset(b, photoId)).body.equals(photo));
  });

  await t.test('a damaged file comes again', async (t) => {
    const c = await restart(b);
    const file = join(assets, digestIn(photoId));
    t.ok(await eventually(() => existsSync(file)));
    writeFileSync(file, photo.subarray(1000));
    t.ok((await readAsset(c, photoId)).body.equals(photo));
    t.ok(await eventually(() => existsSync(file) && readFileSync(file).equals(photo)));
    b = c;
  });

  await t.test('without the shared database, a reader gets an image in any case', async (t) => {
    const otherId = await upload(a, Buffer.concat([photo, Buffer.of(0)]));
    t.ok(await eventually(() => namesIn(assets).includes(digestIn(otherId))));
    postgres.stop();
    t.ok(await eventually(async () => /"away"/.test((await b.get('/readyz')).text)));
    const draw = (id: string, headers = {}): Promise<Answer> =>
      b.get(`/v1/render/any.png?image=${id}`, { headers });
    t.equal((await draw(drawingId)).status, 200, 'the disk has its file');
    rmSync(assets, { recursive: true });
    const refused = await draw(otherId);
    t.equal(refused.status, 503, refused.text);
    t.ok(Number(refused.headers['retry-after']) >= 1);
    t.equal((await readAsset(b, otherId)).status, 503);
    const shown = await draw(otherId, { Accept: 'image/*' });
    t.equal(shown.status, 200);
    t.equal(shown.headers['content-type'], 'image/png');
    t.equal(shown.headers['x-render-error'], 'OVERLOADED');
    postgres.start();
    t.ok(await eventually(async () => (await draw(otherId)).status === 200));
  });

  await t.test('an upload of what is there already leaves the file as it is', async (t) => {
    t.equal(await upload(a, photo), photoId);
    const bytes = `SELECT min(octet_length(bytes)) FROM assets WHERE digest = '${digestIn(photoId)}'`;
    t.equal(postgres.sql('platen', bytes).trim(), String(photo.byteLength));
  });
});

function digestIn(id: string): string {
  return id.replace('asset:', '');
}

function readAsset(service: Service, id: string): Promise<Answer> {
  return service.get(`/v1/assets/${id}`, { headers: key });
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

async function upload(service: Service, file: Buffer): Promise<string> {
  const { id } = (await send(service, 'POST', '/v1/assets', file)).json() as { id: string };
  return id;
}

async function publish(
  t: Test,
  service: Service,
  uid: string,
  layer: Record<string, unknown>,
  variables: readonly unknown[] = [],
): Promise<void> {
  const layers = [{ id: 'layer', x: 0, y: 0, width: 40, height: 40, ...layer }];
  const document = { format: 1, name: uid, width: 40, height: 40, variables, layers };
  t.equal((await send(service, 'POST', `/v1/templates?uid=${uid}`, document)).status, 201);
  t.equal((await send(service, 'POST', `/v1/templates/${uid}/publish`, {})).status, 200);
}
