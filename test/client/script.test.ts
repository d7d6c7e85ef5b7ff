import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadBrowserCode } from '../../src/pages/files.ts';
import { endpoints } from '../../src/app.ts';
import type { Operation } from '../../src/api/declaration.ts';
import * as client from '../../src/client/platen-client.ts';

/** By its name in package.json, as a program that depends on the package would. */
const packageEntry = 'platen/client';

t.test(
  'the JavaScript of the client has what its TypeScript exports, and imports nothing',
  async (t) => {
    const script = (await loadBrowserCode()).get('client.js') ?? '';
    t.notMatch(script, /^import /m);
    t.notMatch(script, /\bprocess\b|\brequire\(|\bnode:/);
    const built = fileURLToPath(import.meta.resolve(packageEntry));
    t.equal(readFileSync(built, 'utf8'), script, 'run "npm run build"');
    const made = (await import(packageEntry)) as typeof client;
    t.same(Object.keys(made), Object.keys(client));
  },
);

t.test('a package finds the client under its name', async (t) => {
  const made = (await import(packageEntry)) as typeof client;
  t.equal(made.renderUrl('hello'), '/v1/render/hello');
});

t.test('the client has a method for each call that the description of the API shows', async (t) => {
  const methods = new Set(Object.getOwnPropertyNames(client.PlatenClient.prototype));
  const shown = endpoints.map(({ id, tag, clientCall = '' }: Operation) => {
    const method = /platen\.(\w+)\(/.exec(clientCall)?.[1];
    const isAddress = tag === 'Service' || id === 'shortLink';
    t.equal(method === undefined, isAddress && clientCall === '', id);
    t.ok(method === undefined || method === id || /\.request(?:File)?\('/.test(clientCall), id);
    return method;
  });
  const extra = ['constructor', 'eachTemplate', 'previewReport', 'request', 'uploadAssetFromUrl'];
  t.same(methods, new Set([...shown, ...extra].filter((method) => method !== undefined)));
});
