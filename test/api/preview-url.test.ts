/** `preview_url` of a service without a configured address. */
import t from 'tap';
import { routesOf } from '../../src/api/endpoint.ts';
import { getTemplate } from '../../src/api/templates/templates.ts';
import { createPublicUrl } from '../../src/api/request/public-url.ts';
import { variableImage } from '../../src/api/variable-image.ts';
import { createLog } from '../../src/foundation/log.ts';
import { Quarantine } from '../../src/scheduling/quarantine.ts';
import { serveRoutes } from '../fixtures/api-server.ts';
import { createStores, publishSample } from '../templates/store-fixture.ts';

t.test('it begins with the address of the request, and opens without a key', async (t) => {
  const stores = createStores(t);
  const { assets, organizations } = stores;
  const quarantine = new Quarantine(createLog(() => undefined));
  const publicUrl = createPublicUrl(undefined, () => 'http://localhost:3000');
  const parts = { ...stores, pool: { quarantine }, publicUrl };
  const base = await serveRoutes(t, routesOf([getTemplate, variableImage], parts));
  const header = { format: 'png', widthPx: 1, heightPx: 1, orientation: 1 } as const;
  const value = assets.saveAsset('org_a', Buffer.from('photo'), header);
  publishSample(stores, 'card', { variables: [{ name: 'photo', type: 'image', value }] });
  const headers = { 'X-API-Key': organizations.createKey('org_a', { name: 'a' }) };
  const answer = await fetch(`${base}/v1/templates/card`, { headers });
  const details = (await answer.json()) as { published_variables: { preview_url: string }[] };
  const url = details.published_variables[0]?.preview_url ?? '';
  t.match(url, `${base}/v1/templates/card/images/`);
  t.equal(await (await fetch(url)).text(), 'photo');
});
