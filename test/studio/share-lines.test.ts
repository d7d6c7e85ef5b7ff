/** The lines of the values in Share, and its hints, in a browser. */
import t from 'tap';
import type { Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { TemplateDocument } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const line = { x: 20, y: 20, width: 300, height: 40, fontSize: 20 };

t.test('values of the preview and of links', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const value = { type: 'text' as const, value: 'Ann', maxLength: 200 };
  await client.createTemplate(
    {
      format: 1,
      name: 'Lines',
      width: 400,
      height: 200,
      variables: [
        { ...value, name: 'first_name' },
        { ...value, name: 'seat' },
      ],
      layers: [{ ...line, id: 'a', type: 'text', text: '{{first_name}} {{seat}}' }],
    },
    { uid: 'lines' },
  );
  await client.publishTemplate('lines');
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio#/t/lines`);
  await page.click('#tab-Variables');
  const panel = page.getByRole('region', { name: 'Variables' });
  await panel.getByText('A link without a value shows the default.').waitFor();
  await panel.getByLabel('Preview with as seat').fill('7 C');
  t.same(await accessibilityProblems(page), []);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByText('Values in the link. An empty one shows the default.').waitFor();
  t.match(await page.textContent('.share-main .copy-text code'), /\?seat=7(?:\+|%20)C$/);
  await page.waitForSelector('.share-image img');
  await page.keyboard.press('Escape');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 720 });
    await page.goto(`${base}/studio#/t/lines`);
    await page.getByRole('button', { name: 'Share' }).click();
    const share = page.getByRole('dialog', { name: 'Share' });
    const field = share.getByLabel('first_name', { exact: true });
    await field.fill('Maria');
    await share.getByLabel('Use the default of first_name').waitFor();
    const head = share.locator('.share-value-head').first();
    const middles = await Promise.all(
      [head.locator('label').first(), head.getByRole('checkbox')].map((each) =>
        each.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return (top + bottom) / 2;
        }),
      ),
    );
    const [label = 0, box = 100] = middles;
    t.ok(Math.abs(label - box) < 1, `${width} px: ${label} and ${box}`);
    t.same(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    await page.reload();
  }
  t.same(complaints, []);
});

const plain: TemplateDocument = {
  format: 1,
  name: 'Moves',
  width: 400,
  height: 200,
  variables: [
    { name: 'name', type: 'text', value: 'Ann' },
    { name: 'photo', type: 'image', value: '' },
  ],
  layers: [
    { ...line, id: 'a', type: 'text', text: '{{name}}' },
    { id: 'b', type: 'image', x: 0, y: 80, width: 90, height: 90, src: '{{photo}}' },
  ],
  animation: { type: 'values', frames: [{ values: { name: 'Bea' }, seconds: 1 }] },
};

/** Where the parts of the open page of Share are, by their order. */
function boxesOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const parts = document.querySelectorAll(
      '.publish-dialog, .share-main > *, .share-value, .copy-text, .share-side > *, .share-code > *',
    );
    return Object.fromEntries(
      [...parts].map((part, index) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        const box = [x, y, width, height].map(Math.round).join(' ');
        return [`${index} ${part.tagName} ${part.className}`, box];
      }),
    );
  });
}

t.test('nothing in Share moves while one types', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const { animation: _, ...still } = plain;
  const variables = still.variables.map((each) =>
    each.type === 'text' ? { ...each, maxLength: 120 } : each,
  );
  await client.createTemplate({ ...still, variables }, { uid: 'still-share' });
  await client.publishTemplate('still-share');
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  let held = Promise.withResolvers<void>();
  held.resolve();
  await page.route('**/v1/preview', async (route) => {
    await held.promise;
    await route.continue();
  });
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 720 });
    await page.goto(`${base}/studio#/t/still-share`);
    held = Promise.withResolvers();
    await page.getByRole('button', { name: 'Share' }).click();
    const share = page.getByRole('dialog', { name: 'Share' });
    const field = share.getByLabel('name', { exact: true });
    await field.focus();
    const boxes = await boxesOf(page);
    held.resolve();
    await share.locator('.share-image img').waitFor();
    await share.locator('.share-code-image img').waitFor();
    t.same(await boxesOf(page), boxes, `${width} px: the images arrive`);
    // A longer value would take a second line in its own field on a phone.
    for (const word of ['Maria ', 'Magdalena ', 'von Stein']) {
      await page.keyboard.type(word);
      t.same(await boxesOf(page), boxes, `${width} px: ${word}`);
    }
    await share.locator('.share-code-image[aria-busy="false"] img').waitFor();
    t.same(await boxesOf(page), boxes, `${width} px: the code of the last value`);
    t.same(await accessibilityProblems(page), []);
    await share.getByRole('button', { name: 'Copy Link' }).focus();
    await page.keyboard.press('Tab');
    const open = share.locator('a:focus', { hasText: 'Open the image' });
    t.match(await open.getAttribute('href'), '/v1/render/still-share.png?name=Maria%20Magdalena');
    await page.keyboard.press('Escape');
    await page.reload();
  }
  t.same(complaints, []);
});

t.test('Share says what its link and its code are for', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const { animation: _, ...still } = plain;
  await client.createTemplate(still, { uid: 'code-of' });
  await client.publishTemplate('code-of');
  const page = await (await studioContext(await startBrowser(t))).newPage();
  await page.goto(`${base}/studio#/t/code-of`);
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  await page.waitForSelector('.share-code-image img');
  t.equal(await page.getByRole('link', { name: 'Download QR code (PNG)' }).count(), 1);
  const width = page.getByLabel('Width, px');
  t.equal(await width.inputValue(), '400', 'the code has no wider image');
  await width.fill('3000');
  await width.blur();
  t.equal(await width.inputValue(), '400');
  await width.fill('200');
  t.match(await page.textContent('[aria-label="HTML"]'), 'width="200"');
  const example = page.getByText('This is the link of one reader, as an example');
  t.equal(await example.count(), 0);
  await page.getByRole('dialog').getByLabel('name', { exact: true }).fill('Maria');
  await example.waitFor();
  await page.getByLabel('For an email service').selectOption({ index: 1 });
  await page.getByText('The code leaves out photo: every reader sees the default.').waitFor();
  t.equal(await example.count(), 0, 'the link has a tag');
});

t.test(
  'Share says that a link shows a still image of an animation',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
    for (const format of ['png', 'gif'] as const) {
      const uid = `moves-${format}`;
      await client.createTemplate({ ...plain, output: { format } }, { uid });
      await client.publishTemplate(uid);
    }
    const page = await (await studioContext(await startBrowser(t))).newPage();
    const hint = page.getByText('The link shows the animation as a still image in PNG.');
    const share = async (uid: string): Promise<void> => {
      await page.goto(`${base}/studio#/t/${uid}`);
      await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
      await page.waitForSelector('.share-image img');
    };
    await share('moves-png');
    t.equal(await hint.count(), 1);
    const dialog = page.getByRole('dialog', { name: 'Share' });
    await dialog.locator('[type="file"]').dispatchEvent('cancel', { bubbles: true });
    t.ok(await dialog.isVisible(), 'a cancelled chooser of files leaves the dialog open');
    await page.keyboard.press('Escape');
    await share('moves-gif');
    t.equal(await hint.count(), 0, 'a GIF moves');
  },
);
