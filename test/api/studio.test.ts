import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { annotatedSchema } from '#language/schema/document.ts';
import { routesOf } from '../../src/api/endpoint.ts';
import { pageFileEndpoint } from '../../src/pages/files.ts';
import { loadStudioFiles, studioEndpoints } from '../../src/pages/studio.ts';
import { encodedBytesMin } from '../../src/http/body/content-encoding.ts';
import { request } from '../e2e/request.ts';
import { serveRoutes } from '../fixtures/api-server.ts';

/** Bytes of the first load with a template open, as the studio promises them; the gallery needs no more. */
const firstLoadBytesMax = 180 * 1024;

t.test('the page and its files come from the service alone, small and for ever', async (t) => {
  const base = await serveRoutes(
    t,
    routesOf([...studioEndpoints, pageFileEndpoint], {
      publicUrl: () => 'https://images.example.com',
      embedOrigins: [],
    }),
  );
  const port = Number(new URL(base).port);
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(port, path, { headers });

  const page = await get('/studio');
  t.equal(page.status, 200);
  const policy = String(page.headers['content-security-policy']);
  t.match(policy, /^default-src 'none'; (?!.*unsafe)/);
  t.match(policy, "script-src 'self'");
  t.notMatch(page.text, /(src|href)="(https?:)?\/\//);
  t.notMatch(page.text, /<script(?! type="module" src=)|<style|%(files|base)%/);
  t.match(page.text, '<meta name="platen-base" content="https://images.example.com" />');

  const paths = [...page.text.matchAll(/(?:src|href)="(studio\/[^"]+)"/g)].map(
    ([, path]) => `/${path}`,
  );
  const names = paths.map((path) => path.split('/').at(-1) ?? '');
  t.equal(names[0], 'studio.css');
  t.equal(names.at(-1), 'studio.js');
  let bytes = page.body.length;
  for (const path of paths) {
    const plain = await get(path);
    const zipped = await get(path, { 'Accept-Encoding': 'deflate, gzip' });
    t.equal(plain.status, 200, path);
    t.equal(plain.headers['content-encoding'], undefined);
    t.match(zipped.headers['cache-control'], 'immutable');
    if (plain.body.length < encodedBytesMin) t.same(zipped.body, plain.body);
    else {
      t.equal(zipped.headers['content-encoding'], 'gzip');
      t.equal(zipped.headers.vary, 'Accept-Encoding');
      t.same(gunzipSync(zipped.body), plain.body);
    }
    const imported = [...plain.text.matchAll(/\b(?:from|import) ?["']\.\/([^"']+)["']/g)];
    t.strictSame(
      imported.filter(([, name = '']) => !names.includes(name)),
      [],
      'what a script imports is preloaded',
    );
    t.notMatch(plain.text, '~kind', 'schemas of TypeBox stay in the service');
    bytes += zipped.body.length;
  }
  const schema = paths[0]?.replace(/[^/]+$/, 'template.schema.json') ?? '';
  const language = await get(schema, { 'Accept-Encoding': 'gzip' });
  t.match(language.headers, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  t.match(language.headers['cache-control'], 'immutable');
  t.match(JSON.parse(gunzipSync(language.body).toString()), annotatedSchema());
  bytes += language.body.length;
  t.comment(`first load of an editor: ${(bytes / 1024).toFixed(1)} KB gzip`);
  t.ok(bytes <= firstLoadBytesMax, `${bytes} bytes`);

  // Text is readable before they come, so they are no part of the first load.
  const fonts = (await get('/pages/fonts.css')).text.matchAll(/url\("?([\w.]+)"?\)/g);
  for (const [, name = ''] of fonts) {
    const font = await get(`/pages/${name}`);
    t.match(font.headers, { 'content-type': 'font/woff2', 'cache-control': /max-age/ });
    t.equal(font.body.subarray(0, 4).toString(), 'wOF2');
    t.ok(font.body.length < 30 * 1024, `${name} has ${font.body.length} bytes`);
  }

  const [script = ''] = paths.slice(-1);
  const older = await get(script.replace(/studio\/[^/]+/, 'studio/older'));
  t.equal(older.headers['cache-control'], 'no-store', 'another revision is not kept');
  for (const path of ['/studio/x/main.ts', '/studio/x/..%2f..%2fmain.ts', '/studio/x/']) {
    t.equal((await get(path)).status, 404, path);
  }
});

t.test('the files change their revision with their text alone', async (t) => {
  const [one, other] = [await loadStudioFiles(), await loadStudioFiles()];
  t.equal(one.revision, other.revision);
  t.match(one.revision, /^[\w-]{16}$/);
});
