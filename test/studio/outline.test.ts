/** The outline of a selected layer lies where the screen shows the pixels of the layer. */
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const solid = { type: 'rect', x: 60, y: 50, width: 100, height: 60, fill: '#ff0000' };
const size = { name: 'tall', width: 400, height: 420 };
const inTall = { tall: { x: 130, y: 260, width: 120 } };

/** Left, top, right and bottom, screen pixels from the corner of the window. */
type Edges = [left: number, top: number, right: number, bottom: number];

/** Edges of the red pixels on the screen, without outlines and handles. */
async function paintedEdges({ page }: CanvasPage): Promise<Edges> {
  const overlay = page.locator('.canvas-overlay');
  const setVisible = (visibility: string): Promise<void> =>
    overlay.evaluate((element, value) => {
      (element as unknown as ElementCSSInlineStyle).style.visibility = value;
    }, visibility);
  await setVisible('hidden');
  const clip = await page.locator('.canvas-window').boundingBox();
  if (clip === null) throw new Error('no canvas');
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await setVisible('');
  const edges: Edges = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < data.length; index += 3) {
    const [red = 0, green = 0, blue = 0] = data.subarray(index, index + 3);
    if (red < 200 || green > 120 || blue > 120) continue;
    const x = (index / 3) % info.width;
    const y = Math.floor(index / 3 / info.width);
    edges[0] = Math.min(edges[0], x);
    edges[1] = Math.min(edges[1], y);
    edges[2] = Math.max(edges[2], x + 1);
    edges[3] = Math.max(edges[3], y + 1);
  }
  return [edges[0] + clip.x, edges[1] + clip.y, edges[2] + clip.x, edges[3] + clip.y];
}

async function outlinedEdges({ page }: CanvasPage): Promise<Edges> {
  const points = (await page.locator('.outline').getAttribute('points')) ?? '';
  const corner = await page.locator('.canvas-overlay').boundingBox();
  if (corner === null) throw new Error('no overlay');
  const pairs = points.split(' ').map((pair) => pair.split(',').map(Number));
  const xs = pairs.map(([x = NaN]) => x + corner.x);
  const ys = pairs.map(([, y = NaN]) => y + corner.y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Claims that the outline has moved since `before`, and that the pixels are in it within 1 px. */
async function agrees(t: Test, canvas: CanvasPage, action: string, before?: Edges): Promise<Edges> {
  const distance = (one: Edges, other: Edges): number =>
    Math.max(...one.map((edge, index) => Math.abs(edge - (other[index] ?? NaN))));
  // The compositor follows the page by a frame or two.
  let [outline, painted] = [await outlinedEdges(canvas), await paintedEdges(canvas)];
  const isSame = await eventually(async () => {
    [outline, painted] = [await outlinedEdges(canvas), await paintedEdges(canvas)];
    const isMoved = before === undefined || distance(outline, before) > 2;
    return isMoved && distance(outline, painted) <= 1;
  });
  t.ok(isSame, `${action}: outline ${outline.join(' ')}, pixels ${painted.join(' ')}`);
  return outline;
}

t.test('outlines and pixels', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t), 900)).newPage();
  const complaints = watchPage(page, base);
  const { keyboard } = page;

  for (const rotation of [0, 30]) {
    t.test(`agree after each change of a layer turned by ${rotation}°`, async (t) => {
      const layer = { ...solid, id: 'red', rotation, bySize: inTall };
      const canvas = await openCanvas(page, base, `outline-${rotation}`, [layer], {
        sizes: [size],
      });
      await canvas.click({ x: 110, y: 80 });
      let last = await agrees(t, canvas, 'selected');
      const step = async (action: string, run: () => Promise<unknown>): Promise<void> => {
        await run();
        last = await agrees(t, canvas, action, last);
      };
      await canvas.focus();
      await step('nudged', async () => {
        for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown'])
          await keyboard.press(key);
      });
      await canvas.press({ x: 112, y: 90 });
      await step('while it is dragged', () => canvas.moveTo({ x: 190, y: 150 }, ['Control']));
      await canvas.release();
      last = await agrees(t, canvas, 'dropped');
      const handle = await page.locator('[data-handle]').last().boundingBox();
      if (handle === null) throw new Error('no handle');
      await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
      await page.mouse.down();
      await step('while it is resized', async () => {
        await page.mouse.move(handle.x + 38, handle.y + 27, { steps: 3 });
        await page.evaluate('new Promise(requestAnimationFrame)');
      });
      await page.mouse.up();
      last = await agrees(t, canvas, 'resized');
      await canvas.focus();
      await step('size undone', () => keyboard.press('Control+z'));
      await step('drag undone', () => keyboard.press('Control+z'));
      await step('drag redone', () => keyboard.press('Control+Shift+z'));
      await step('size redone', () => keyboard.press('Control+Shift+z'));
      await step('another size shown', () =>
        page.getByLabel('Size that is shown').selectOption('tall'),
      );
      await step('nudged in it', () => keyboard.press('Shift+ArrowUp'));
      await page.getByRole('button', { name: 'Change …' }).click();
      await step('canvas resized', async () => {
        await page.getByRole('dialog').getByLabel('Height').fill('380');
        await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
      });
      t.same(complaints.splice(0), []);
    });
  }
});
