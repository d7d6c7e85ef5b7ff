import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { decodePixels } from '../helpers/render.ts';
import { fillDataDirectory, imageLayer, testOrganization, textLayer } from './published.ts';
import type { Answer } from './request.ts';
import { demoKey, startService } from './service.ts';

const image = readFileSync(join(import.meta.dirname, '../golden/images/exif-6.jpg'));
const lobster = readFont('lobster/400Regular/Lobster_400Regular.ttf');
const origin = await startOrigin({
  '/mug.jpg': (_, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(image),
});
t.teardown(origin.close);
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('unfounded', { layers: [textLayer('Nobody', { fontFamily: 'Nobody' })] });
});
const service = await startService(t, {
  dataDirectory,
  origins: [origin],
  environment: { PLATEN_STORAGE_MIB: '1' },
});

type Called = Answer & { fields: Record<string, unknown> };

/** Calls an organization endpoint; `fields` are those of its JSON. */
async function call(
  method: string,
  path: string,
  body: string | Buffer = '',
  key = testOrganization.key,
): Promise<Called> {
  const answer = await service.get(path, { method, headers: { 'X-API-Key': key }, body });
  const isJson = answer.headers['content-type'] === 'application/json' && answer.text !== '';
  return { ...answer, fields: (isJson ? answer.json() : {}) as Record<string, unknown> };
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
  t.match(first.fields, { type: 'image/jpeg', width: 48, height: 36, bytes: image.length });
  t.match(first.fields['id'], /^asset:[0-9a-f]{64}$/);
  t.same((await call('POST', '/v1/assets', image)).fields, first.fields);
  const byUrl = await call('POST', '/v1/assets', JSON.stringify({ url: origin.url('/mug.jpg') }));
  t.equal(byUrl.fields['id'], first.fields['id']);
  t.equal((await call('GET', '/v1/assets')).fields['total'], 1);
  const file = await call('GET', `/v1/assets/${String(first.fields['id'])}`);
  t.ok(file.body.equals(image));
  if (process.env['TEST_DATABASE'] === undefined) {
    t.notOk(existsSync(join(dataDirectory, 'assets')), 'the database alone has the file');
  }
  t.equal(file.headers['x-content-type-options'], 'nosniff');
  t.match(file.headers['content-security-policy'], /sandbox/);
});

t.test('an SVG is kept as it was uploaded, and drawn from a drawing of it', async (t) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>alert(1)</script><rect width="40" height="20" fill="#ff0000"/></svg>';
  const { status, fields } = await call('POST', '/v1/assets', svg);
  t.equal(status, 200);
  t.match(fields, { type: 'image/svg+xml', width: 40, height: 20 });
  const id = String(fields['id']);
  const file = await call('GET', `/v1/assets/${id}`);
  t.equal(file.body.toString(), svg);
  t.match(file.headers['content-disposition'], /^attachment/);
  t.equal((await save('vector', [imageLayer(id)])).status, 201);
  t.equal((await call('POST', '/v1/templates/vector/publish')).status, 200);
  const { data, width } = await decodePixels((await service.render('vector.png')).body);
  t.same([...data.subarray((20 * width + 220) * 4).subarray(0, 4)], [255, 0, 0, 255]);
});

t.test('what is no image, too large or not to be had is refused with its cause', async (t) => {
  const flat = sharp({ create: { width: 64, height: 64, channels: 3, background: '#36c' } });
  const claim = await flat.avif({ effort: 0 }).toBuffer();
  const extent = claim.indexOf('ispe') + 8;
  claim.writeUInt32BE(7000, extent);
  claim.writeUInt32BE(7000, extent + 4);
  const wrong: [body: string | Buffer, status: number, cause: RegExp][] = [
    ['', 400, /empty/],
    ['some text', 415, /is text/],
    ['<!doctype html>', 415, /is HTML/],
    [image.subarray(0, 1900), 400, /cut off|damaged/],
    ['{"url": "file:///etc/passwd"}', 400, /no http/],
    ['{"url": "http://169.254.169.254/latest"}', 400, /./],
    [JSON.stringify({ url: origin.url('/nothing') }), 400, /404/],
    ['{"address": "x"}', 400, /url/],
    [claim, 413, /needs \d+ MB to decode, the limit is 340 MB: use a smaller image/],
    [Buffer.alloc(11 * 1024 * 1024), 413, /10485760/],
  ];
  for (const [body, status, cause] of wrong) {
    const answer = await call('POST', '/v1/assets', body);
    t.equal(answer.status, status, cause.source);
    t.match(answer.fields['error'], cause);
  }
});

