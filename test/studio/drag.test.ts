import t from 'tap';
import type { Test } from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { layersAbove } from '../../src/studio/canvas/stage/carried-images.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { CanvasPage, saveCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const box = { x: 0, y: 0, width: 10, height: 10 };
const rect = (id: string, mask?: string): Layer => {
  const layer: Layer = { id, type: 'rect', ...box, fill: '#333333' };
  return mask === undefined ? layer : { ...layer, mask };
};
const group = (id: string, layers: Layer[]): Layer => ({ id, type: 'group', ...box, layers });

t.test('above carried layers lies what is painted after the topmost of them', (t) => {
  const layers = [
    rect('a'),
    group('g', [rect('in'), rect('over', 'shape'), rect('shape')]),
    rect('b'),
    group('h', [rect('far')]),
  ];
  t.same(layersAbove({ layers }, ['a']), ['g', 'b', 'h'], 'a group stands for what is in it');
  t.same(layersAbove({ layers }, ['in']), ['over', 'b', 'h'], 'a mask is painted nowhere');
  t.same(layersAbove({ layers }, ['a', 'b']), ['h']);
  t.same(layersAbove({ layers }, ['h']), []);
  t.end();
});

t.test('images of a drag', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser);

  t.test(
    'what lies above a dragged layer stays above it, before and after the exact image',
    async (t) => {
      const readDocument = await saveCanvas(base, 'drag');
      const page = await context.newPage();
      const complaints = watchPage(page, base);
      // Frames wait while this is closed; the bitmaps of the drag do not.
      let gate = Promise.resolve();
      await page.route('**/v1/preview', async (route) => {
        const isFrame = route.request().headers()['accept']?.includes('json') === true;
        if (isFrame) await gate;
        await route.continue();
      });
      await page.goto(`${base}/studio#/t/drag`);
      await page.waitForSelector('.canvas-sheet img');
      const canvas = new CanvasPage(page, readDocument);
      await canvas.press({ x: 80, y: 70 });
      let open = (): void => undefined;
      gate = new Promise((resolve) => (open = resolve));
      // Over b's left half, which is painted later.
      await canvas.moveTo({ x: 240, y: 60 }, ['Control']);
      t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
      await shows(t, canvas, { both: '#20639b', alone: '#d64933', left: '#ffffff' });
      open();
      t.ok(
        await eventually(async () => (await canvas.shows()) === 'exact'),
        'the exact image is there while the pointer is still down',
      );
      await shows(t, canvas, { both: '#20639b', alone: '#d64933', left: '#ffffff' });

      gate = new Promise((resolve) => (open = resolve));
      await canvas.moveTo({ x: 240, y: 220 }, ['Control']);
      t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
      t.equal(
        await canvas.colorOnceAt({ x: 205, y: 200 }, '#d64933'),
        '#d64933',
        'and follows it again',
      );
      await canvas.release();
      open();
      t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
      t.match(await canvas.layer('a'), { x: 200, y: 193 });
      t.same(complaints.splice(0), []);
    },
  );
});

type Colors = Record<'both' | 'alone' | 'left', string>;

/** Tests where the dragged layer lies below another, where it shows, and where it was: the compositor follows the page. */
async function shows(t: Test, canvas: CanvasPage, expected: Colors): Promise<void> {
  const seen: Colors = {
    both: await canvas.colorOnceAt({ x: 250, y: 70 }, expected.both),
    alone: await canvas.colorOnceAt({ x: 204, y: 70 }, expected.alone),
    left: await canvas.colorOnceAt({ x: 60, y: 90 }, expected.left),
  };
  t.same(seen, expected);
}
