import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { decodePixels } from '../helpers/render.ts';
import { fillDataDirectory, imageLayer, testOrganization, textLayer } from './published.ts';
import { demoKey, startService } from './service.ts';

const image = readFileSync(join(import.meta.dirname, '../golden/images/exif-6.jpg'));
const lobster = readFont('lobster/400Regular/Lobster_400Regular.ttf');
const origin = await startOrigin({
  '/mug.jpg': (_, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(image),
});
t.teardown(origin.close);
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ organizations, publish }) => {
  publish('unfounded', { layers: [textLayer('Nobody', { fontFamily: 'Nobody' })] });
  organizations.createKey(testOrganization.uid, {
    name: 'reader',
    key: 'key-of-a-reader',
    scopes: ['read'],
  });
});
const service = await startService(t, {
  dataDirectory,
  origins: [origin],
  environment: { PLATEN_STORAGE_MIB: '1' },
});

interface Called {
  status: number;
  headers: Headers;
  bytes: Buffer;
  json: Record<string, unknown>;
}

async function call(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  key = testOrganization.key,
): Promise<Called> {
  const answer = await fetch(`${service.base}${path}`, {
    method,
    headers: { 'X-API-Key': key },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const json = (isJson ? JSON.parse(bytes.toString()) : {}) as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, bytes, json };
}

const save = (uid: string, layers: unknown[]): Promise<Called> =>
  call(
    'POST',
    `/v1/templates?uid=${uid}`,
    JSON.stringify({ format: 1, name: uid, width: 240, height: 60, variables: [], layers }),
  );

t.test('an upload is an asset by its content, and stored once', async (t) => {
  const first = await call('POST', '/v1/assets', image);
  t.equal(first.status, 200);
  t.match(first.json, { type: 'image/jpeg', width: 48, height: 36, bytes: image.length });
  t.match(first.json['id'], /^asset:[0-9a-f]{64}$/);
  t.same((await call('POST', '/v1/assets', image)).json, first.json);
  const byUrl = JSON.stringify({ url: origin.url('/mug.jpg') });
  t.equal((await call('POST', '/v1/assets', byUrl)).json['id'], first.json['id'], 'by its address');
  t.equal((await call('GET', '/v1/assets')).json['total'], 1);
  const file = await call('GET', `/v1/assets/${String(first.json['id'])}`);
  t.ok(file.bytes.equals(image));
  if (process.env['TEST_DATABASE'] === undefined) {
    t.notOk(existsSync(join(dataDirectory, 'assets')), 'the database alone has the file');
  }
  t.equal(file.headers.get('x-content-type-options'), 'nosniff');
  t.match(file.headers.get('content-security-policy'), /sandbox/);
});

t.test('an asset is its organization’s alone, and writing needs the scope', async (t) => {
  const { json } = await call('POST', '/v1/assets', image);
  const path = `/v1/assets/${String(json['id'])}`;
  t.equal((await call('GET', path, undefined, demoKey)).status, 404);
  t.equal((await call('DELETE', path, undefined, demoKey)).status, 404);
  t.equal((await call('GET', path, undefined, 'wrong')).status, 401);
  t.equal((await call('GET', path, undefined, 'key-of-a-reader')).status, 200);
  t.equal((await call('DELETE', path, undefined, 'key-of-a-reader')).status, 403);
  t.equal((await call('POST', '/v1/assets', image, 'key-of-a-reader')).status, 403);
  t.equal((await call('POST', '/v1/fonts', lobster, 'key-of-a-reader')).status, 403);
});

t.test('an SVG is kept as it was uploaded, and drawn from a drawing of it', async (t) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>alert(1)</script><rect width="40" height="20" fill="#ff0000"/></svg>';
  const { status, json } = await call('POST', '/v1/assets', svg);
  t.equal(status, 200);
  t.match(json, { type: 'image/svg+xml', width: 40, height: 20 });
  const id = String(json['id']);
  const file = await call('GET', `/v1/assets/${id}`);
  t.equal(file.bytes.toString(), svg);
  t.match(file.headers.get('content-disposition'), /^attachment/);
  t.equal((await save('vector', [imageLayer(id)])).status, 201);
  t.equal((await call('POST', '/v1/templates/vector/publish')).status, 200);
  const { data, width } = await decodePixels((await service.render('vector.png')).body);
  t.same([...data.subarray((20 * width + 220) * 4).subarray(0, 4)], [255, 0, 0, 255]);
});

t.test('an asset goes only while no template names it', async (t) => {
  const { json } = await call('POST', '/v1/assets', image);
  const path = `/v1/assets/${String(json['id'])}`;
  await save('mug', [imageLayer(String(json['id']))]);
  const refused = await call('DELETE', path);
  t.equal(refused.status, 409);
  t.match(refused.json['error'], /"mug"/);
  await call(
    'PUT',
    '/v1/templates/mug',
    JSON.stringify({ format: 1, name: 'mug', width: 9, height: 9, variables: [], layers: [] }),
  );
  t.equal((await call('DELETE', path)).status, 204);
  t.equal((await call('GET', path)).status, 404);
});

t.test('what is no image, too large or not to be had is refused with its cause', async (t) => {
  const wrong: [body: string | Uint8Array<ArrayBuffer>, status: number, cause: RegExp][] = [
    ['', 400, /empty/],
    ['some text', 415, /is text/],
    ['<!doctype html>', 415, /is HTML/],
    [image.subarray(0, 1900), 400, /cut off|damaged/],
    ['{"url": "file:///etc/passwd"}', 400, /no http/],
    ['{"url": "http://169.254.169.254/latest"}', 400, /./],
    [JSON.stringify({ url: origin.url('/nothing') }), 400, /404/],
    ['{"address": "x"}', 400, /url/],
    [new Uint8Array(11 * 1024 * 1024), 413, /10485760/],
  ];
  for (const [body, status, cause] of wrong) {
    const answer = await call('POST', '/v1/assets', body);
    t.equal(answer.status, status, cause.source);
    t.match(answer.json['error'], cause);
  }
});

