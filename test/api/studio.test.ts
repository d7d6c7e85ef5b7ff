import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { documentSchema } from '#language/schema/document.ts';
import { linkModules } from '../../src/api/pages/link-modules.ts';
import { loadStudioFiles } from '../../src/api/pages/studio-files.ts';
import { studioRoutes } from '../../src/api/pages/studio-routes.ts';
import { encodedBytesMin } from '../../src/http/body/content-encoding.ts';
import { request } from '../e2e/request.ts';
import { serveRoutes } from '../fixtures/api-server.ts';

/** Bytes of the first load with a template open, as the studio promises them; the gallery needs no more. */
const firstLoadBytesMax = 150 * 1024;

t.test('the page and its files come from the service alone, small and for ever', async (t) => {
  const base = await serveRoutes(
    t,
    studioRoutes(() => 'https://images.example.com'),
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
  t.ok(paths.length > 5);
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
    t.notMatch(plain.text, /^import .* from ['"](?!\.\/)/m, 'every import is an address');
    bytes += zipped.body.length;
  }
  const schema = paths[0]?.replace(/[^/]+$/, 'template.schema.json') ?? '';
  const language = await get(schema, { 'Accept-Encoding': 'gzip' });
  t.match(language.headers, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  t.match(language.headers['cache-control'], 'immutable');
  t.match(JSON.parse(gunzipSync(language.body).toString()), documentSchema());
  bytes += language.body.length;
  t.comment(`first load of an editor: ${(bytes / 1024).toFixed(1)} KB gzip`);
  t.ok(bytes <= firstLoadBytesMax, `${bytes} bytes`);

  const [script = ''] = paths.slice(-1);
  const older = await get(script.replace(/studio\/[^/]+/, 'studio/older'));
  t.equal(older.headers['cache-control'], 'no-store', 'another revision is not kept');
  for (const path of ['/studio/x/main.ts', '/studio/x/..%2f..%2fmain.ts', '/studio/x/']) {
    t.equal((await get(path)).status, 404, path);
  }
});

t.test('the files change their revision with their text alone', (t) => {
  const [one, other] = [loadStudioFiles(), loadStudioFiles()];
  t.equal(one.revision, other.revision);
  t.match(one.revision, /^[\w-]{16}$/);
  t.end();
});

t.test(
  'modules are linked once each, in order, and what cannot be linked is refused',
  async (t) => {
    const folder = t.testdir({
      'a.ts': [
        '/** Role. */',
        "import { join as glue } from './b.ts';",
        "import type { Word } from './b.ts';",
        "import { last } from './c.ts';",
        "import { outside } from 'somewhere';",
        "const local: Word = 'a';",
        'export function all(): string { return glue(local, last) + outside; }',
        'globalThis.linked = all();',
      ].join('\n'),
      'b.ts': [
        "import { last } from './c.ts';",
        'export type Word = string;',
        "const local = '-';",
        'export const join = (...words: Word[]): Word => words.join(local) + last;',
      ].join('\n'),
      'c.ts': `const local = 'c';\nglobalThis.runs = (globalThis.runs ?? 0) + 1;\nexport const last: string = local;\n`,
      'default.ts': 'export default 1;\n',
      'star.ts': "import * as all from './c.ts';\nexport const used = all;\n",
    });
    const outside = 'data:text/javascript,export const outside = `!`';
    const text = linkModules(`${folder}/a.ts`, (specifier) =>
      specifier === 'somewhere' ? outside : undefined,
    );
    const global = globalThis as { linked?: string; runs?: number };
    await import(`data:text/javascript,${encodeURIComponent(text)}`);
    t.equal(global.linked, 'a-cc!');
    t.equal(global.runs, 1);
    for (const name of ['default.ts', 'star.ts']) {
      t.throws(() => linkModules(`${folder}/${name}`, () => undefined), /is not linked: /, name);
    }
    t.end();
  },
);
