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

  t.test('are clear of bars on a turned layer, and of the mark of a comment', async (t) => {
    const size = { width: 1200, height: 630 };
    const ground = { id: 'ground', type: 'rect', x: 0, y: 0, ...size, fill: '#d64933' };
    const turned = { ...ground, rotation: 180 };
    await openCanvas(page, base, 'handles-turned', [turned], size);
    const areReached = async (): Promise<boolean> =>
      (await reachedHandles(page)).toSorted().join() === all.join();
    await page.locator('[data-layer="ground"]').click();
    t.equal(await eventually(areReached), true);
    await page.locator('[data-handle="rotate"]').hover();
    await page.mouse.down();
    await page.mouse.move(0, 360, { steps: 4 });
    await page.mouse.up();
    t.not(
      await page.getByLabel('Rotation', { exact: true }).inputValue(),
      '180',
      'it turns the layer',
    );

    await openCanvas(page, base, 'handles-comment', [ground], size);
    await page.locator('[data-layer="ground"]').click();
    await page.click('#tab-Comments');
    await page.getByLabel('New comment').fill('Darker?');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comment-mark').waitFor();
    t.equal(await eventually(areReached), true);
    t.same(complaints.splice(0), []);
  });

  t.test('of a track are in sight in a narrow head of the timeline', async (t) => {
    const box = { id: 'box', type: 'rect', x: 0, y: 0, width: 90, height: 90, fill: '#d64933' };
    const tracks = [{ layer: 'box', property: 'fill', from: '#ffffff', to: '#000000' }];
    const animation = { type: 'motion', seconds: 2, plays: 3, framesPerSecond: 12, tracks };
    await openCanvas(page, base, 'handles-track', [box], { animation });
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.locator('[data-layer="box"]').click();
    const remove = page.getByRole('button', { name: 'Delete the track' });
    const isWhole = (): Promise<boolean> =>
      remove.evaluate((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        return [left + 2, right - 2].every((x) =>
          button.contains(document.elementFromPoint(x, middle)),
        );
      });
    t.equal(await eventually(isWhole), true);
    t.same(complaints.splice(0), []);
  });
});
