import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadBrowserCode } from '../../src/api/pages/files.ts';
import { operations } from '../../src/api/openapi/document.ts';
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

t.test('the client has a method for each endpoint of the API', (t) => {
  const own = new Set(Object.getOwnPropertyNames(client.PlatenClient.prototype));
  const api = operations.filter(({ tag }) => tag !== 'Service');
  for (const { id, clientCall } of api) {
    t.ok(own.has(id), id);
    t.match(clientCall, `platen.${id}(`);
  }
  const extra = ['constructor', 'eachTemplate', 'previewReport', 'uploadAssetFromUrl'];
  t.same([...own].toSorted(), [...api.map(({ id }) => id), ...extra].toSorted());
  t.end();
});
