/** Where keys act: on layers, in the fields of the inspector, and where the focus goes. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { text } from './built-layers.ts';
import { saveCanvas, startStudio } from './canvas-page.ts';
import { publishDraft } from './studio-page.ts';

t.test('keys of the editor', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'keys', await startBrowser(t), base);
  const { page, keyboard, open, claim } = studio;
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await keyboard.press(key);
  };
  /** The control of a property. */
  const field = (name: string): Locator =>
    page.locator(`.p-inspector [data-field="${name}"] :is(input, select)`).first();
  /** The property whose row has the focus. */
  const focused = (): Promise<string | null> =>
    page.evaluate('document.activeElement.closest("[data-field]")?.dataset.field ?? null');
  /** The chosen tool. */
  const tool = (): Promise<string | null> =>
    page.locator('.tool-bar [aria-pressed="true"]').getAttribute('aria-label');

  claim('keys act on layers from the canvas and the list of layers alone', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    const before = await canvas.layers();
    const elsewhere = [
      page.getByRole('button', { name: 'Publish' }).first(),
      page.locator('.p-inspector .p-bind').first(),
      page.locator('.preset-pick').first(),
    ];
    for (const button of elsewhere) {
      await button.focus();
      await press('Delete', 'Backspace', 'ArrowLeft', ']', 'Shift+A', 't');
      t.equal(await tool(), 'Select');
      t.same(await canvas.layers(), before);
    }
    await keyboard.press('Control+d');
    t.equal((await canvas.order())[1], 'a-2', 'keys with Ctrl act from everywhere');
    await keyboard.press('Control+z');
    await canvas.click({ x: 80, y: 70 });
    await keyboard.press('ArrowLeft');
    t.match(await canvas.layer('a'), { x: 39 });
    await page.getByRole('button', { name: 'Align left' }).press('Delete');
    t.equal(await canvas.layer('a'), undefined, 'also from the bars of the canvas');
    await page.locator('[data-layer="b"]').click();
    await keyboard.press('o');
    t.equal(await tool(), 'Ellipse');
    await keyboard.press('Delete');
    t.equal(await canvas.layer('b'), undefined);
  });

  claim('keys act on no layer once the focused control of a panel is gone', async (t) => {
    const canvas = await open();
    await keyboard.press('t');
    t.equal(await tool(), 'Text', 'keys act after the opening');
    await keyboard.press('Escape');
    await canvas.click({ x: 80, y: 70 });
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('button', { name: /^Delete city/ }).press('Enter');
    await page.waitForFunction('document.activeElement === document.body');
    const before = await canvas.layers();
    /** Opens the shortcuts with a key, and closes them, which returns the focus. */
    const visitHelp = async (): Promise<void> => {
      await keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await visitHelp();
    await press('Backspace', 'Delete', 'ArrowLeft', ']', 't');
    t.same(await canvas.layers(), before);
    t.equal(await tool(), 'Select');
    await canvas.click({ x: 80, y: 70 });
    await visitHelp();
    await keyboard.press('Backspace');
    t.same(await canvas.layers(), before.slice(1), 'a press on the canvas brings the keys back');
    await press('Control+z', 'Control+z');
    t.match(await canvas.find('s'), { text: '{{city}}' }, 'keys with Ctrl act as before');
  });

  claim('a property can be made dynamic where the pointer is, and shows where it is', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    const row = page.locator('.p-row[data-field="rotation"]');
    const bind = row.locator('> .p-bind');
    const opacity = () => bind.evaluate((button) => getComputedStyle(button).opacity);
    t.equal(await opacity(), '0');
    await row.hover();
    t.equal(await opacity(), '1');
    await bind.click();
    await page.locator('.p-row[data-field="x"]').hover();
    t.ok(await eventually(async () => (await opacity()) === '1'), 'of what is bound always');
  });

  claim('Escape in a number restores the value, and keeps the selection', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    for (const [name, value] of Object.entries({ x: '40', height: '60', rotation: '' })) {
      await field(name).focus();
      await keyboard.type('123');
      await keyboard.press('ArrowUp');
      t.equal(await field(name).inputValue(), '124', name);
      await keyboard.press('Escape');
      t.equal(await field(name).inputValue(), value, name);
      t.equal(await focused(), name, 'the field keeps the focus');
    }
    t.match(await canvas.layer('a'), { x: 40, y: 43, width: 80, height: 60 });
    const undo = page.getByRole('button', { name: 'Undo' });
    t.equal(await undo.isDisabled(), true, 'nothing is left to undo');
    t.same(await canvas.selectedSize(), { width: 80, height: 60 });

    await field('x').focus();
    await keyboard.type('50');
    await keyboard.press('Enter');
    await keyboard.type('70');
    await keyboard.press('Escape');
    t.match(await canvas.layer('a'), { x: 50 }, 'the value that Enter took');
    await field('y').press('Escape');
    t.match(await canvas.layer('a'), { x: 50, y: 43 }, 'an edit of another field stays');
  });

  claim('Tab goes from field to field, and keys make a property dynamic', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    await field('x').focus();
    for (const name of ['y', 'width', 'height']) {
      await press('Tab');
      t.equal(await focused(), name);
    }
    await keyboard.press('Alt+Enter');
    await page.locator('[data-field="height"] select:focus').waitFor();
    t.match(await canvas.layer('a'), { height: '{{a_height}}' });
    t.same(await accessibilityProblems(page), []);
    await page.locator('[data-field="height"] .p-format').press('Tab');
    await page.locator('[data-field="height"] .p-bind:focus').waitFor();
    await keyboard.press('Enter');
    t.match(await canvas.layer('a'), { height: 60 });
    await keyboard.press('Escape');
    await page.locator('.p-title', { hasText: 'Template' }).waitFor();
    await keyboard.press('Shift+?');
    await page.getByText('Make dynamic or fixed, in the field of a property').waitFor();
    t.same(await accessibilityProblems(page), [], 'the shortcuts');
    await keyboard.press('Escape');
  });

  claim('the colour of a text is in sight, and so is the top of another layer', async (t) => {
    const canvas = await open();
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
  });

  /** Waits until an element has the focus. */
  const hasFocus = (selector: string): Promise<void> => page.locator(`${selector}:focus`).waitFor();

  claim('the focus goes on where a dialog, a page or a control was', async (t) => {
    await saveCanvas(base, 'keys-focus', [text('words', '{{name}}', { x: 20, y: 20 })]);
    await page.goto(`${base}/studio`);
    await page.locator('[data-uid="keys-focus"] h2').click();
    await hasFocus('.canvas-window');

    const publish = page.getByRole('banner').getByRole('button', { name: 'Publish' });
    await publish.click();
    await publishDraft(page);
    await page.locator('.share-image img').waitFor();
    await hasFocus('dialog .publish-pages');
    await keyboard.press('Escape');
    await hasFocus('.canvas-window');
    await publish.press('Enter');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    t.ok(await publish.evaluate((each) => each === document.activeElement), 'pressed by a key');

    await page.locator('.p-layer').click();
    await page.locator('.canvas-window').press('ArrowRight');
    await keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Undo' }).click();
    await keyboard.press('Control+k');
    await hasFocus('dialog.palette input');
    await keyboard.type('rotation');
    await keyboard.press('Enter');
    await hasFocus('[data-field="rotation"] input');
    const paint = 'new Promise(requestAnimationFrame)';
    for (let paints = 0; paints < 3; paints += 1) await page.evaluate(paint);
    await hasFocus('[data-field="rotation"] input');

    await page.click('#tab-Variables');
    await page.getByLabel('Preview with as name').fill('Ann');
    await page.getByRole('button', { name: 'Save these values' }).press('Enter');
    await keyboard.type('Mine');
    await keyboard.press('Enter');
    await hasFocus('.preset-pick[aria-pressed="true"]');
    await page.getByRole('button', { name: 'Delete the preset Mine' }).press('Enter');
    await hasFocus('button.samples-save');
  });
});
