/** Publications and saves of the same user that meet, in a browser. */
import sharp from 'sharp';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { becomes, confirmWarnings, publishDraft, studioContext } from './studio-page.ts';

t.test(
  'a save of the same user is no conflict of a publication',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
    const browser = await startBrowser(t);
    const conflict = 'Changed somewhere else';

    const open = async (uid: string) => {
      const size = { width: 100, height: 30, background: '#ffffff' };
      await client.createTemplate(
        { format: 1, name: uid, ...size, variables: [], layers: [] },
        { uid },
      );
      const page = await (await studioContext(browser)).newPage();
      await page.goto(`${base}/studio#/t/${uid}`);
      await page.locator('.canvas-sheet img').waitFor();
      return page;
    };

    t.test('a publication waits for a save whose answer is under way', async (t) => {
      const uid = 'save-under-way';
      const page = await open(uid);
      const [uploaded, answered, saved] = [0, 1, 2].map(() => Promise.withResolvers<void>());
      await page.route('**/v1/assets', async (route) => {
        await uploaded?.promise;
        await route.continue();
      });
      const create = { width: 20, height: 10, channels: 3 as const, background: '#7b2d8b' };
      const bytes = [...(await sharp({ create }).png().toBuffer())];
      const sent = page.waitForRequest('**/v1/assets');
      await page.evaluate((file) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(file)], 'Logo.png', { type: 'image/png' }));
        const options = { bubbles: true, cancelable: true, clipboardData: data };
        document
          .querySelector('.canvas-window')
          ?.dispatchEvent(new ClipboardEvent('paste', options));
      }, bytes);
      await sent;
      await page.keyboard.press('Control+Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Publish', exact: true }).waitFor();
      await page.route(`**/v1/templates/${uid}`, async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        const response = await route.fetch();
        saved?.resolve();
        await answered?.promise;
        return route.fulfill({ response });
      });
      uploaded?.resolve();
      await saved?.promise;
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog.getByRole('button', { name: 'Publishing …' }).waitFor();
      answered?.resolve();
      await dialog.getByText('Version 1 is public').waitFor();
      const { layers } = await client.getTemplateDocument(uid, { version: 1 });
      t.match(layers, [{ type: 'image' }]);
      t.equal(await page.getByRole('dialog', { name: conflict }).count(), 0);
      await page.context().close();
    });

    t.test('the default of a typed variable is asked for before it is published', async (t) => {
      const uid = 'typed-default';
      const page = await open(uid);
      await page.keyboard.press('t');
      await page.locator('.canvas-sheet').click();
      await page.locator('.span-field').waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Hi {{first_name}}');
      await page.keyboard.press('Escape');
      await becomes(page, 'saved');
      await page.keyboard.press('Control+Enter');
      const field = page.getByRole('dialog').getByLabel('first_name');
      t.equal(await field.inputValue(), 'first_name', 'which links without a name would show');
      await field.fill('friend');
      await page.keyboard.press('Enter');
      await confirmWarnings(page);
      await page.getByRole('dialog').getByText('Version 1 is public').waitFor();
      const published = await client.getTemplateDocument(uid, { version: 1 });
      t.match(published, { variables: [{ name: 'first_name', value: 'friend' }] });
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Nothing has changed since then.').waitFor();
      t.equal(await field.count(), 0);
      await page.context().close();
    });

    t.test('a save that overtakes it asks to publish again', async (t) => {
      const uid = 'overtaking-save';
      const page = await open(uid);
      const held = Promise.withResolvers<void>();
      await page.route(`**/v1/templates/${uid}/publish`, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.keyboard.press('Control+Enter');
      const sent = page.waitForRequest(`**/v1/templates/${uid}/publish`);
      await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
      await sent;
      await page.keyboard.press('Escape');
      await page.getByLabel('Name of the template').fill('Changed meanwhile');
      await page.keyboard.press('Enter');
      await becomes(page, 'saved');
      held.resolve();
      await page.getByText('You changed the draft before it was published.').waitFor();
      t.equal(await page.getByRole('dialog', { name: conflict }).count(), 0);
      t.equal((await client.getTemplate(uid)).version, null);
      await page.keyboard.press('Control+Enter');
      await publishDraft(page);
      await page.getByText('Version 1 is public').waitFor();
      t.equal((await client.getTemplate(uid)).name, 'Changed meanwhile');
      await page.context().close();
    });
  },
);

t.test('the comparison shows a size that has changed', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const box = { id: 'box', type: 'rect' as const, x: 0, y: 0, width: 30, height: 30 };
  const document = {
    format: 1 as const,
    name: 'Sizes',
    width: 200,
    height: 100,
    background: '#ffffff',
    sizes: [{ name: 'story', width: 100, height: 200 }],
    variables: [],
  };
  const layers = [{ ...box, fill: '#d64933' }];
  await client.createTemplate({ ...document, layers }, { uid: 'compared-sizes' });
  await client.publishTemplate('compared-sizes');
  const changed = layers.map((layer) => ({ ...layer, bySize: { story: { y: 90 } } }));
  const { cid } = await client.getTemplate('compared-sizes');
  await client.updateTemplate('compared-sizes', { ...document, layers: changed }, { cid });
  const page = await (await studioContext(await startBrowser(t))).newPage();
  await page.goto(`${base}/studio#/t/compared-sizes`);
  await page.locator('.canvas-sheet img').waitFor();
  await page.keyboard.press('Control+Enter');
  const size = page.getByRole('dialog').getByLabel('Size');
  const said = page.locator('.comparison [role="status"]');
  await said.getByText('of the image differs').waitFor();
  t.equal(await size.inputValue(), 'story');
  t.match(await size.innerText(), /Base · 200 × 100\s+story · 100 × 200, changed/);
  t.match(await page.locator('.change-list').innerText(), /Y in story\s+as in Base → 90/);
  await size.selectOption('');
  await said.getByText('Both draw the same image').waitFor();
});
