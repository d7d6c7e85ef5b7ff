/** The view of the canvas: what moves and zooms it, its rulers and guides. */
import t from 'tap';
import type { PreviewRequest } from '../../src/client/platen-client.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { dragBy, startStudio } from './canvas-page.ts';

t.test('the view of the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'view', await startBrowser(t), base);
  const { page, keyboard, open, claim } = studio;

  claim('Space over the canvas moves the view, unless the focus takes spaces', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 300, y: 200 });
    const control = (field: string) => page.locator(`.p-inspector ${field}:visible`).first();
    const flip = control('[role="switch"]');
    const isOn = await flip.isChecked();
    const pans = async (part: string, point = { x: 80, y: 70 }): Promise<void> => {
      const [x, y] = await canvas.at(point);
      await page.mouse.move(x + 5, y + 5);
      await page.mouse.move(x, y);
      await keyboard.down(' ');
      await page.mouse.down();
      await page.mouse.move(x + 60, y + 25);
      await page.evaluate('new Promise(requestAnimationFrame)');
      await page.mouse.up();
      await keyboard.up(' ');
      t.same(await canvas.at(point), [x + 60, y + 25], part);
      await keyboard.press('Shift+1');
    };
    const parts = {
      number: control('[inputmode="decimal"]'),
      choice: control('select'),
      toggle: flip,
      button: control('.p-bind'),
      layers: page.locator('[data-layer="a"]'),
      canvas: page.locator('.canvas-window'),
    };
    for (const [name, part] of Object.entries(parts)) {
      await part.focus();
      await pans(name);
    }
    t.equal(await flip.isChecked(), isOn);
    await page.mouse.click(...(await canvas.at({ x: 80, y: 70 })), { button: 'right' });
    await page.getByRole('menu').waitFor();
    await pans('an open menu', { x: 20, y: 20 });
    t.equal(await page.getByRole('menu').count(), 0);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const popover = page.locator('.p-popover');
    await popover.locator(':focus').or(page.locator('.p-popover:focus')).waitFor();
    await pans('an open popover');
    t.equal((await canvas.order()).length, 6, 'and presses nothing of them');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await popover.getByRole('button', { name: 'Rectangle' }).press(' ');
    await popover.waitFor({ state: 'detached' });
    t.equal((await canvas.order()).length, 7, 'the pointer is on the panel');
    const name = page.getByLabel('Name of the template');
    await name.focus();
    await page.mouse.move(...(await canvas.at({ x: 90, y: 70 })));
    await keyboard.press('End');
    await keyboard.press(' ');
    t.match(await name.inputValue(), / $/);
  });

  claim('Space without a drag presses the focused button, wherever the pointer lies', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 300, y: 200 });
    const at = await canvas.at({ x: 80, y: 70 });
    await page.mouse.move(...at);
    const flip = page.locator('.p-inspector [role="switch"]:visible').first();
    const isOn = await flip.isChecked();
    await flip.press(' ');
    t.equal(await flip.isChecked(), !isOn);
    const section = page.locator('.p-inspector details').first();
    const isOpen = () => section.evaluate((each: HTMLDetailsElement) => each.open);
    const before = await isOpen();
    await section.locator('summary').focus();
    for (const key of ['Tab', 'Shift+Tab', ' ']) await keyboard.press(key);
    t.equal(await isOpen(), !before, 'a section that Tab reached');
    await keyboard.press(' ');
    t.equal(await isOpen(), before);
    t.same(await canvas.at({ x: 80, y: 70 }), at);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).press(' ');
    await page.getByRole('dialog').waitFor();
  });

  claim('the wheel zooms at the pointer, and keys go back', async (t) => {
    const canvas = await open();
    const sheet = page.locator('.canvas-sheet');
    const [x, y] = await canvas.at({ x: 100, y: 60 });
    await keyboard.down('Control');
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -400);
    await keyboard.up('Control');
    t.ok(await eventually(async () => ((await sheet.boundingBox())?.width ?? 0) > 1000));
    const box = await sheet.boundingBox();
    const zoom = (box?.width ?? 0) / 400;
    t.ok(Math.abs((box?.x ?? 0) + 100 * zoom - x) < 0.1, 'the point stays under the pointer');
    t.ok(Math.abs((box?.y ?? 0) + 60 * zoom - y) < 0.1);
    await keyboard.press('0');
    t.ok(await eventually(async () => (await sheet.boundingBox())?.width === 400));
  });

  claim('guides are dragged from rulers, meet layers, and stay in this browser', async (t) => {
    const canvas = await open();
    await canvas.focus();
    await keyboard.press('Shift+R');
    const [x] = await canvas.at({ x: 150, y: 150 });
    const ruler = page.locator('.ruler[data-axis="x"]');
    const { x: left = 0, width = 0 } = (await ruler.boundingBox()) ?? {};
    await dragBy(ruler, x - left - width / 2);
    await page.locator('.guide-line[title^="Guide at 150;"]').waitFor();
    await canvas.press({ x: 80, y: 70 });
    await canvas.moveTo({ x: 193, y: 143 });
    t.ok((await page.locator('.guide[data-axis="x"]').count()) > 0, 'the line that it meets');
    await canvas.release();
    t.match(await canvas.layer('a'), { x: 150 }, 'its left edge was 3 px away');
    t.equal(await page.locator('.guide').count(), 0);
    await page.reload();
    await page.locator('.guide-line').waitFor();
    // Guides are there before the layers can be selected.
    await page.locator('.canvas-sheet img').waitFor();
    await dragBy(page.locator('.guide-line'), left + width / 2 - x);
    t.equal(await page.locator('.guide-line').count(), 0, 'back on the ruler it is gone');
    await canvas.click({ x: 250, y: 40 });
    await keyboard.press('Shift+E');
    await page.locator('.guide-line').nth(3).waitFor();
    t.equal(await page.locator('.guide-line').count(), 4, 'keys make guides too');
    await keyboard.press('Shift+G');
    await page.locator('.grid').waitFor();
    t.same(await accessibilityProblems(page), []);
  });

  claim('a large canvas is asked for as large as it is shown', async (t) => {
    const size = { width: 2000, height: 2000 };
    const scales = new Set<number | undefined>();
    page.on('request', (request) => {
      if (!request.url().endsWith('/v1/preview')) return;
      const { inline, scale, template } = request.postDataJSON() as PreviewRequest;
      // The document before it may still be asked for.
      if (inline === true && template?.width === size.width) scales.add(scale);
    });
    const sun = { id: 'sun', type: 'ellipse', x: 900, y: 900, width: 200, height: 200 };
    await open([{ ...sun, fill: '#d64933' }], size);
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
  });
});
