/** The handles of layers on the screen, and their outline over the pixels of the layer. */
import type { Page } from 'playwright-core';
import t from 'tap';
import type { Test } from 'tap';
import { decodeImage } from '../e2e/image-bytes.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { rect } from './built-layers.ts';
import { dragBy, startStudio } from './canvas-page.ts';
import type { Point } from '../../src/studio/canvas/geometry.ts';
import type { CanvasPage } from './canvas-page.ts';

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

const solid = { x: 60, y: 50, width: 100, height: 60, fill: '#ff0000' };
const tallCanvas = { name: 'tall', width: 400, height: 420 };
const inTall = { tall: { x: 130, y: 260, width: 120 } };

/** Left, top, right and bottom, screen pixels from the corner of the window. */
type Edges = [left: number, top: number, right: number, bottom: number];

function edgesOf(points: readonly Point[]): Edges {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Edges of the red pixels on the screen, without outlines and handles. */
async function paintedEdges({ page }: CanvasPage): Promise<Edges> {
  const setVisible = (visibility: string): Promise<void> =>
    page.locator('.canvas-overlay').evaluate((element: SVGElement, value) => {
      element.style.visibility = value;
    }, visibility);
  await setVisible('hidden');
  const clip = await page.locator('.canvas-window').boundingBox();
  if (clip === null) throw new Error('no canvas');
  const { data, width } = await decodeImage(await page.screenshot({ clip }));
  await setVisible('');
  const points: Point[] = [];
  for (let index = 0; index < data.length; index += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(index, index + 3);
    if (red < 200 || green > 120 || blue > 120) continue;
    const x = clip.x + ((index / 4) % width);
    const y = clip.y + Math.floor(index / 4 / width);
    points.push({ x, y }, { x: x + 1, y: y + 1 });
  }
  return edgesOf(points);
}

/** Claims that the outline has moved since `before`, and that the pixels are in it within 1 px. */
async function agrees(t: Test, canvas: CanvasPage, action: string, before?: Edges): Promise<Edges> {
  const distance = (one: Edges, other: Edges): number =>
    Math.max(...one.map((edge, index) => Math.abs(edge - (other[index] ?? NaN))));
  // The compositor follows the page by a frame or two.
  let [outline, painted] = [edgesOf([]), edgesOf([])];
  const isSame = await eventually(async () => {
    [outline, painted] = [edgesOf(await canvas.outline()), await paintedEdges(canvas)];
    const isMoved = before === undefined || distance(outline, before) > 2;
    return isMoved && distance(outline, painted) <= 1;
  });
  t.ok(isSame, `${action}: outline ${outline.join(' ')}, pixels ${painted.join(' ')}`);
  return outline;
}

t.test('the handles of layers', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'handles', await startBrowser(t), base, 900);
  const { page, keyboard, open, claim } = studio;
  const all = 'e,n,ne,nw,rotate,s,se,sw,w';
  const areReached = (): Promise<boolean> =>
    eventually(async () => (await reachedHandles(page)).toSorted().join() === all);
  const canvases = { card: [1200, 630], square: [1200, 1200], tall: [1080, 1920] } as const;
  for (const [shape, [width, height]] of Object.entries(canvases)) {
    claim(`are clear of the bars and rulers: ${shape}`, async (t) => {
      const size = { width, height };
      await open([rect('ground', { x: 0, y: 0, ...size })], size);
      await page.locator('[data-layer="ground"]').click();
      await page.getByRole('toolbar', { name: 'Align' }).waitFor();
      for (const [wide, high] of Object.entries({ 1280: 720, 1440: 900 })) {
        await page.setViewportSize({ width: Number(wide), height: high });
        t.equal(await areReached(), true, `${wide} × ${high}`);
        await keyboard.press('Shift+R');
        await page.locator('.ruler').first().waitFor();
        t.equal(await areReached(), true, `${wide} × ${high}, rulers`);
        await keyboard.press('Shift+R');
        await page.locator('.ruler').first().waitFor({ state: 'detached' });
      }
    });
  }

  claim('are clear of bars on a turned layer, and of the mark of a comment', async (t) => {
    const size = { width: 1200, height: 630 };
    const ground = rect('ground', { x: 0, y: 0, ...size });
    await open([{ ...ground, rotation: 180 }], size);
    await page.locator('[data-layer="ground"]').click();
    t.ok(await areReached());
    await dragBy(page.locator('[data-handle="rotate"]'), -300, -100);
    const rotation = page.getByLabel('Rotation', { exact: true });
    const isTurned = async (): Promise<boolean> => (await rotation.inputValue()) !== '180';
    t.ok(await eventually(isTurned), 'it turns the layer');

    await open([ground], size);
    await page.locator('[data-layer="ground"]').click();
    await page.click('#tab-Comments');
    await page.getByLabel('New comment').fill('Darker?');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comment-mark').waitFor();
    t.ok(await areReached());
  });

  claim('of a track are in sight in a narrow head of the timeline', async (t) => {
    const tracks = [{ layer: 'box', property: 'fill', from: '#ffffff', to: '#000000' }];
    const animation = { type: 'motion', seconds: 2, plays: 3, framesPerSecond: 12, tracks };
    await open([rect('box', { x: 0, y: 0 })], { animation });
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
  });

  claim('an outline and its handles follow the pixels of a turned layer', async (t) => {
    const layer = rect('red', { ...solid, rotation: 30, bySize: inTall });
    const canvas = await open([layer], { sizes: [tallCanvas] });
    await canvas.click({ x: 110, y: 80 });
    let last = await agrees(t, canvas, 'selected');
    const step = async (action: string, run: () => Promise<unknown>): Promise<void> => {
      await run();
      last = await agrees(t, canvas, action, last);
    };
    await canvas.focus();
    await step('nudged', async () => {
      for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown']) await keyboard.press(key);
    });
    await canvas.press({ x: 112, y: 90 });
    await step('while it is dragged', () => canvas.moveTo({ x: 190, y: 150 }, ['Control']));
    await canvas.release();
    last = await agrees(t, canvas, 'dropped');
    await step('resized', () => dragBy(page.locator('[data-handle]').last(), 33, 22));
    await canvas.focus();
    await step('size undone', () => keyboard.press('Control+z'));
    await step('drag undone', () => keyboard.press('Control+z'));
    await step('drag redone', () => keyboard.press('Control+Shift+z'));
    await step('size redone', () => keyboard.press('Control+Shift+z'));
    const chooser = page.getByLabel('Size that is shown');
    await step('another size shown', () => chooser.selectOption('tall'));
    await step('nudged in it', () => keyboard.press('Shift+ArrowUp'));
    await page.getByRole('button', { name: 'Change …' }).click();
    await page.getByRole('dialog').getByLabel('Height').fill('380');
    const change = page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true });
    await step('canvas resized', () => change.click());
  });
});
