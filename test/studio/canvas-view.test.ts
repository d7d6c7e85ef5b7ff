/** The view of the canvas and what the inspector shows at rest, in a browser. */
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('the view of the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);

  t.test('Space moves the view also while a button has the focus', async (t) => {
    const canvas = await openCanvas(page, base, 'view-space');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    t.equal(await page.locator('button:focus').count(), 1);
    const [x, y] = await canvas.at({ x: 80, y: 70 });
    await page.keyboard.down(' ');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 25);
    await page.evaluate('new Promise(requestAnimationFrame)');
    await page.mouse.up();
    await page.keyboard.up(' ');
    t.same(await canvas.at({ x: 80, y: 70 }), [x + 60, y + 25]);
    t.equal(await page.getByRole('dialog').count(), 0, 'and presses no button');
    t.equal(await page.locator('[aria-selected="true"][data-layer]').count(), 0, 'nor a layer');
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