t.test('an organization draws with its own font, which no other one sees', async (t) => {
  const font = await call('POST', '/v1/fonts?family=Our+Brand', lobster);
  t.equal(font.status, 201);
  t.match(font.fields, {
    family: 'Our Brand',
    fullName: 'Lobster Regular',
    weight: 400,
    italic: false,
  });
  t.equal(font.fields['embedding'], 'installable');
  const layers = [textLayer('Lobster', { fontFamily: 'our brand', height: 60, fontSize: 40 })];
  const template = { format: 1, name: 'x', width: 240, height: 60, variables: [], layers };
  const draw = (key: string): Promise<Called> =>
    call('POST', '/v1/preview', JSON.stringify({ template }), key);
  const [stored, foreign] = [await draw(testOrganization.key), await draw(demoKey)];
  t.equal(stored.headers['x-render-warnings'], undefined);
  t.match(foreign.headers['x-render-warnings'], /FONT_MISSING/);
  t.notOk(stored.body.equals(foreign.body));
  const names = async (key: string): Promise<unknown[]> => {
    const { families } = (await call('GET', '/v1/fonts', '', key)).fields as {
      families: { family: string }[];
    };
    return families.map(({ family }) => family);
  };
  t.ok((await names(testOrganization.key)).includes('Our Brand'));
  t.notOk((await names(demoKey)).includes('Our Brand'));
  t.ok((await names(demoKey)).includes('Inter'));
});

t.test('an image that lacks a font is kept by no cache', async (t) => {
  const missing = await service.render('unfounded.png?_version=1');
  t.match(missing.headers['x-render-warnings'], /FONT_MISSING/);
  t.equal(missing.headers['cache-control'], 'public, max-age=15');
  t.equal(missing.headers.etag, undefined);
});

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
  t.match((await call('POST', '/v1/fonts?family=Late+Font', bold)).fields, { weight: 700 });
  for (const link of ['late.png?_version=1', 'late.png']) {
    t.equal((await service.render(link)).headers.etag, before.headers.etag, link);
  }
  t.equal((await call('POST', '/v1/templates/late/publish')).status, 200);
  t.not((await service.render('late.png')).headers.etag, before.headers.etag);
  t.equal((await service.render('late.png?_version=1')).headers.etag, before.headers.etag);
  const path = `/v1/fonts/${String(added.fields['id'])}`;
  const refused = await call('DELETE', path);
  t.equal(refused.status, 409);
  t.match(refused.fields['error'], /"late"/);
  t.equal((await call('DELETE', path, '', demoKey)).status, 404);
});

t.test('what is no sound font is refused, and so is a bundled name', async (t) => {
  const wrong: [path: string, body: string | Buffer, status: number][] = [
    ['/v1/fonts', '', 400],
    ['/v1/fonts', 'no font', 415],
    ['/v1/fonts', image, 415],
    ['/v1/fonts', lobster.subarray(0, 5000), 400],
    ['/v1/fonts?family=inter', lobster, 409],
    ['/v1/fonts?family=%22quoted%22', lobster, 400],
  ];
  for (const [path, body, status] of wrong) {
    const answer = await call('POST', path, body);
    t.equal(answer.status, status, answer.fields['error'] as string);
  }
});

t.test('more than the quota is refused', async (t) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = { width: 700, height: 700, channels: 3, background: '#808080', noise } as const;
  const answer = await call('POST', '/v1/assets', await sharp({ create }).png().toBuffer());
  t.equal(answer.status, 413);
  t.match(answer.fields['error'], /may store 1 MiB/);
});

t.test('the studio gets the files of the fonts that images are drawn with', async (t) => {
  const ask = (query: string, key = testOrganization.key): Promise<Called> =>
    call('GET', `/studio/fonts?${query}`, '', key);
  for (const [query, file] of [
    ['family=Inter&weight=690', '700Bold/Inter_700Bold'],
    ['family=inter&weight=700&style=italic', '700Bold_Italic/Inter_700Bold_Italic'],
    ['family=Inter', '400Regular/Inter_400Regular'],
  ] as const) {
    const { body: bytes } = await ask(query);
    t.ok(bytes.equals(readFont(`inter/${file}.ttf`)), query);
  }
  for (const query of ['family=Lobster', 'family=..%2F..%2Fpackage.json', '']) {
    t.equal((await ask(query)).status, 404, query);
  }
  t.equal((await ask('family=Inter', 'no-key')).status, 401);
  const uploaded = await ask('family=Our+Brand&weight=900');
  t.equal(uploaded.body.length, lobster.length, 'one of the organization');
  t.equal((await ask('family=Our+Brand', demoKey)).status, 404, 'and of no other');
});

function readFont(path: string): Buffer<ArrayBuffer> {
  return readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${path}`)));
}
