/** Keys in the list of layers, in a browser. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const box = { x: 20, y: 20, width: 200, height: 60 };
const inner = { ...box, id: 'inner', type: 'rect', fill: '#3caea3' };

t.test('Enter in the list does what it does on the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  await openCanvas(page, base, 'layer-keys', [
    { ...box, id: 'title', type: 'text', text: 'Hello', fontSize: 24 },
    { ...box, y: 120, id: 'group', type: 'group', layers: [inner] },
  ]);
  await page.click('[data-layer="title"]');
  await page.keyboard.press('Enter');
  await page.locator('.span-field:focus').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Welcome');
  await page.keyboard.press('Escape');
  await page.locator('[data-layer="title"]', { hasText: 'Welcome' }).waitFor();
  await page.click('[data-layer="group"]');
  await page.keyboard.press('Enter');
  await page.locator('[data-layer="inner"][aria-selected="true"]').waitFor();
  t.equal(await page.locator('[role="tree"] input').count(), 0, 'nothing is renamed');
  t.same(complaints, []);
});
