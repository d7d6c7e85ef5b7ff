/** Keys in the fields of the inspector, and what it shows first. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('the inspector', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const { keyboard } = page;
  /** The control of a property. */
  const field = (name: string): Locator =>
    page.locator(`.p-inspector [data-field="${name}"] :is(input, select)`).first();
  /** The property whose row has the focus. */
  const focused = (): Promise<string | null> =>
    page.evaluate('document.activeElement.closest("[data-field]")?.dataset.field ?? null');
  const undo = page.getByRole('button', { name: 'Undo' });

  t.test(
    'Escape in the field of a number restores the value, and keeps the selection',
    async (t) => {
      const canvas = await openCanvas(page, base, 'keys-escape');
      await canvas.click({ x: 80, y: 70 });
      for (const [name, value] of [
        ['x', '40'],
        ['height', '60'],
        ['rotation', ''],
      ] as const) {
        await field(name).focus();
        await keyboard.type('123');
        await keyboard.press('ArrowUp');
        t.equal(await field(name).inputValue(), '124', name);
        await keyboard.press('Escape');
        t.equal(await field(name).inputValue(), value, name);
        t.equal(await focused(), name, 'the field keeps the focus');
      }
      t.match(await canvas.layer('a'), { x: 40, y: 43, width: 80, height: 60 });
      t.equal(await undo.isDisabled(), true, 'nothing is left to undo');
      t.same(await canvas.selectedSize(), { width: 80, height: 60 });

      await field('x').focus();
      await keyboard.type('50');
      await keyboard.press('Enter');
      await keyboard.type('70');
      await keyboard.press('Escape');
      t.match(await canvas.layer('a'), { x: 50 }, 'the value that Enter took');
      await field('y').focus();
      await keyboard.press('Escape');
      t.match(await canvas.layer('a'), { x: 50, y: 43 }, 'an edit of another field stays');
      t.same(complaints.splice(0), []);
    },
  );

  t.test('Escape takes back both sides of an image, which keeps its ratio', async (t) => {
    const image = { id: 'a', type: 'image', x: 40, y: 40, width: 80, height: 40, src: '' };
    const canvas = await openCanvas(page, base, 'keys-ratio', [image]);
    await page.locator('[data-layer="a"]').click();
    t.ok(await page.getByLabel('Keep ratio').isChecked());
    await field('width').focus();
    await keyboard.type('120');
    await keyboard.press('Enter');
    t.match(await canvas.layer('a'), { width: 120, height: 60 });
    await keyboard.type('200');
    t.match(await canvas.layer('a'), { width: 200, height: 100 });
    await keyboard.press('Escape');
    t.match(await canvas.layer('a'), { width: 120, height: 60 });
    t.same(complaints.splice(0), []);
  });

  t.test('Tab goes from field to field, and keys make a property dynamic', async (t) => {
    const canvas = await openCanvas(page, base, 'keys-tab');
    await canvas.click({ x: 80, y: 70 });
    await field('x').focus();
    for (const name of ['y', 'width', 'height']) {
      await keyboard.press('Tab');
      t.equal(await focused(), name);
    }
    await keyboard.press('Alt+Enter');
    await page.locator('[data-field="height"] select:focus').waitFor();
    t.match(await canvas.layer('a'), { height: '{{a_height}}' });
    t.same(await accessibilityProblems(page), []);
    await page.locator('[data-field="height"] .p-format').focus();
    await keyboard.press('Tab');
    await page.locator('[data-field="height"] .p-bind:focus').waitFor();
    await keyboard.press('Enter');
    t.match(await canvas.layer('a'), { height: 60 });
    await keyboard.press('Escape');
    await page.locator('.p-title', { hasText: 'Template' }).waitFor();
    await keyboard.press('Shift+?');
    await page.getByText('Make dynamic or fixed, in the field of a property').waitFor();
    await keyboard.press('Escape');
    t.same(complaints.splice(0), []);
  });

  t.test('the colour of a text is in sight, and so is the top of another layer', async (t) => {
    const canvas = await openCanvas(page, base, 'keys-top');
    await canvas.click({ x: 300, y: 200 });
    const fill = page.locator('.p-inspector [data-field="fill"]');
    await fill.waitFor();
    const bottom = await fill.evaluate((row) => row.getBoundingClientRect().bottom);
    t.ok(bottom < 720, `${bottom} px down`);
    const side = page.locator('.side.right');
    await side.evaluate((each) => each.scrollTo(0, 600));
    await canvas.click({ x: 80, y: 70 });
    await page.locator('.p-title-name', { hasText: 'a' }).waitFor();
    t.equal(await side.evaluate((each) => each.scrollTop), 0);
    t.same(complaints.splice(0), []);
  });
});
