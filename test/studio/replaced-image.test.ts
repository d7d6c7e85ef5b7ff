/** A file that is dropped on the selected image replaces it, in a browser. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { dragFile, imageFile } from './dropped-files.ts';
import { studioContext } from './studio-page.ts';

/** A grey image, as an address. */
const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#888"/></svg>')}`;
const photo = { id: 'pic', type: 'image', x: 40, y: 40, width: 120, height: 90, src };
const stored = /asset:[0-9a-f]{64}/;

t.test('a file that is dropped on an image', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  const target = page.locator('.drop-target');
  const violet = await imageFile('Violet.png', 60, 40, '#7b2d8b');

  t.test('replaces the selected one, which is marked, and elsewhere becomes a layer', async (t) => {
    const canvas = await openCanvas(page, base, 'replaced', [photo]);
    await dragFile(page, ['dragover'], await canvas.at({ x: 100, y: 90 }), violet);
    t.equal(await target.count(), 0, 'not where nothing is selected');
    await canvas.click({ x: 100, y: 90 });
    const [inLayer, next] = [
      await canvas.at({ x: 100, y: 90 }),
      await canvas.at({ x: 300, y: 200 }),
    ];
    await dragFile(page, ['dragover'], inLayer, violet);
    await target.waitFor();
    await dragFile(page, ['dragover'], next, violet);
    await target.waitFor({ state: 'detached' });
    t.equal(await page.locator('.canvas-window[data-drop="true"]').count(), 1);
    await dragFile(page, ['dragover', 'drop'], inLayer, violet);
    await target.waitFor({ state: 'detached' });
    t.ok(await eventually(async () => stored.test(String((await canvas.find('pic'))['src']))));
    t.match(await canvas.find('pic'), { x: 40, y: 40, width: 120, height: 90 });
    t.same(await canvas.order(), ['pic']);
    await page.keyboard.press('Control+z');
    t.match(await canvas.find('pic'), { src });
    await dragFile(page, ['dragover', 'drop'], next, violet);
    t.ok(await eventually(async () => (await canvas.order()).length === 2));
    t.match(await canvas.find('pic'), { src });
    t.same(complaints.splice(0), []);
  });

  t.test('becomes the default of its variable', async (t) => {
    const variables = [{ name: 'hero', type: 'image', value: src }];
    const layers = [{ ...photo, src: '{{hero}}' }];
    const canvas = await openCanvas(page, base, 'replaced-default', layers, { variables });
    await canvas.click({ x: 100, y: 90 });
    await dragFile(page, ['dragover', 'drop'], await canvas.at({ x: 100, y: 90 }), violet);
    const readVariables = async (): Promise<Template['variables']> => {
      await canvas.layers();
      const headers = { 'X-API-Key': demoKey };
      const answer = await fetch(`${base}/v1/templates/replaced-default/document`, { headers });
      return ((await answer.json()) as Template).variables;
    };
    t.ok(await eventually(async () => stored.test(JSON.stringify((await readVariables())[0]))));
    t.match(await canvas.find('pic'), { src: '{{hero}}' });
    t.same(await canvas.order(), ['pic']);
    t.same(complaints.splice(0), []);
  });

  t.test('does not replace a locked one', async (t) => {
    const canvas = await openCanvas(page, base, 'replaced-not', [{ ...photo, locked: true }]);
    await page.locator('[data-layer="pic"]').click();
    await dragFile(page, ['dragover'], await canvas.at({ x: 100, y: 90 }), violet);
    t.equal(await target.count(), 0);
    t.equal(await page.locator('.canvas-window[data-drop="true"]').count(), 1);
    t.same(complaints.splice(0), []);
  });

  t.test('an address that is typed is kept, and applied when the layer is left', async (t) => {
    const other = { ...photo, id: 'other', x: 240 };
    const canvas = await openCanvas(page, base, 'typed-address', [photo, other]);
    await page.locator('[data-layer="pic"]').click();
    const field = page.locator('[data-field="src"] input[type="text"]');
    const typed = src.replace('%23888', '%23222');
    await field.fill(typed);
    await page.getByText('Enter applies the address.').waitFor();
    await page.locator('[data-field="src"] .p-image').dispatchEvent('dragover');
    await page.locator('.p-dropping').waitFor();
    t.equal(await field.inputValue(), typed);
    await canvas.click({ x: 300, y: 90 });
    await page.locator('[data-layer="other"][aria-selected="true"]').waitFor();
    t.match(await canvas.find('pic'), { src: typed });
    t.match(await canvas.find('other'), { src });
    await field.fill(typed);
    await field.press('Enter');
    t.match(await canvas.find('other'), { src: typed });
    t.same(complaints.splice(0), []);
  });
});
