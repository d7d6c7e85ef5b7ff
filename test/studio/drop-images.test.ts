import sharp from 'sharp';
import t from 'tap';
import { placeImage } from '../../src/studio/canvas/geometry.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { CanvasPage, saveCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const canvasSize = { width: 400, height: 300 };

t.test('an image lies about a point in the canvas, in its size or in a part of the canvas', (t) => {
  const position = (width: number, height: number, x: number, y: number) =>
    placeImage(canvasSize, { width, height }, { x, y });
  t.same(position(60, 40, 200, 100), { x: 170, y: 80, width: 60, height: 40 });
  t.same(position(4000, 1500, 200, 150), { x: 120, y: 120, width: 160, height: 60 });
  t.same(position(40, 4000, 398, 290), { x: 398, y: 180, width: 1, height: 120 });
  t.same(position(60, 40, -90, 700), { x: 0, y: 260, width: 60, height: 40 });
  t.end();
});

t.test('images on the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser);
  const readDocument = await saveCanvas(base, 'pictures');
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio#/t/pictures`);
  await page.waitForSelector('.canvas-sheet img');
  const canvas = new CanvasPage(page, readDocument);
  const channels = 3 as const;
  const create = { width: 60, height: 40, channels, background: '#7b2d8b' };
  const bytes = [...(await sharp({ create }).png().toBuffer())];

  /** As a browser tells of a file that comes from another program. */
  async function bring(kind: 'drop' | 'paste', name: string, type: string): Promise<boolean> {
    const at = await canvas.at({ x: 150, y: 130 });
    const reported = { kind, name, type, bytes, at };
    return page.evaluate(({ at: [clientX, clientY], ...file }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
      const element = document.querySelector('.canvas-window');
      const options = { bubbles: true, cancelable: true };
      if (file.kind === 'paste') {
        const pasting = { ...options, clipboardData: data };
        return element?.dispatchEvent(new ClipboardEvent('paste', pasting));
      }
      const drag = { ...options, dataTransfer: data, clientX, clientY };
      const isFree = element?.dispatchEvent(new DragEvent('dragover', drag));
      return element?.dispatchEvent(new DragEvent('drop', drag)) === true && isFree === true;
    }, reported) as Promise<boolean>;
  }

  t.test('a dropped file becomes a layer at the pointer, selected, of its own size', async (t) => {
    t.equal(await bring('drop', 'Logo.png', 'image/png'), false, 'and is not opened instead');
    t.ok(await eventually(async () => (await canvas.layer('image')) !== undefined));
    t.match(await canvas.layer('image'), {
      type: 'image',
      name: 'Logo',
      x: 120,
      y: 110,
      width: 60,
      height: 40,
      src: /^asset:[0-9a-f]{64}$/,
    });
    t.same(await canvas.selectedSize(), { width: 60, height: 40 });
    t.ok(await eventually(async () => (await canvas.colorAt({ x: 130, y: 115 })) === '#7b2d8b'));
    await page.keyboard.press('Control+z');
    t.equal(await canvas.layer('image'), undefined, 'all of it is one step');
    t.same(complaints.splice(0), []);
  });

  t.test('a pasted image becomes one where the pointer is', async (t) => {
    await page.mouse.move(...(await canvas.at({ x: 300, y: 200 })));
    t.equal(await bring('paste', 'image.png', 'image/png'), false);
    t.ok(await eventually(async () => (await canvas.layer('image')) !== undefined));
    t.match(await canvas.layer('image'), { x: 270, y: 180, width: 60, height: 40 });
    await page.keyboard.press('Control+z');
    await page.mouse.move(...(await canvas.at({ x: -20, y: 100 })));
    await bring('paste', 'image.png', 'image/png');
    t.ok(await eventually(async () => (await canvas.layer('image')) !== undefined));
    t.match(await canvas.layer('image'), { x: 170, y: 130 }, 'in view, where it is beside it');
    await page.keyboard.press('Control+z');
    t.same(complaints.splice(0), []);
  });

  /** Puts content on the clipboard, by MIME type, and pastes it with the menu. */
  async function pasteHere(contents: Record<string, number[]>): Promise<void> {
    await page.evaluate(async (bytesOf) => {
      const blobs = Object.entries(bytesOf).map(
        ([type, each]) => [type, new Blob([new Uint8Array(each)], { type })] as const,
      );
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    }, contents);
    await page.mouse.click(...(await canvas.at({ x: 200, y: 100 })), { button: 'right' });
    await page.getByRole('menuitem', { name: 'Paste here' }).click();
  }

  t.test('the menu pastes an image or styled text of another program at the click', async (t) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await pasteHere({ 'text/plain': [...Buffer.from('a photo')], 'image/png': bytes });
    t.ok(await eventually(async () => (await canvas.layer('image')) !== undefined));
    t.match(await canvas.layer('image'), { name: 'Image', x: 170, y: 80, width: 60, height: 40 });
    await page.keyboard.press('Control+z');
    const html = '<p>Row <strong>C</strong></p>';
    await pasteHere({
      'text/plain': [...Buffer.from('Row C')],
      'text/html': [...Buffer.from(html)],
    });
    t.ok(await eventually(async () => (await canvas.layer('text')) !== undefined));
    t.match(await canvas.layer('text'), {
      y: 100,
      spans: [{ text: 'Row ' }, { text: 'C', fontWeight: 700 }],
    });
    await page.keyboard.press('Control+z');
    await context.clearPermissions();
    t.same(complaints.splice(0), []);
  });

  t.test('another file is refused in words', async (t) => {
    await bring('drop', 'Terms.pdf', 'application/pdf');
    await page.getByText('Terms.pdf is no image').waitFor();
    t.equal(await canvas.layer('image-2'), undefined);
    t.same(complaints.splice(0), []);
  });
});
