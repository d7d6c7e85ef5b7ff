/** The gallery in a browser: what its cards say of templates. */
import t from 'tap';
import { demoKey, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const { base } = skipsPages === false ? await shareService() : { base: '' };

async function call(method: string, path: string, body: unknown = {}): Promise<void> {
  const headers = { 'X-API-Key': demoKey };
  const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
}

function card(name: string): object {
  const size = { width: 200, height: 80, background: '#ffffff' };
  return { format: 1, name, ...size, variables: [], layers: [] };
}

t.test(
  'a card says whether links show the template, and its draft',
  { skip: skipsPages },
  async (t) => {
    await call('POST', '/v1/templates?uid=card-draft', card('Draft card'));
    await call('POST', '/v1/templates?uid=card-live', card('Live card'));
    await call('POST', '/v1/templates/card-live/publish');
    await call('POST', '/v1/templates?uid=card-changed', card('Changed card'));
    await call('POST', '/v1/templates/card-changed/publish');
    await call('PUT', '/v1/templates/card-changed', card('Changed again'));
    const context = await studioContext(await startBrowser(t));
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio`);
    await page.getByLabel('Search by name or uid').fill('card-');
    const state = (uid: string): Promise<string> =>
      page.locator(`[data-uid="${uid}"] .card-state`).innerText();
    t.equal(await state('card-draft'), 'Draft');
    t.equal(await state('card-live'), 'Live');
    t.equal(await state('card-changed'), 'Live · unpublished changes');
    t.same(complaints, []);
  },
);
