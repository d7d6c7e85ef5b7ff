/** What can be done with one template from its card in the gallery, in a browser. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

t.test('the card of a template', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const context = await studioContext(await startBrowser(t));
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });

  async function create(
    uid: string,
    name: string,
    more: { linkAuth?: 'signed' } = {},
  ): Promise<void> {
    const size = { width: 200, height: 80, background: '#ffffff' };
    const document = { format: 1 as const, name, ...size, variables: [], layers: [], ...more };
    await client.createTemplate(document, { uid });
    await client.publishTemplate(uid, {});
  }

  /** Opens the gallery and types a search. */
  async function open(search: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio#/`);
    await page.getByLabel('Search by name or uid').focus();
    await page.keyboard.type(search);
    await page.locator('.template-card').nth(1).waitFor({ state: 'detached' });
    // Templates of other tests, in sight before the search, may have images that fail.
    complaints.splice(0);
    return { page, complaints };
  }

  /** Presses a button of a card with the keyboard. */
  async function press(card: Locator, name: string): Promise<void> {
    await card.getByRole('button', { name: new RegExp(`^${name} `) }).focus();
    await card.page().keyboard.press('Enter');
  }

  await t.test('its link is copied, and the copy begins in the press', async (t) => {
    await create('press-copy', 'Press copy');
    const { page, complaints } = await open('press-copy');
    const card = page.locator('[data-uid="press-copy"]');
    await card.waitFor();
    await page.evaluate(() => {
      const { clipboard } = navigator;
      const write = clipboard.write.bind(clipboard);
      let count = 0;
      clipboard.write = (items) => {
        count += 1;
        return write(items);
      };
      // The last listener of the press.
      addEventListener('click', () => document.body.setAttribute('data-copies', String(count)));
    });
    await press(card, 'Copy link');
    await page.getByText('Copied the link of Press copy.').waitFor();
    t.equal(await page.getAttribute('body', 'data-copies'), '1');
    const copied = await page.evaluate('navigator.clipboard.readText()');
    t.equal(copied, `${base}/v1/render/press-copy.png`);
    t.same(complaints, []);
    await page.close();
  });

  await t.test('a link that needs a signature is not copied', async (t) => {
    await create('signed-copy', 'Signed copy', { linkAuth: 'signed' });
    const { page, complaints } = await open('signed-copy');
    await page.evaluate('navigator.clipboard.writeText("as before")');
    await press(page.locator('[data-uid="signed-copy"]'), 'Copy link');
    await page.getByText('links of Signed copy need a signature').waitFor();
    t.equal(await page.evaluate('navigator.clipboard.readText()'), 'as before');
    t.same(complaints, []);
    await page.close();
  });

  await t.test('each duplicate has a free name', async (t) => {
    await create('twice', 'Made twice');
    const { page, complaints } = await open('made twice');
    for (const name of ['Made twice 2', 'Made twice 3']) {
      await press(page.locator('[data-uid="twice"]'), 'Duplicate');
      await page.getByRole('heading', { name, exact: true }).waitFor();
    }
    t.equal(await page.locator('.template-card').count(), 3);
    t.same(complaints, []);
    await page.close();
  });

  await t.test('the question before it is archived does without statistics', async (t) => {
    await create('unknown-use', 'Unknown use');
    const { page } = await open('unknown-use');
    await page.route('**/unknown-use/statistics*', (route) => route.abort());
    const card = page.locator('[data-uid="unknown-use"]');
    const cursor = (): Promise<string> =>
      card.getByRole('heading').evaluate((title) => getComputedStyle(title).cursor);
    await card.getByRole('heading').hover();
    t.equal(await cursor(), 'pointer', 'the name opens the template');
    await press(card, 'Archive');
    const question = page.getByRole('dialog', { name: 'Archive Unknown use?' });
    await question.getByText('When a link last showed an image is not known.').waitFor();
    t.match(await question.textContent(), 'stop showing an image at once, also in emails');
    t.same(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Archive' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Archived Unknown use; its links stop showing an image.').waitFor();
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await card.getByRole('heading').hover();
    t.not(await cursor(), 'pointer', 'the name of an archived template does nothing');
    await page.close();
  });
});
