import t from 'tap';
import type { Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { decodeImage } from '../e2e/image-bytes.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { becomes, publishDraft, signIn } from './studio-page.ts';

/** The bytes of the image that the canvas shows. */
async function canvasBytes(page: Page): Promise<Buffer> {
  const url = await page.locator('.canvas-sheet img').getAttribute('src');
  return Buffer.from(url?.split(',')[1] ?? '', 'base64');
}

t.test('the studio in a browser', { skip: skipsPages }, async (t) => {
  const service = await shareService();
  const { base } = service;
  const browser = await startBrowser(t);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });

  t.test('a newcomer signs in, copies a sample, changes its text, and publishes', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${base}/studio`);
    await page.getByLabel('API key').fill('not a key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The service does not know this key').waitFor();
    t.same(await accessibilityProblems(page), [], 'the sign-in');

    const complaints = watchPage(page, base);
    await signIn(page, base);
    t.notMatch(page.url(), demoKey);
    t.same(await accessibilityProblems(page), [], 'the gallery');
    const loaded = `document.fonts.ready.then((set) => [...set].filter((one) => one.status === 'loaded').map((one) => one.family))`;
    t.same(await page.evaluate(loaded), ['Inter', 'Fraunces'], 'the letters of the interface');

    await page.getByRole('button', { name: 'New template' }).click();
    const search = page.getByLabel('Search designs');
    await search.press('Enter');
    t.equal(await page.getByRole('dialog').count(), 1, 'an empty search begins nothing');
    await search.fill('cart rtl dark');
    await page
      .getByRole('status')
      .filter({ hasText: /^1 design$/ })
      .waitFor();
    await page.getByRole('button', { name: /^Abandoned cart, Hebrew, dark/ }).waitFor();
    await search.fill('hello');
    // Templates of other tests stand behind the samples.
    await page
      .locator('.design-list button')
      .first()
      .and(page.getByRole('button', { name: /^Hello 400/ }))
      .waitFor();
    await search.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    t.equal(await page.locator('.new-template[aria-busy="false"]').count(), 1, 'nor a composition');
    await search.press('Enter');
    await page.locator('.canvas-sheet img').waitFor();
    const uid = new URL(page.url()).hash.replace('#/t/', '');
    t.match(uid, /^[\w-]{1,64}$/);
    t.not(uid, 'hello');
    t.same(await accessibilityProblems(page), [], 'the editor');

    await page.locator('.canvas-sheet').dblclick();
    await page.locator('.span-field').fill('Bonjour, {{name}}!');
    await page.keyboard.press('Escape');
    await becomes(page, 'saved');
    t.match(await client.getTemplateDocument(uid), { layers: [{ text: 'Bonjour, {{name}}!' }] });
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByLabel('Preview with as name').fill('Amanda');

    await page.getByRole('banner').getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    t.same(await accessibilityProblems(page), [], 'the dialog');
    await publishDraft(page);
    await dialog.getByText('Version 1 is public').waitFor();
    await page.keyboard.press('Escape');

    const drawn = await service.render(`${uid}.png?name=Amanda`);
    t.equal(drawn.status, 200);
    // The bytes of a file may differ with the way it was drawn; what is seen may not.
    const link = await decodeImage(drawn.body);
    const isSame = await eventually(async () =>
      link.data.equals((await decodeImage(await canvasBytes(page))).data),
    );
    t.ok(isSame, 'the canvas shows the pixels of the link');
    t.not(drawn.body.compare((await service.render(uid)).body), 0);
    // A service that has too much to do says so, and the studio asks again.
    t.same(
      complaints.filter((each) => !each.includes('status of 503')),
      [],
    );
    await page.close();
  });

  t.test(
    'the canvas shows the pixels of the link, in PNG and JPEG, drawn whole or over a base render',
    async (t) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      await signIn(page, base);
      for (const uid of ['event-ticket', 'welcome-banner']) {
        // A new page: of two addresses that differ behind their #, both would be one.
        await page.goto('about:blank');
        await page.goto(`${base}/studio#/t/${uid}`);
        await page.getByRole('tab', { name: 'Variables' }).click();
        const field = page.getByLabel('Preview with as name');
        for (const name of ['Amanda', 'Maximilian Alexander', 'Jo']) {
          const shown = await page.locator('.canvas-sheet img').getAttribute('src');
          await field.fill(name);
          await page.locator(`.canvas-sheet img:not([src="${shown}"])`).waitFor();
          const drawn = await service.render(`${uid}?name=${encodeURIComponent(name)}`);
          const link = await decodeImage(drawn.body);
          // The bytes of a file may differ with the way it was drawn; what is seen may not.
          const isSame = await eventually(async () =>
            link.data.equals((await decodeImage(await canvasBytes(page))).data),
          );
          t.ok(isSame, `${uid} as ${String(drawn.headers['content-type'])} for ${name}`);
        }
      }
      await page.close();
    },
  );

  t.test('undo and redo go through every change, and the draft follows', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await signIn(page, base);
    const { uid } = await client.duplicateTemplate('hello', {});
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.locator('.canvas-sheet img').waitFor();
    const pixels = async () => (await decodeImage(await canvasBytes(page))).data;
    const first = await pixels();
    const name = page.getByLabel('Name of the template');
    await name.fill('Renamed');
    await name.press('Enter');
    await page.locator('.canvas-window').click({ position: { x: 380, y: 250 } });
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await becomes(page, 'saved');
    const moved = await client.getTemplateDocument(uid);
    t.match(moved, { name: 'Renamed', layers: [{ x: 21, y: 42 }] });
    // Each direction of a nudge is a step.
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
    t.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
    await page.keyboard.press('Control+s');
    await becomes(page, 'saved');
    t.match(await client.getTemplateDocument(uid), { name: 'Hello', layers: [{ x: 20, y: 32 }] });
    t.ok(await eventually(async () => first.equals(await pixels())));
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+s');
    await becomes(page, 'saved');
    t.same(await client.getTemplateDocument(uid), moved);
    await page.keyboard.press('?');
    t.match(await page.getByRole('dialog').textContent(), 'Undo');
    t.same(await accessibilityProblems(page), []);
    await page.close();
  });

  t.test('what is unfinished is not saved, is reported, and can be taken back', async (t) => {
    const { uid, cid } = await client.duplicateTemplate('hello', {});
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await signIn(page, base);
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.locator('[data-layer="greeting"]').click();
    await page.locator('.p-row[data-field="text"] textarea').fill('{{name|shout}}');
    const reported = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /Text of “.*” is unfinished/ });
    await reported.waitFor();
    await becomes(page, 'saved');
    t.match(await client.getTemplateDocument(uid), { layers: [{ text: '{{name}}' }] });
    t.same(await accessibilityProblems(page), []);
    await reported.getByRole('button', { name: 'Undo' }).click();
    await becomes(page, 'saved');
    await reported.waitFor({ state: 'detached' });
    t.equal((await client.getTemplate(uid)).cid, cid);
    await page.close();
  });
});
