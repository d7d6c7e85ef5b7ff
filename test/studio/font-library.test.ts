/** The font picker in a browser: a family of the library is added when it is chosen. */
import t from 'tap';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

t.test(
  'a family of the library is seen in its face, chosen and drawn',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const headers = { 'X-API-Key': demoKey };
    const text = { id: 'a', type: 'text', x: 20, y: 20, width: 360, height: 80, text: 'Face' };
    const size = { width: 400, height: 200, background: '#ffffff' };
    const document = { format: 1, name: 'face', ...size, variables: [], layers: [text] };
    const body = JSON.stringify(document);
    await fetch(`${base}/v1/templates?uid=face`, { method: 'POST', headers, body });
    const context = await studioContext(await startBrowser(t));
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio#/t/face`);
    await page.locator('[data-layer="a"]').first().click();
    await page.locator('.p-font-button').first().click();
    await page.getByLabel('Search fonts').fill('bebas');
    const row = page.locator('.p-font', { hasText: 'Bebas Neue' });
    const face = row.locator('.p-font-face');
    t.ok(
      await eventually(async () => (await face.getAttribute('style'))?.includes('bebas') === true),
      'it is written in its letters',
    );
    t.same(await accessibilityProblems(page), []);
    await row.click();
    const stored = async (): Promise<string> =>
      (await fetch(`${base}/v1/templates/face/document`, { headers })).text();
    t.ok(await eventually(async () => (await stored()).includes('"Bebas Neue"')), 'it is saved');
    const drawn = await fetch(`${base}/v1/preview`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ uid: 'face' }),
    });
    t.equal(drawn.headers.get('x-render-warnings'), null, 'and the service has it');
    t.same(complaints, []);
  },
);
