/** The view of the canvas and what the inspector shows at rest, in a browser. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('the view of the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);

  /** Drags by 60 and 25 px with Space held, which is released after it. */
  const dragOn = async (x: number, y: number): Promise<void> => {
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 25);
    await page.evaluate('new Promise(requestAnimationFrame)');
    await page.mouse.up();
    await page.keyboard.up(' ');
  };

  t.test('Space moves the view also while a button has the focus', async (t) => {
    const canvas = await openCanvas(page, base, 'view-space');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    t.equal(await page.locator('button:focus').count(), 1);
    const [x, y] = await canvas.at({ x: 80, y: 70 });
    await page.keyboard.down(' ');
    await page.mouse.move(x, y);
    await dragOn(x, y);
    t.same(await canvas.at({ x: 80, y: 70 }), [x + 60, y + 25]);
    t.equal(await page.getByRole('dialog').count(), 0, 'and presses no button');
    t.equal(await page.locator('[aria-selected="true"][data-layer]').count(), 0, 'nor a layer');
    t.same(complaints.splice(0), []);
  });

  t.test('Space over the canvas moves the view from each field that takes no text', async (t) => {
    const canvas = await openCanvas(page, base, 'view-fields');
    await canvas.click({ x: 300, y: 200 });
    const control = (field: string): Locator =>
      page.locator(`.p-inspector ${field}:visible`).first();
    const flip = control('[role="switch"]');
    const isOn = await flip.isChecked();
    for (const field of ['[inputmode="decimal"]', 'select', '[role="switch"]', '.p-bind']) {
      const [x, y] = await canvas.at({ x: 80, y: 70 });
      await control(field).focus();
      await page.mouse.move(x, y);
      await page.keyboard.down(' ');
      await dragOn(x, y);
      t.same(await canvas.at({ x: 80, y: 70 }), [x + 60, y + 25], field);
    }
    t.equal(await flip.isChecked(), isOn);
    await flip.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press(' ');
    t.equal(await flip.isChecked(), !isOn, 'Tab came after the pointer');
    const name = page.getByLabel('Name of the template');
    await name.focus();
    await page.mouse.move(...(await canvas.at({ x: 90, y: 70 })));
    await page.keyboard.press('End');
    await page.keyboard.press(' ');
    t.equal(await name.inputValue(), 'view-fields ');
    t.same(complaints.splice(0), []);
  });

  t.test('Space over the canvas moves the view from each part of the page', async (t) => {
    const tall = { name: 'tall', width: 400, height: 420 };
    const canvas = await openCanvas(page, base, 'view-parts', undefined, { sizes: [tall] });
    const pans = async (part: string): Promise<void> => {
      const [x, y] = await canvas.at({ x: 80, y: 70 });
      await page.mouse.move(x + 5, y + 5);
      await page.mouse.move(x, y);
      await page.keyboard.down(' ');
      await dragOn(x, y);
      t.same(await canvas.at({ x: 80, y: 70 }), [x + 60, y + 25], part);
      await page.keyboard.press('Shift+1');
    };
    const parts = {
      layers: page.locator('[data-layer="a"]'),
      sizes: page.getByLabel('Size that is shown'),
      samples: page.locator('.preset-pick').first(),
      canvas: page.locator('.canvas-window'),
    };
    for (const [name, part] of Object.entries(parts)) {
      await part.focus();
      await pans(name);
    }
    await canvas.click({ x: 80, y: 70 });
    await page.mouse.click(...(await canvas.at({ x: 80, y: 70 })), { button: 'right' });
    await page.getByRole('menu').waitFor();
    const [x, y] = await canvas.at({ x: 20, y: 20 });
    await page.mouse.move(x, y);
    await page.keyboard.down(' ');
    await dragOn(x, y);
    t.same(await canvas.at({ x: 20, y: 20 }), [x + 60, y + 25], 'an open menu');
    t.equal(await page.getByRole('menu').count(), 0);
    t.equal((await canvas.order()).length, 6, 'and runs no item');
    t.same(complaints.splice(0), []);
  });

  t.test('Space without a drag presses the focused button', async (t) => {
    const canvas = await openCanvas(page, base, 'view-press');
    await canvas.click({ x: 300, y: 200 });
    const flip = page.locator('.p-inspector [role="switch"]:visible').first();
    const isOn = await flip.isChecked();
    await flip.focus();
    await page.mouse.move(...(await canvas.at({ x: 80, y: 70 })));
    await page.keyboard.press(' ');
    t.equal(await flip.isChecked(), !isOn);
    const help = page.getByRole('button', { name: 'Keyboard shortcuts' });
    await help.focus();
    await page.keyboard.press(' ');
    await page.getByRole('dialog').waitFor();
    t.same(complaints.splice(0), []);
  });

  t.test('Space opens a section that Tab reached, wherever the pointer lies', async (t) => {
    const canvas = await openCanvas(page, base, 'view-sections');
    await canvas.click({ x: 300, y: 200 });
    const section = page.locator('.p-inspector details').first();
    const isOpen = (): Promise<boolean> =>
      section.evaluate((each: HTMLDetailsElement) => each.open);
    const before = await isOpen();
    const at = await canvas.at({ x: 80, y: 70 });
    await page.mouse.move(...at);
    await section.locator('summary').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    t.equal(await page.locator('summary:focus').count(), 1);
    await page.keyboard.press(' ');
    t.equal(await isOpen(), !before);
    await page.keyboard.press(' ');
    t.equal(await isOpen(), before);
    t.same(await canvas.at({ x: 80, y: 70 }), at);
    t.same(complaints.splice(0), []);
  });

  t.test('Space over the canvas moves the view also from an open popover', async (t) => {
    const canvas = await openCanvas(page, base, 'view-popover');
    const [x, y] = await canvas.at({ x: 80, y: 70 });
    const popover = page.locator('.p-popover');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await popover.locator(':focus').or(page.locator('.p-popover:focus')).waitFor();
    await page.mouse.move(x, y);
    await page.keyboard.down(' ');
    await dragOn(x, y);
    t.same(await canvas.at({ x: 80, y: 70 }), [x + 60, y + 25]);
    t.equal((await canvas.order()).length, 6, 'and presses no button of it');

    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await popover.getByRole('button', { name: 'Rectangle' }).focus();
    await page.keyboard.press(' ');
    await popover.waitFor({ state: 'detached' });
    t.equal((await canvas.order()).length, 7, 'the pointer is on the panel');
    t.same(complaints.splice(0), []);
  });

  t.test('keys act on layers from the canvas and the list of layers alone', async (t) => {
    const canvas = await openCanvas(page, base, 'view-keys');
    await canvas.click({ x: 80, y: 70 });
    const tool = (): Promise<string | null> =>
      page.locator('.tool-bar [aria-pressed="true"]').getAttribute('aria-label');
    const before = await canvas.layers();
    const elsewhere = [
      page.getByRole('button', { name: 'Publish' }).first(),
      page.locator('.p-inspector .p-bind').first(),
      page.locator('.preset-pick').first(),
    ];
    for (const button of elsewhere) {
      await button.focus();
      for (const key of ['Delete', 'Backspace', 'ArrowLeft', ']', 'Shift+A', 't']) {
        await page.keyboard.press(key);
      }
      t.equal(await tool(), 'Select');
      t.same(await canvas.layers(), before);
    }
    await page.keyboard.press('Control+d');
    t.equal((await canvas.order())[1], 'a-2', 'keys with Ctrl act from everywhere');
    await page.keyboard.press('Control+z');
    await canvas.click({ x: 80, y: 70 });
    await page.keyboard.press('ArrowLeft');
    t.match(await canvas.layer('a'), { x: 39 });
    await page.getByRole('button', { name: 'Align left' }).focus();
    await page.keyboard.press('Delete');
    t.equal(await canvas.layer('a'), undefined, 'also from the bars of the canvas');
    await page.locator('[data-layer="b"]').click();
    await page.keyboard.press('o');
    t.equal(await tool(), 'Ellipse');
    await page.keyboard.press('Delete');
    t.equal(await canvas.layer('b'), undefined);
    t.same(complaints.splice(0), []);
  });

  t.test('keys act on no layer once the focused control of a panel is gone', async (t) => {
    const canvas = await openCanvas(page, base, 'view-gone');
    await page.keyboard.press('t');
    const pressed = page.locator('.tool-bar [aria-pressed="true"]');
    t.equal(await pressed.getAttribute('aria-label'), 'Text', 'keys act after the opening');
    await page.keyboard.press('Escape');
    await canvas.click({ x: 80, y: 70 });
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('button', { name: /^Delete city/ }).focus();
    await page.keyboard.press('Enter');
    const hasNoFocus = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement === document.body);
    t.ok(await eventually(hasNoFocus));
    const before = await canvas.layers();
    /** Opens the shortcuts with a key, and closes them, which returns the focus. */
    const visitHelp = async (): Promise<void> => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await visitHelp();
    for (const key of ['Backspace', 'Delete', 'ArrowLeft', ']', 't'])
      await page.keyboard.press(key);
    t.same(await canvas.layers(), before);
    t.equal(await pressed.getAttribute('aria-label'), 'Select');
    await canvas.click({ x: 80, y: 70 });
    await visitHelp();
    await page.keyboard.press('Backspace');
    t.same(await canvas.layers(), before.slice(1), 'a press on the canvas brings the keys back');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    t.match(await canvas.find('s'), { text: '{{city}}' }, 'keys with Ctrl act as before');
    t.same(complaints.splice(0), []);
  });

  t.test(
    'a property can be made dynamic where the pointer is, and shows where it is',
    async (t) => {
      const canvas = await openCanvas(page, base, 'view-bind');
      await canvas.click({ x: 80, y: 70 });
      const opacity = (row: string): Promise<string> =>
        page
          .locator(`.p-row[data-field="${row}"] > .p-bind`)
          .evaluate((button) => getComputedStyle(button).opacity);
      t.equal(await opacity('rotation'), '0');
      await page.locator('.p-row[data-field="rotation"]').hover();
      t.equal(await opacity('rotation'), '1');
      await page.locator('.p-row[data-field="rotation"] > .p-bind').click();
      await page.locator('.p-row[data-field="x"]').hover();
      t.equal(await opacity('rotation'), '1', 'of what is bound always');
      t.same(complaints.splice(0), []);
    },
  );

  t.test('a large canvas is asked for as large as it is shown', async (t) => {
    const scales = new Set<number | undefined>();
    page.on('request', (request) => {
      if (!request.url().endsWith('/v1/preview')) return;
      const { inline, scale } = request.postDataJSON() as { inline?: boolean; scale?: number };
      if (inline === true) scales.add(scale);
    });
    const sun = { id: 'sun', type: 'ellipse', x: 900, y: 900, width: 200, height: 200 };
    const size = { width: 2000, height: 2000 };
    await openCanvas(page, base, 'view-large', [{ ...sun, fill: '#d64933' }], size);
    // The first frame is asked for before the window is measured, and the panels move the canvas.
    const isSharpOnCanvas = (): Promise<boolean> =>
      page.locator('.canvas-sheet').evaluate((sheet) => {
        const image = sheet.querySelector('img');
        const [inner, outer] = [image?.getBoundingClientRect(), sheet.getBoundingClientRect()];
        const isCovered = JSON.stringify(inner) === JSON.stringify(outer);
        return isCovered && image?.naturalWidth === 500;
      });
    t.equal(await eventually(isSharpOnCanvas), true);
    t.equal(scales.has(undefined), false, 'and never at its full size');
    t.same(complaints.splice(0), []);
  });
});
