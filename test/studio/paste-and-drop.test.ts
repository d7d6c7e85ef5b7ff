/** Files, layers and text of other programs that are pasted and dropped on the canvas, and an image as the background. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { text } from './built-layers.ts';
import { startStudio } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { dragFile, imageFile, pasteInto } from './dropped-files.ts';

const lobster = readFileSync(
  fileURLToPath(
    import.meta.resolve('@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf'),
  ),
);
/** A grey image, as an address. */
const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#888"/></svg>')}`;
const grey = { id: 'pic', type: 'image', x: 40, y: 40, width: 120, height: 90, src };
const stored = /^asset:[0-9a-f]{64}$/;
const sizes = [{ name: 'story', width: 300, height: 500 }];
const whole = { x: 0, y: 0, width: 400, height: 300 };
const inStory = { story: { width: 300, height: 500 } };

t.test('what is pasted and dropped', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'drop', await startBrowser(t), base);
  const { page, keyboard, client, open, claim } = studio;
  const violet = await imageFile('Violet.png', 60, 40, '#7b2d8b');
  const marked = page.locator('.drop-target');
  /** Drops a file at a point of the canvas. */
  const dropAt = async (canvas: CanvasPage, x: number, y: number, file = violet): Promise<void> =>
    dragFile(page, ['dragover', 'drop'], await canvas.at({ x, y }), file);
  const arrives = (canvas: CanvasPage, id = 'image'): Promise<boolean> =>
    eventually(async () => (await canvas.order()).includes(id));

  claim('a dropped file becomes a layer at the pointer, selected, of its own size', async (t) => {
    const canvas = await open([]);
    await dropAt(canvas, 150, 130);
    t.ok(await arrives(canvas));
    const box = { x: 120, y: 110, width: 60, height: 40 };
    t.match(await canvas.layer('image'), { type: 'image', name: 'Violet', ...box, src: stored });
    t.same(await canvas.selectedSize(), { width: 60, height: 40 });
    t.equal(await canvas.colorOnceAt({ x: 130, y: 115 }, '#7b2d8b'), '#7b2d8b');
    await keyboard.press('Control+z');
    t.same(await canvas.order(), [], 'all of it is one step');
    await dropAt(canvas, 150, 130, { ...violet, name: 'Terms.pdf', type: 'application/pdf' });
    await page.getByText('Terms.pdf is no image').waitFor();
    t.equal(await canvas.layer('image'), undefined);
  });

  claim('the first of two dropped images lies at the pointer, the other beside it', async (t) => {
    const title = { id: 'title', type: 'text', x: 60, y: 120, width: 280, height: 60, text: 'Hi' };
    const canvas = await open([title]);
    await dragFile(page, ['drop'], await canvas.at({ x: 80, y: 60 }), violet, violet);
    await page.locator('[data-layer="image-2"]').waitFor();
    t.match(await canvas.layer('image'), { x: 50, y: 40, width: 60, height: 40 });
    t.match(await canvas.layer('image-2'), { x: 118, y: 40, width: 60, height: 40 });
  });

  claim('a pasted image becomes one where the pointer is, or in view', async (t) => {
    const canvas = await open();
    for (const [at, x, y] of [
      [{ x: 300, y: 200 }, 270, 180],
      [{ x: -20, y: 100 }, 170, 130],
    ] as const) {
      await page.mouse.move(...(await canvas.at(at)));
      t.equal(await pasteInto(page, '.canvas-window', {}, violet), false);
      t.ok(await arrives(canvas));
      t.match(await canvas.layer('image'), { x, y, width: 60, height: 40 });
      await keyboard.press('Control+z');
    }
  });

  /** Puts content on the clipboard, by MIME type, and pastes it with the menu. */
  async function pasteHere(
    canvas: CanvasPage,
    contents: Record<string, string | number[]>,
  ): Promise<void> {
    await page.evaluate(async (byType) => {
      const blobs = Object.entries(byType).map(([type, each]) => {
        return [type, new Blob([typeof each === 'string' ? each : new Uint8Array(each)], { type })];
      });
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    }, contents);
    await page.mouse.click(...(await canvas.at({ x: 200, y: 100 })), { button: 'right' });
    await page.getByRole('menuitem', { name: 'Paste here' }).click();
  }

  claim('the menu pastes an image or styled text of another program at the click', async (t) => {
    const canvas = await open();
    const context = page.context();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await pasteHere(canvas, { 'text/plain': 'a photo', 'image/png': violet.bytes });
    t.ok(await arrives(canvas));
    t.match(await canvas.layer('image'), { name: 'Image', x: 170, y: 80, width: 60, height: 40 });
    await keyboard.press('Control+z');
    await pasteHere(canvas, {
      'text/plain': 'Row C',
      'text/html': '<p>Row <strong>C</strong></p>',
    });
    t.ok(await arrives(canvas, 'text'));
    const spans = [{ text: 'Row ' }, { text: 'C', fontWeight: 700 }];
    t.match(await canvas.layer('text'), { y: 100, spans });
    await keyboard.press('Control+z');
    await context.clearPermissions();
  });

  claim('a file replaces the selected image, marked; elsewhere it is a layer', async (t) => {
    const canvas = await open([grey]);
    await dragFile(page, ['dragover'], await canvas.at({ x: 100, y: 90 }), violet);
    t.equal(await marked.count(), 0, 'not where nothing is selected');
    await canvas.click({ x: 100, y: 90 });
    const inLayer = await canvas.at({ x: 100, y: 90 });
    const next = await canvas.at({ x: 300, y: 200 });
    await dragFile(page, ['dragover'], inLayer, violet);
    await marked.waitFor();
    await dragFile(page, ['dragover'], next, violet);
    await marked.waitFor({ state: 'detached' });
    t.equal(await page.locator('.canvas-window[data-drop="true"]').count(), 1);
    await dragFile(page, ['dragover', 'drop'], inLayer, violet);
    await marked.waitFor({ state: 'detached' });
    t.ok(await eventually(async () => stored.test(String((await canvas.find('pic'))['src']))));
    t.match(await canvas.find('pic'), { x: 40, y: 40, width: 120, height: 90 });
    t.same(await canvas.order(), ['pic']);
    await keyboard.press('Control+z');
    t.match(await canvas.find('pic'), { src });
    await keyboard.press('Control+l');
    await dragFile(page, ['dragover'], inLayer, violet);
    t.equal(await marked.count(), 0, 'no locked one');
    await dragFile(page, ['dragover', 'drop'], next, violet);
    t.ok(await eventually(async () => (await canvas.order()).length === 2));
    t.match(await canvas.find('pic'), { src });
  });

  claim('a file becomes the default of the variable of an image', async (t) => {
    const variables = [{ name: 'hero', type: 'image', value: src }];
    const layers = [{ ...grey, src: '{{hero}}' }];
    const canvas = await open(layers, { variables });
    await canvas.click({ x: 100, y: 90 });
    await dragFile(page, ['dragover', 'drop'], await canvas.at({ x: 100, y: 90 }), violet);
    const value = async (): Promise<unknown> =>
      ((await canvas.document()) as Template).variables[0]?.value;
    t.ok(await eventually(async () => stored.test(String(await value()))));
    t.match(await canvas.find('pic'), { src: '{{hero}}' });
    t.same(await canvas.order(), ['pic']);
  });

  claim('a photo that is dropped on an empty canvas covers it, and a logo does not', async (t) => {
    const canvas = await open([], { sizes });
    const at = await canvas.at({ x: 380, y: 20 });
    await dragFile(page, ['dragover', 'drop'], at, await imageFile('Sea.png', 900, 500, '#2266aa'));
    t.ok(await arrives(canvas));
    const photo = await canvas.find('image');
    t.match(photo, { name: 'Sea', ...whole, bySize: inStory });
    t.equal(photo['fit'], undefined, 'cover');
    t.equal(await canvas.colorOnceAt({ x: 5, y: 290 }, '#2266aa'), '#2266aa');
    await dragFile(page, ['drop'], at, await imageFile('Sand.png', 900, 500, '#ddaa55'));
    t.ok(await arrives(canvas, 'image-2'));
    t.match(await canvas.layer('image-2'), { x: 240, y: 0, width: 160, height: 89 });
    await keyboard.press('Control+z');
    await keyboard.press('Control+z');
    t.same(await canvas.layers(), []);
    await dragFile(page, ['drop'], at, await imageFile('Logo.png', 120, 90, '#2266aa'));
    t.ok(await arrives(canvas));
    t.match(await canvas.layer('image'), { x: 280, y: 0, width: 120, height: 90 });
  });

  const uidNow = (): string => new URL(page.url()).hash.replace('#/t/', '');
  /** Pixels of the draft that is open, with another font if one is given. */
  async function pixels(fontFamily?: string): Promise<Buffer> {
    const template = await client.getTemplateDocument(uidNow());
    const layers = template.layers.map((layer) =>
      layer.type === 'text' && fontFamily !== undefined ? { ...layer, fontFamily } : layer,
    );
    const { bytes } = await client.preview({ template: { ...template, layers } });
    return sharp(bytes).raw().toBuffer();
  }

  claim('pasted layers are drawn elsewhere with the image and the font of the first', async (t) => {
    const { id: font } = await client.uploadFont(new Uint8Array(lobster), { family: 'Pasted' });
    const { id: uploaded } = await client.uploadAsset(Buffer.from(violet.bytes));
    const box = { x: 20, y: 200, width: 360, height: 80, fontSize: 48 };
    const words = text('words', 'Regatta', { ...box, fontFamily: 'Pasted' });
    const image = { ...grey, src: uploaded, x: 170, y: 130, width: 60, height: 40 };
    const from = await open([image, words]);
    await from.focus();
    await keyboard.press('Control+a');
    await keyboard.press('Control+c');
    const [first, before] = [uidNow(), await pixels()];
    const target = await open([]);
    await target.focus();
    await keyboard.press('Control+v');
    t.match(await target.layers(), [{ src: uploaded }, { fontFamily: 'Pasted' }]);
    t.equal(await target.colorOnceAt({ x: 200, y: 150 }, '#7b2d8b'), '#7b2d8b');
    t.ok(before.equals(await pixels()), 'as in the first template, to the pixel');
    t.notOk(before.equals(await pixels('Inter')), 'in other letters than without the font');
    // Other files share the organization. A font in use cannot be deleted.
    for (const uid of [first, uidNow()]) {
      const template = await client.getTemplateDocument(uid);
      await client.updateTemplate(uid, { ...template, layers: [] });
    }
    await client.deleteFont(font);
  });

  const paste = (texts: Record<string, string>) => pasteInto(page, '.canvas-window', texts);

  claim('pasted text becomes a layer in sight, with the styles of its parts', async (t) => {
    const canvas = await open([]);
    await paste({ 'text/plain': 'Doors open\r\nat seven' });
    t.match(await canvas.layer('text'), { text: 'Doors open\nat seven', height: 'hug', y: 150 });
    const html = `<b style="font-weight:normal"><p>Row <strong>C</strong>,
      <em style="color: rgb(200, 0, 0)">seat <u>14</u></em></p><p>Plain<script>hostile()</script></p></b>`;
    await paste({ 'text/plain': 'Row C, seat 14 Plain', 'text/html': html });
    const { spans } = await canvas.find('text-2');
    t.same(spans, [
      { text: 'Row ' },
      { text: 'C', fontWeight: 700 },
      { text: ', ' },
      { text: 'seat ', fontStyle: 'italic', fill: '#c80000' },
      { text: '14', fontStyle: 'italic', underline: true, fill: '#c80000' },
      { text: '\nPlain' },
    ]);
    await paste({ 'text/html': '<p>Plain</p><p>words</p>' });
    t.match(await canvas.find('text-3'), { text: 'Plain\nwords', height: 'hug' }, 'HTML alone');
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><path d="M0 0h9v9z"/></svg>';
    await paste({ 'text/plain': drawing });
    await page.locator('[data-layer="image"]').waitFor();
    t.match(await canvas.find('image'), { name: 'Drawing', width: 30, height: 20 }, 'a drawing');
  });
});
