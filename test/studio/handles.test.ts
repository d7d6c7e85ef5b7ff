/** The handles of a layer that fills the canvas, in a browser. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** Names of the handles that the pointer reaches at their middle and at the corners of their marks. */
function reachedHandles(page: Page): Promise<string[]> {
  return page.locator('.canvas-overlay .grasp').evaluateAll((handles) =>
    handles
      .filter((handle) => {
        const { left, top, width, height } = handle.getBoundingClientRect();
        const middle = { x: left + width / 2, y: top + height / 2 };
        return [-4, 0, 4].every(
          (offset) =>
            document.elementFromPoint(middle.x + offset, middle.y + offset) === handle &&
            document.elementFromPoint(middle.x - offset, middle.y + offset) === handle,
        );
      })
      .map((handle) => handle.getAttribute('data-handle') ?? ''),
  );
}

const all = ['e', 'n', 'ne', 'nw', 'rotate', 's', 'se', 'sw', 'w'];

t.test('the handles of a layer that fills the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const windows = [
    { width: 1280, height: 720 },
    { width: 1440, height: 900 },
  ];
  const canvases = { card: [1200, 630], square: [1200, 1200], tall: [1080, 1920] } as const;
  for (const [shape, [width, height]] of Object.entries(canvases)) {
    t.test(`are clear of the bars and rulers: ${shape}`, async (t) => {
      const ground = { id: 'ground', type: 'rect', x: 0, y: 0, width, height, fill: '#d64933' };
      const size = { width, height };
      await openCanvas(page, base, `handles-${shape}`, [ground], size);
      await page.locator('[data-layer="ground"]').click();
      await page.getByRole('toolbar', { name: 'Align' }).waitFor();
      for (const window of windows) {
        await page.setViewportSize(window);
        const areReached = async (): Promise<boolean> =>
          (await reachedHandles(page)).toSorted().join() === all.join();
        t.equal(await eventually(areReached), true, `${window.width} × ${window.height}`);
        await page.keyboard.press('Shift+R');
        await page.locator('.ruler').first().waitFor();
        t.equal(await eventually(areReached), true, `${window.width} × ${window.height}, rulers`);
        await page.keyboard.press('Shift+R');
        await page.locator('.ruler').first().waitFor({ state: 'detached' });
      }
      t.same(complaints.splice(0), []);
    });
  }
});