t.test('an organization draws with its own font, which no other one sees', async (t) => {
  const font = await call('POST', '/v1/fonts?family=Our+Brand', lobster);
  t.equal(font.status, 201);
  t.match(font.json, {
    family: 'Our Brand',
    fullName: 'Lobster Regular',
    weight: 400,
    italic: false,
  });
  t.equal(font.json['embedding'], 'installable');
  const layers = [textLayer('Lobster', { fontFamily: 'our brand', height: 60, fontSize: 40 })];
  const template = { format: 1, name: 'x', width: 240, height: 60, variables: [], layers };
  const draw = (key: string): Promise<Called> =>
    call('POST', '/v1/preview', JSON.stringify({ template }), key);
  const [stored, foreign] = [await draw(testOrganization.key), await draw(demoKey)];
  t.equal(stored.headers.get('x-render-warnings'), null);
  t.match(foreign.headers.get('x-render-warnings'), /FONT_MISSING/);
  t.notOk(stored.bytes.equals(foreign.bytes));
  const names = async (key: string): Promise<unknown[]> => {
    const { families } = (await call('GET', '/v1/fonts', undefined, key)).json as {
      families: { family: string }[];
    };
    return families.map(({ family }) => family);
  };
  t.ok((await names(testOrganization.key)).includes('Our Brand'));
  t.notOk((await names(demoKey)).includes('Our Brand'));
  t.ok((await names(demoKey)).includes('Inter'));
});

t.test(
  'a family that is not there is not published, and one that is missing is kept by no cache',
  async (t) => {
    const layers = [textLayer('Later', { fontFamily: 'Late Font', height: 60, fontSize: 40 })];
    await save('late', layers);
    const refused = await call('POST', '/v1/templates/late/publish');
    t.equal(refused.status, 400);
    t.match(refused.json['details'], [
      { path: 'layers[0].fontFamily', message: /"Late Font", expected a font family/ },
    ]);
    const missing = await service.render('unfounded.png?_version=1');
    t.match(missing.headers['x-render-warnings'], /FONT_MISSING/);
    t.equal(missing.headers['cache-control'], 'public, max-age=15');
    t.equal(missing.headers.etag, undefined);
  },
);

t.test('a new face changes no version: published again, the template takes it', async (t) => {
  const layers = [textLayer('Later', { fontFamily: 'Late Font', height: 60, fontSize: 40 })];
  await save('late', layers);
  const regular = readFont('space-mono/400Regular/SpaceMono_400Regular.ttf');
  const bold = readFont('space-mono/700Bold/SpaceMono_700Bold.ttf');
  const added = await call('POST', '/v1/fonts?family=Late+Font', regular);
  t.equal(added.status, 201);
  t.equal((await call('POST', '/v1/templates/late/publish')).status, 200);
  const before = await service.render('late.png?_version=1');
  t.equal(before.headers['x-render-warnings'], undefined);
  t.match(before.headers['cache-control'], /immutable/);
  t.match((await call('POST', '/v1/fonts?family=Late+Font', bold)).json, { weight: 700 });
  for (const link of ['late.png?_version=1', 'late.png']) {
    t.equal((await service.render(link)).headers.etag, before.headers.etag, link);
  }
  t.equal((await call('POST', '/v1/templates/late/publish')).status, 200);
  t.not((await service.render('late.png')).headers.etag, before.headers.etag);
  t.equal((await service.render('late.png?_version=1')).headers.etag, before.headers.etag);
  const path = `/v1/fonts/${String(added.json['id'])}`;
  const refused = await call('DELETE', path);
  t.equal(refused.status, 409);
  t.match(refused.json['error'], /"late"/);
  t.equal((await call('DELETE', path, undefined, demoKey)).status, 404);
});

t.test('what is no sound font is refused, and so is a bundled name', async (t) => {
  const wrong: [path: string, body: string | Uint8Array<ArrayBuffer>, status: number][] = [
    ['/v1/fonts', '', 400],
    ['/v1/fonts', 'no font', 415],
    ['/v1/fonts', image, 415],
    ['/v1/fonts', lobster.subarray(0, 5000), 400],
    ['/v1/fonts?family=inter', lobster, 409],
    ['/v1/fonts?family=%22quoted%22', lobster, 400],
  ];
  for (const [path, body, status] of wrong) {
    const answer = await call('POST', path, body);
    t.equal(answer.status, status, answer.json['error'] as string);
  }
});

t.test('more than the quota is refused', async (t) => {
  // A bitmap file without compression: head of 54 bytes, 24 bits a pixel.
  const bitmap = new Uint8Array(54 + 484 * 3 * 483);
  const view = new DataView(bitmap.buffer);
  bitmap.set([0x42, 0x4d]);
  for (const [at, value] of [
    [2, bitmap.length],
    [10, 54],
    [14, 40],
    [18, 484],
    [22, 483],
  ] as const) {
    view.setUint32(at, value, true);
  }
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  const answer = await call('POST', '/v1/assets', bitmap);
  t.equal(answer.status, 413);
  t.match(answer.json['error'], /may store 1 MiB/);
});

function readFont(path: string): Buffer<ArrayBuffer> {
  return readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${path}`)));
}
