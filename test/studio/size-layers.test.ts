/** Layers that are added, copied and wrapped in one size of a template, in a browser: where they lie in the others. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { viewOf } from '../../src/studio/state/sizes.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const box = { type: 'rect', width: 60, height: 40, fill: '#ff0000' } as const;
const one = { ...box, id: 'one', x: 20, y: 20, bySize: { tall: { x: 40, y: 340 } } };
const two = { ...box, id: 'two', x: 120, y: 20, bySize: { tall: { x: 40, y: 280 } } };

t.test('layers in the sizes of a template', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser, 900)).newPage();
  const complaints = watchPage(page, base);
  const canvases = { width: 400, height: 150 };
  const tall = { name: 'tall', width: 400, height: 420 };
  let count = 0;
  const open = async (size: '' | 'tall', layers: readonly object[]): Promise<CanvasPage> => {
    count += 1;
    const more = { ...canvases, sizes: [tall] };
    const canvas = await openCanvas(page, base, `layers-${count}`, layers, more);
    await page.getByLabel('Size that is shown').selectOption(size);
    const height = size === '' ? canvases.height : tall.height;
    const image = page.locator('.canvas-sheet img');
    await eventually(() =>
      image.evaluate((img, px) => (img as HTMLImageElement).naturalHeight === px, height),
    );
    await canvas.focus();
    return canvas;
  };
  /** The layers in both sizes, without the properties that no size changes. */
  const shown = async (canvas: CanvasPage): Promise<{ base: Layer[]; tall: Layer[] }> => {
    const layers = await canvas.layers();
    const whole = { ...canvases, sizes: [tall], layers } as unknown as Template;
    return { base: viewOf(whole, undefined).layers, tall: viewOf(whole, 'tall').layers };
  };

  t.test('a drawn layer is arranged in the other sizes', async (t) => {
    const canvas = await open('tall', []);
    await page.keyboard.press('r');
    await canvas.drag({ x: 101, y: 350 }, { x: 201, y: 410 }, ['Control']);
    const drawn = await shown(canvas);
    t.match(drawn.tall, [{ x: 101, y: 350, width: 100, height: 60 }]);
    t.match(drawn.base, [{ x: 164.64, y: 125, width: 36, height: 21 }], 'inside the canvas');
    await page.getByLabel('Size that is shown').selectOption('');
    await canvas.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('r');
    await canvas.drag({ x: 301, y: 30 }, { x: 400, y: 90 }, ['Control']);
    const added = await shown(canvas);
    t.match(added.base, [{ x: 301, y: 30, width: 99, height: 60 }]);
    t.match(added.tall, [{ x: 301, y: 165, width: 99, height: 60 }]);
    t.same(complaints.splice(0), []);
  });

  t.test('a copy lies beside its original in every size', async (t) => {
    const canvas = await open('tall', [one]);
    await canvas.click({ x: 70, y: 360 });
    await page.keyboard.press('Control+d');
    const duplicated = await shown(canvas);
    t.match(duplicated.tall[1], { x: 50, y: 350 });
    t.match(duplicated.base[1], { x: 30, y: 30 });
    await page.keyboard.press('Control+z');
    await page.keyboard.down('Alt');
    await canvas.drag({ x: 70, y: 360 }, { x: 170, y: 110 }, []);
    await page.keyboard.up('Alt');
    const copied = await shown(canvas);
    t.match(copied.tall, [
      { x: 40, y: 340 },
      { x: 140, y: 90 },
    ]);
    t.match(
      copied.base,
      [
        { x: 20, y: 20 },
        { x: 120, y: 0 },
      ],
      'inside the canvas',
    );
    await page.keyboard.press('Control+z');
    t.match(await canvas.layers(), { length: 1 }, 'one step');
    t.same(complaints.splice(0), []);
  });

  const pile = { id: 'pile', type: 'stack', x: 40, y: 20, width: 'hug', height: 'hug' };
  const item = { type: 'rect', width: 60, height: 40, fill: '#ff0000' };
  const card = { ...pile, gap: 10, layers: ['in', 'next'].map((id) => ({ ...item, id })) };

  t.test('a layer that leaves a stack lies inside the canvas of every size', async (t) => {
    const canvas = await open('tall', [card]);
    await page.locator('[data-layer="in"]').click();
    await canvas.drag({ x: 70, y: 40 }, { x: 370, y: 400 }, ['Control']);
    const freed = await shown(canvas);
    t.match(freed.tall[1], { id: 'in', x: 340, y: 380 });
    t.match(freed.base[1], { id: 'in', x: 340, y: 110 });
    await page.keyboard.press('Control+z');
    await page.getByLabel('Size that is shown').selectOption('');
    t.same(await canvas.layers(), [card], 'one step');
    t.same(complaints.splice(0), []);
  });

  t.test('a pasted layer is beside its original and in sight in every size', async (t) => {
    const canvas = await open('', [one]);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    const pasted = await shown(canvas);
    t.match(pasted.base[1], { x: 30, y: 30 });
    t.match(pasted.tall[1], { x: 50, y: 350 });
    const far = { ...one, bySize: { tall: { x: 40, y: 900 } } };
    const other = await open('', [far]);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    t.match((await shown(other)).tall[1], { x: 50, y: 380 });
    t.same(complaints.splice(0), []);
  });

  for (const size of ['', 'tall'] as const) {
    const where = size === '' ? 'on the canvas' : 'in a size';
    t.test(`a group that is made ${where} encloses its layers in all sizes`, async (t) => {
      const canvas = await open(size, [one, two]);
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+g');
      const grouped = await shown(canvas);
      const inside = {
        layers: [
          { x: 0, y: 0 },
          { x: 100, y: 0 },
        ],
      };
      t.match(grouped.base, [{ x: 20, y: 20, width: 160, height: 40, ...inside }]);
      const above = {
        layers: [
          { x: 0, y: 60 },
          { x: 0, y: 0 },
        ],
      };
      t.match(grouped.tall, [{ x: 40, y: 280, width: 60, height: 100, ...above }]);
      await page.keyboard.press('Control+z');
      t.same(await canvas.layers(), [one, two], 'one step');
      t.same(complaints.splice(0), []);
    });

    t.test(`a stack that is made ${where} lies as its layers lay in all sizes`, async (t) => {
      const canvas = await open(size, [one, two]);
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Shift+A');
      const stacked = await shown(canvas);
      t.match(stacked.base, [{ x: 20, y: 20, direction: 'row', gap: 40 }]);
      t.match(stacked.tall, [{ x: 40, y: 280, gap: 20 }]);
      t.notMatch(stacked.tall, [{ direction: 'row' }]);
      const other = size === '' ? 'tall' : 'Base';
      await page.getByText(`Also changes the order in ${other}.`).waitFor();
      await page.keyboard.press('Control+z');
      t.same(await canvas.layers(), [one, two], 'one step');
      t.same(complaints.splice(0), []);
    });

    t.test(`a stack that is made ${where} says nothing if it has one order`, async (t) => {
      const below = { ...two, bySize: { tall: { x: 40, y: 400 } } };
      const canvas = await open(size, [one, below]);
      await page.locator('.notice').first().waitFor({ state: 'detached' });
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Shift+A');
      t.match(await shown(canvas), { base: [{ direction: 'row' }], tall: [{ gap: 20 }] });
      t.equal(await page.getByText('Also changes the order').count(), 0);
      t.same(complaints.splice(0), []);
    });
  }
});
