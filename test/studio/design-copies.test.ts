/** Templates that begin as copies of designs, in a browser. */
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const blank = { format: 1 as const, width: 400, height: 300, variables: [], layers: [] };

t.test('a copy of a design has a free name', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  await client.createTemplate({ ...blank, name: 'Only once' }, { uid: 'only-once' });
  const page = await (await studioContext(await startBrowser(t))).newPage();
  for (const expected of ['Only once 2', 'Only once 3']) {
    await page.goto(`${base}/studio#/`);
    await page.locator('[data-uid="only-once"]').waitFor();
    await page.getByRole('button', { name: 'New template' }).click();
    await page.getByLabel('Search designs').fill('only-once');
    await page.locator('.design[title="Only once"]').click();
    await page.waitForSelector('.canvas-sheet img');
    t.equal(await page.getByLabel('Name of the template').inputValue(), expected);
  }
  await page.close();
});
