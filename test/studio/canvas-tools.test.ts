import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const photo = { width: 80, height: 60, channels: 3, background: '#b4552d' } as const;

const text = { type: 'text', x: 20, width: 200, height: 40, fontSize: 24 };

t.test('tools of the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  let count = 0;
  const open = (layers?: readonly object[], more?: object): Promise<CanvasPage> => {
    count += 1;
    return openCanvas(page, base, `tools-${count}`, layers, more);
  };
  /** The tool whose button is pressed. */
  const tool = (): Promise<string | null> =>
    page.locator('.tool-bar [aria-pressed="true"]').getAttribute('aria-label');

  t.test(
    'a key chooses a tool, a drag draws its layer to size, and a click to its usual size',
    async (t) => {
      const canvas = await open([]);
      const { keyboard } = page;
      await keyboard.press('r');
      t.equal(await tool(), 'Rectangle');
      await canvas.drag({ x: 20, y: 30 }, { x: 120, y: 90 }, []);
      t.match(await canvas.layer('rect'), { type: 'rect', x: 20, y: 30, width: 100, height: 60 });
      t.same(await canvas.selectedSize(), { width: 100, height: 60 });
      t.equal(await tool(), 'Select', 'and goes back to selecting');
      await keyboard.press('o');
      await canvas.drag({ x: 200, y: 60 }, { x: 240, y: 80 }, ['Alt', 'Shift']);
      t.match(
        await canvas.layer('ellipse'),
        { x: 160, y: 20, width: 80, height: 80 },
        'from its middle',
      );
      await keyboard.press('l');
      await canvas.drag({ x: 40, y: 250 }, { x: 90, y: 210 }, ['Control']);
      t.match(await canvas.layer('line'), { x: 40, y: 210, width: 50, height: 40, rising: true });
      await keyboard.press('k');
      await canvas.click({ x: 280, y: 200 });
      t.match(
        await canvas.layer('image'),
        { x: 200, y: 140, width: 160, height: 120 },
        'with its middle at the click',
      );
      t.same(complaints.splice(0), []);
    },
  );

  t.test('Escape while a layer is drawn adds none, and goes back to selecting', async (t) => {
    const canvas = await open([]);
    const drawn = page.locator('.marquee, .canvas-hint');
    await page.keyboard.press('r');
    await canvas.press({ x: 20, y: 30 });
    await canvas.moveTo({ x: 120, y: 90 });
    t.equal(await drawn.count(), 2);
    await page.keyboard.press('Escape');
    t.equal(await drawn.count(), 0);
    t.equal(await tool(), 'Select');
    await canvas.release();
    await page.keyboard.press('k');
    await canvas.press({ x: 200, y: 150 });
    await page.keyboard.press('Escape');
    await canvas.release();
    t.same(await canvas.layers(), [], 'also before the pointer moves');
    t.same(complaints.splice(0), []);
  });

  t.test('a drawn text is typed at once, and keys are letters there', async (t) => {
    const canvas = await open([]);
    await page.keyboard.press('t');
    await canvas.drag({ x: 20, y: 30 }, { x: 220, y: 90 }, ['Control']);
    await page.locator('.span-field').pressSequentially('Torch relay');
    t.equal(await tool(), 'Select');
    await page.keyboard.press('Escape');
    t.match(await canvas.layer('text'), { text: 'Torch relay', x: 20, y: 30, width: 200 });
    await page.locator('.side.right input').first().focus();
    await page.keyboard.press('r');
    t.equal(await tool(), 'Select', 'nor do they choose a tool in a field of the inspector');
    t.same(complaints.splice(0), []);
  });

  t.test('an empty canvas offers a text and an image', async (t) => {
    const canvas = await open([]);
    const start = page.getByRole('group', { name: 'Begin with' });
    const { height = 0 } = (await start.boundingBox()) ?? {};
    t.ok(height > 0 && height < 50, `one line, ${height} px high`);
    await start.getByLabel('Upload image: choose files').setInputFiles({
      name: 'Beach.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: photo }).png().toBuffer(),
    });
    await page.getByRole('treeitem', { name: 'Beach' }).waitFor();
    t.match(await canvas.layer('image'), { src: /^asset:/, width: 80, height: 60 });
    t.equal(await start.count(), 0);
    await page.keyboard.press('Control+z');
    await start.getByRole('button', { name: 'Add text' }).click();
    await page.locator('.span-field').pressSequentially('Welcome');
    await page.keyboard.press('Escape');
    t.match(await canvas.layer('text'), { text: 'Welcome' });
    t.same(complaints.splice(0), []);
  });

  t.test('Tab comes to a bar once, and arrow keys move in it', async (t) => {
    const canvas = await open();
    await canvas.focus();
    const { keyboard } = page;
    const focused = (): Promise<string | null> => page.locator(':focus').getAttribute('aria-label');
    await keyboard.press('Tab');
    t.equal(await focused(), 'Select');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    t.equal(await focused(), 'Text');
    await keyboard.press('Home');
    await keyboard.press('ArrowLeft');
    t.equal(await focused(), 'Image', 'round the end');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    t.equal(await focused(), 'Smaller', 'of the bar of the zoom');
    await keyboard.press('Shift+Tab');
    t.equal(await focused(), 'Image', 'where it was');
    await keyboard.press('Escape');
    t.same(complaints.splice(0), []);
  });

  t.test(
    'keys alone add a layer, and from the list of layers, too, H moves the view',
    async (t) => {
      const canvas = await open([]);
      await canvas.focus();
      await page.keyboard.press('o');
      await page.keyboard.press('Escape');
      t.equal(await tool(), 'Select');
      await page.keyboard.press('r');
      await page.keyboard.press('Enter');
      t.match(await canvas.layer('rect'), { x: 125, y: 105, width: 150, height: 90 });
      await page.click('[data-layer="rect"]');
      await page.keyboard.press('h');
      const before = await canvas.at({ x: 0, y: 0 });
      await canvas.drag({ x: 200, y: 150 }, { x: 240, y: 170 }, []);
      t.same(await canvas.at({ x: 0, y: 0 }), [before[0] + 40, before[1] + 20]);
      t.match(await canvas.layer('rect'), { x: 125 }, 'and no layer');
      t.same(await accessibilityProblems(page), []);
      t.same(complaints.splice(0), []);
    },
  );

  const item = (name: string): Locator => page.getByRole('menuitem', { name, exact: true });

  t.test('a right click selects and opens a menu, whose items work on the selection', async (t) => {
    const canvas = await open();
    await page.mouse.click(...(await canvas.at({ x: 250, y: 40 })), { button: 'right' });
    t.same(await canvas.selectedSize(), { width: 100, height: 60 });
    t.match(await item('Duplicate').textContent(), /Ctrl\+D/, 'with the keys');
    t.equal(await item('Ungroup').getAttribute('aria-disabled'), 'true');
    t.same(await accessibilityProblems(page), []);
    await item('Copy').click();
    await page.mouse.click(...(await canvas.at({ x: 100, y: 240 })), { button: 'right' });
    await item('Paste here').click();
    await page.locator('[data-layer="b-2"]').waitFor();
    t.match(await canvas.layer('b-2'), { x: 50, y: 210, width: 100 }, 'at the click');
    t.equal(await page.getByRole('menu').count(), 0);
    t.same(complaints.splice(0), []);
  });

  t.test('keys open the menu, move in it, and leave it', async (t) => {
    const canvas = await open();
    const { keyboard } = page;
    await canvas.click({ x: 250, y: 40 });
    await keyboard.press('Shift+F10');
    const focused = (): Promise<string | null> => page.locator(':focus > span').textContent();
    t.equal(await focused(), 'Cut');
    await keyboard.press('ArrowUp');
    t.equal(await focused(), 'Grid', 'the last one');
    await keyboard.press('l');
    t.equal(await focused(), 'Lock');
    await keyboard.press('Escape');
    t.equal(await page.locator('.canvas-window:focus').count(), 1);
    await page.locator('[data-layer="t"]').focus();
    await keyboard.press('ContextMenu');
    await keyboard.press('d');
    await keyboard.press('Enter');
    t.same((await canvas.order()).slice(-3), ['t', 't-2', 's'], 'also in the list of layers');
    t.same(complaints.splice(0), []);
  });

  t.test('the style of a layer is given to others, and their content stays', async (t) => {
    const canvas = await open([
      { ...text, id: 'one', y: 20, text: 'One', fontWeight: 700, fill: '#c02020', opacity: 0.5 },
      { ...text, id: 'two', y: 120, text: 'Two', underline: true, align: 'center' },
      { id: 'box', type: 'rect', x: 20, y: 220, width: 90, height: 40, fill: '#112233' },
    ]);
    await canvas.click({ x: 60, y: 40 });
    await page.keyboard.press('Control+Alt+c');
    await canvas.drag({ x: 10, y: 110 }, { x: 150, y: 270 }, []);
    await page.keyboard.press('Control+Alt+v');
    const two = await canvas.find('two');
    t.match(two, { text: 'Two', fontWeight: 700, fill: '#c02020', opacity: 0.5, y: 120 });
    t.equal(two['underline'] ?? two['align'], undefined);
    t.match(await canvas.layer('box'), { fill: '#c02020', opacity: 0.5, width: 90 });
    t.same(complaints.splice(0), []);
  });

  t.test('a drag with Alt leaves the layer and moves a copy, in one step', async (t) => {
    const canvas = await open();
    await page.keyboard.down('Alt');
    await canvas.drag({ x: 80, y: 70 }, { x: 100, y: 150 }, ['Control']);
    await page.keyboard.up('Alt');
    t.match(await canvas.layer('a'), { x: 40, y: 43 });
    t.match(await canvas.layer('a-2'), { x: 60, y: 123 });
    t.equal((await canvas.order())[1], 'a-2', 'above its original');
    await page.keyboard.press('Control+z');
    t.equal(await canvas.layer('a-2'), undefined);
    t.same(complaints.splice(0), []);
  });

  t.test('Alt shows distances, and a key shows the selection large', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    await page.mouse.move(...(await canvas.at({ x: 250, y: 40 })));
    await page.keyboard.down('Alt');
    const lengths = (): Promise<string[]> => page.locator('.measures text').allTextContents();
    t.same(await lengths(), ['90', '26', '26'], 'to the layer under the pointer');
    await page.mouse.move(...(await canvas.at({ x: 150, y: 140 })));
    t.same(await lengths(), ['40', '280', '43', '197'], 'to the canvas');
    await page.keyboard.up('Alt');
    t.same(await lengths(), []);
    await page.keyboard.press('Shift+2');
    t.ok(((await canvas.selectedSize())?.width ?? 0) > 400);
    t.same(complaints.splice(0), []);
  });

  /** As a browser tells of text that comes from another program. */
  const paste = (data: Record<string, string>): Promise<unknown> =>
    page.evaluate((texts) => {
      const clipboardData = new DataTransfer();
      for (const [type, value] of Object.entries(texts)) clipboardData.setData(type, value);
      const options = { bubbles: true, cancelable: true, clipboardData };
      document.querySelector('.canvas-window')?.dispatchEvent(new ClipboardEvent('paste', options));
    }, data);

  t.test('pasted text becomes a layer in sight, with the styles of its parts', async (t) => {
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
    await paste({ 'text/html': '<p>Only <b>bold</b> and <font color="#00c800">green</font></p>' });
    t.match(await canvas.find('text-3'), {
      spans: [
        { text: 'Only ' },
        { text: 'bold', fontWeight: 700 },
        { text: ' and ' },
        { text: 'green', fill: '#00c800' },
      ],
    });
    await paste({ 'text/html': '<b>Loud <i>and slanted</i></b>, <b><span>loud</span></b>' });
    t.same((await canvas.find('text-4'))['spans'], [
      { text: 'Loud ', fontWeight: 700 },
      { text: 'and slanted', fontWeight: 700, fontStyle: 'italic' },
      { text: ', ' },
      { text: 'loud', fontWeight: 700 },
    ]);
    await paste({ 'text/html': '<p>Plain</p><p>words</p>' });
    t.match(await canvas.find('text-5'), { text: 'Plain\nwords', height: 'hug' }, 'HTML alone');
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><path d="M0 0h9v9z"/></svg>';
    await paste({ 'text/plain': drawing });
    await page.locator('[data-layer="image"]').waitFor();
    t.match(await canvas.find('image'), { name: 'Drawing', width: 30, height: 20 }, 'a drawing');
    t.same(complaints.splice(0), []);
  });
});
