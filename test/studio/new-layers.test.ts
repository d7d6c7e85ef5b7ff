/** Size and position of new layers that the user does not draw. */
import sharp from 'sharp';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { placeImage } from '../../src/studio/canvas/geometry.ts';
import { addDrawnLayer } from '../../src/studio/panels/layers/new-layers.ts';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('the letters of a new text fit the canvas', (t) => {
  const text = (width: number, height: number): Layer | undefined => {
    const draft: Template = { format: 1, name: 'new', width, height, variables: [], layers: [] };
    addDrawnLayer(draft, 'text');
    return draft.layers[0];
  };
  t.match(text(1200, 630), { fontSize: 60, width: 648, height: 115 });
  t.match(text(1200, 400), { fontSize: 60 }, 'a twentieth of the width of a banner');
  t.match(text(728, 90), { fontSize: 18, height: 35 }, 'at most a fifth of the height');
  t.match(text(1080, 1920), { fontSize: 90 });
  t.match(text(1333, 400), { fontSize: 67 }, 'in whole pixels');
  t.end();
});

t.test('an image without a file has the size of the same image as a file', (t) => {
  const image = (width: number, height: number): Layer | undefined => {
    const draft: Template = { format: 1, name: 'new', width, height, variables: [], layers: [] };
    addDrawnLayer(draft, 'image');
    return draft.layers[0];
  };
  const size = { width: 400, height: 300 };
  t.match(image(1200, 800), { x: 400, y: 250, ...size });
  for (const canvas of [size, { width: 300, height: 600 }]) {
    const middle = { x: canvas.width / 2, y: canvas.height / 2 };
    t.match(image(canvas.width, canvas.height), placeImage(canvas, size, middle));
  }
  t.end();
});

t.test('a text that is added by a click', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const canvas = await openCanvas(page, base, 'new-text', [], { width: 1200, height: 400 });
  await page.keyboard.press('t');
  const sheet = await page.locator('.canvas-sheet').boundingBox();
  if (sheet === null) throw new Error('no canvas');
  await page.mouse.click(sheet.x + 60, sheet.y + sheet.height / 2);
  await page.locator('.span-field').pressSequentially('Welcome');
  await page.keyboard.press('Escape');
  t.match(await canvas.layer('text'), { text: 'Welcome', fontSize: 60, width: 648 });
  t.same(complaints, []);
});

t.test('layers without a point', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const ground = {
    id: 'ground',
    type: 'rect',
    x: 0,
    y: 0,
    width: 400,
    height: 300,
    fill: '#eeeeee',
  };
  const headline = { id: 'headline', type: 'text', x: 60, y: 120, width: 280, height: 60 };
  const layers = [ground, { ...headline, text: 'Welcome', fontSize: 40 }];

  t.test('a QR code from the menu covers no headline', async (t) => {
    const canvas = await openCanvas(page, base, 'free-code', layers);
    await page.locator('.p-add').click();
    await page.locator('.p-add-grid').getByRole('button', { name: 'QR code' }).click();
    await page.locator('[data-layer="qr"]').waitFor();
    t.match(await canvas.layer('qr'), { x: 155, y: 188, width: 90, height: 90 });
    t.same(complaints.splice(0), []);
  });

  t.test('the first of two dropped images lies at the pointer, the other beside it', async (t) => {
    const canvas = await openCanvas(page, base, 'free-images', layers);
    const create = { width: 60, height: 40, channels: 3 as const, background: '#7b2d8b' };
    const bytes = [...(await sharp({ create }).png().toBuffer())];
    const at = await canvas.at({ x: 80, y: 60 });
    await page.evaluate(
      ({ bytes: content, at: [clientX, clientY] }) => {
        const dataTransfer = new DataTransfer();
        for (const name of ['One.png', 'Two.png']) {
          dataTransfer.items.add(new File([new Uint8Array(content)], name, { type: 'image/png' }));
        }
        const options = { bubbles: true, cancelable: true, dataTransfer, clientX, clientY };
        document.querySelector('.canvas-window')?.dispatchEvent(new DragEvent('drop', options));
      },
      { bytes, at },
    );
    await page.locator('[data-layer="image-2"]').waitFor();
    t.match(await canvas.layer('image'), { x: 50, y: 40, width: 60, height: 40 });
    t.match(await canvas.layer('image-2'), { x: 118, y: 40, width: 60, height: 40 });
    t.same(complaints.splice(0), []);
  });
});
