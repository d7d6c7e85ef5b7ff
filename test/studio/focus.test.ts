/** The element that has the focus after a dialog closes, a design opens, and a pressed control disappears. */
import t from 'tap';
import type { Page } from 'playwright-core';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { saveCanvas } from './canvas-page.ts';
import { publishDraft, studioContext } from './studio-page.ts';

const greeting = {
  id: 'greeting',
  type: 'text',
  x: 20,
  y: 20,
  width: 360,
  height: 40,
  text: 'Hi {{name}}',
  fontSize: 24,
};

async function hasFocus(page: Page, selector: string): Promise<void> {
  await page.locator(`${selector}:focus`).waitFor();
}

t.test('the keyboard goes on where people expect it', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  await saveCanvas(base, 'focused', [greeting]);
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio`);
  await page.locator('[data-uid="focused"] h2').click();
  await hasFocus(page, '.canvas-window');

  const publish = page.getByRole('banner').getByRole('button', { name: 'Publish' });
  await publish.click();
  await publishDraft(page);
  await page.locator('.share-image img').waitFor();
  await hasFocus(page, 'dialog .publish-pages');
  await page.keyboard.press('Escape');
  await hasFocus(page, '.canvas-window');
  await publish.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  t.ok(await publish.evaluate((button) => button === document.activeElement), 'pressed by a key');

  await page.locator('.p-layer').click();
  await page.locator('.canvas-window').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.keyboard.press('Control+k');
  await hasFocus(page, 'dialog.palette input');
  await page.keyboard.type('rotation');
  await page.keyboard.press('Enter');
  await hasFocus(page, '[data-field="rotation"] input');
  await page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  })`);
  await hasFocus(page, '[data-field="rotation"] input');

  await page.click('#tab-Variables');
  await page.getByLabel('Preview with as name').fill('Ann');
  await page.getByRole('button', { name: 'Save these values' }).press('Enter');
  await page.keyboard.type('Mine');
  await page.keyboard.press('Enter');
  await hasFocus(page, '.preset-pick[aria-pressed="true"]');
  await page.getByRole('button', { name: 'Delete the preset Mine' }).press('Enter');
  await hasFocus(page, 'button.samples-save');
  t.same(complaints, []);
});
