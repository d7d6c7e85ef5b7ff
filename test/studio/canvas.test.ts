/** Selecting, moving, drawing and the menu of layers on the canvas, by the real pointer and keyboard. */
import t from 'tap';
import { plainImage } from '../e2e/image-bytes.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { startStudio } from './canvas-page.ts';

t.test('layers on the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'canvas', await startBrowser(t), base);
  const { page, keyboard, open, claim } = studio;
  /** The selected rows of the list of layers. */
  const selected = (): Promise<unknown[]> =>
    page
      .getByRole('treeitem', { selected: true })
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-layer')));

  claim('a frame round layers selects them; keys and bars work on all of them', async (t) => {
    const canvas = await open();
    await canvas.drag({ x: 10, y: 8 }, { x: 325, y: 110 }, []);
    t.equal(await page.locator('.outline').count(), 2);
    await canvas.drag({ x: 310, y: 103 }, { x: 175, y: 60 }, ['Shift']);
    t.match(await canvas.layer('b'), { x: 125, y: 17, width: 50, height: 30 });
    await page.getByRole('button', { name: 'Align top' }).click();
    t.match(await canvas.layer('a'), { y: 17 });
    await canvas.focus();
    for (const key of ['Control+g', 'Shift+ArrowDown']) await keyboard.press(key);
    t.match(await canvas.find('a'), { x: 0, y: 0 });
    t.match(await canvas.layers(), [{ id: 'group', x: 40, y: 27 }, { id: 'c' }, {}, {}, {}]);
  });

  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });

  claim('a right click selects and opens a menu, whose items work there', async (t) => {
    const canvas = await open();
    await page.mouse.click(...(await canvas.at({ x: 250, y: 40 })), { button: 'right' });
    t.same(await selected(), ['b']);
    t.match(await item('Duplicate').textContent(), /Ctrl\+D/, 'with the keys');
    t.equal(await item('Ungroup').getAttribute('aria-disabled'), 'true');
    t.same(await accessibilityProblems(page), []);
    await item('Copy').click();
    await page.mouse.click(...(await canvas.at({ x: 100, y: 240 })), { button: 'right' });
    await item('Paste here').click();
    await page.locator('[data-layer="b-2"]').waitFor();
    t.match(await canvas.layer('b-2'), { x: 50, y: 210, width: 100 }, 'at the click');
    t.equal(await page.getByRole('menu').count(), 0);
  });

  claim('keys open the menu, move in it, and leave it', async (t) => {
    const canvas = await open();
    const focused = (): Promise<string | null> => page.locator(':focus > span').textContent();
    await canvas.click({ x: 250, y: 40 });
    await keyboard.press('Shift+F10');
    t.equal(await focused(), 'Cut');
    await keyboard.press('ArrowUp');
    t.equal(await focused(), 'Grid', 'the last one');
    await keyboard.press('l');
    t.equal(await focused(), 'Lock');
    await keyboard.press('Escape');
    t.equal(await page.locator('.canvas-window:focus').count(), 1);
    await page.locator('[data-layer="t"]').focus();
    for (const key of ['ContextMenu', 'd', 'Enter']) await keyboard.press(key);
    t.same((await canvas.order()).slice(-3), ['t', 't-2', 's'], 'also in the list of layers');
  });

  claim('the menu reaches all layers at the pointer, hidden behind others or locked', async (t) => {
    const whole = { type: 'rect', x: 0, y: 0, width: 400, height: 300 };
    const inner = { ...whole, id: 'inner', fill: '#3caea3' };
    const canvas = await open([
      { ...whole, id: 'far', x: 300, fill: '#20639b' },
      { ...whole, id: 'held', name: 'Frame', locked: true, fill: '#00000011' },
      { ...whole, id: 'group', type: 'group', layers: [inner] },
      { ...whole, id: 'shade', fill: '#00000066' },
    ]);
    const chooser = page.getByRole('menuitem', { name: 'Select layer' });
    const openMenu = async (): Promise<void> =>
      page.mouse.click(...(await canvas.at({ x: 100, y: 100 })), { button: 'right' });
    await openMenu();
    await chooser.click();
    const items = page.getByRole('menu').getByRole('menuitem');
    t.same(await items.locator('span').allTextContents(), ['shade', 'inner', 'Frame']);
    await items.getByText('Frame').click();
    t.same(await selected(), ['held']);
    await openMenu();
    await chooser.press('ArrowRight');
    t.equal(await page.locator(':focus').textContent(), 'shade', 'the first has the focus');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    t.same(await selected(), ['inner']);
    await canvas.focus();
    await keyboard.press('Escape');
    t.same(await selected(), ['group'], 'one step out');
  });

  claim('the style of a layer is given to others, and their content stays', async (t) => {
    const text = { type: 'text', x: 20, width: 200, height: 40, fontSize: 24 };
    const canvas = await open([
      { ...text, id: 'one', y: 20, text: 'One', fontWeight: 700, fill: '#c02020', opacity: 0.5 },
      { ...text, id: 'two', y: 120, text: 'Two', underline: true, align: 'center' },
      { id: 'box', type: 'rect', x: 20, y: 220, width: 90, height: 40, fill: '#112233' },
    ]);
    await canvas.click({ x: 60, y: 40 });
    await keyboard.press('Control+Alt+c');
    await canvas.drag({ x: 10, y: 110 }, { x: 150, y: 270 }, []);
    await keyboard.press('Control+Alt+v');
    const two = await canvas.find('two');
    t.match(two, { text: 'Two', fontWeight: 700, fill: '#c02020', opacity: 0.5, y: 120 });
    t.equal(two['underline'] ?? two['align'], undefined);
    t.match(await canvas.layer('box'), { fill: '#c02020', opacity: 0.5, width: 90 });
  });

  claim('Alt shows distances, and a key shows the selection large', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    await page.mouse.move(...(await canvas.at({ x: 250, y: 40 })));
    await keyboard.down('Alt');
    const lengths = (): Promise<string[]> => page.locator('.measures text').allTextContents();
    t.same(await lengths(), ['90', '26', '26'], 'to the layer under the pointer');
    await page.mouse.move(...(await canvas.at({ x: 150, y: 140 })));
    t.same(await lengths(), ['40', '280', '43', '197'], 'to the canvas');
    await keyboard.up('Alt');
    t.same(await lengths(), []);
    await keyboard.press('Shift+2');
    t.ok(await eventually(async () => ((await canvas.selectedSize())?.width ?? 0) > 400));
  });

  /** The tool whose button is pressed. */
  const tool = (): Promise<string | null> =>
    page.locator('.tool-bar [aria-pressed="true"]').getAttribute('aria-label');

  claim('a key chooses a tool, and a drawn text is typed at once', async (t) => {
    const canvas = await open([]);
    await keyboard.press('t');
    t.equal(await tool(), 'Text');
    await canvas.press({ x: 20, y: 30 });
    await canvas.moveTo({ x: 220, y: 90 }, ['Control']);
    t.equal(await page.locator('.marquee, .canvas-hint').count(), 2);
    await canvas.release();
    await page.locator('.span-field').pressSequentially('Torch relay');
    t.equal(await tool(), 'Select', 'and keys are letters there');
    await keyboard.press('Escape');
    t.match(await canvas.layer('text'), { text: 'Torch relay', x: 20, y: 30, width: 200 });
    await page.locator('.side.right input').first().press('r');
    t.equal(await tool(), 'Select', 'nor do they choose a tool in a field of the inspector');
  });

  claim('an empty canvas offers a text and an image', async (t) => {
    const canvas = await open([]);
    const start = page.getByRole('group', { name: 'Begin with' });
    const { height = 0 } = (await start.boundingBox()) ?? {};
    t.ok(height > 0 && height < 50, `one line, ${height} px high`);
    const buffer = await plainImage('#b4552d', 80, 60);
    const file = { name: 'Beach.png', mimeType: 'image/png', buffer };
    await start.getByLabel('Upload image: choose files').setInputFiles(file);
    await page.getByRole('treeitem', { name: 'Beach' }).waitFor();
    t.match(await canvas.layer('image'), { src: /^asset:/, width: 80, height: 60 });
    t.equal(await start.count(), 0);
    await keyboard.press('Control+z');
    await start.getByRole('button', { name: 'Add text' }).click();
    await page.locator('.span-field').pressSequentially('Welcome');
    await keyboard.press('Escape');
    t.match(await canvas.layer('text'), { text: 'Welcome' });
  });

  claim('Tab comes to a bar once, and arrow keys move in it', async (t) => {
    const canvas = await open();
    await canvas.focus();
    /** The label of what has the focus after keys. */
    const after = async (...keys: string[]): Promise<string | null> => {
      for (const key of keys) await keyboard.press(key);
      return page.locator(':focus').getAttribute('aria-label');
    };
    t.equal(await after('Tab'), 'Select');
    t.equal(await after('ArrowRight', 'ArrowRight'), 'Text');
    t.equal(await after('Home', 'ArrowLeft'), 'Image', 'round the end');
    t.equal(await after('Enter', 'Tab'), 'Smaller', 'of the bar of the zoom');
    t.equal(await after('Shift+Tab'), 'Image', 'where it was');
  });

  claim('H moves the view, also from the list of layers', async (t) => {
    const canvas = await open();
    await page.click('[data-layer="a"]');
    await keyboard.press('h');
    const before = await canvas.at({ x: 0, y: 0 });
    await canvas.drag({ x: 80, y: 70 }, { x: 120, y: 90 }, []);
    t.same(await canvas.at({ x: 0, y: 0 }), [before[0] + 40, before[1] + 20]);
    t.match(await canvas.layer('a'), { x: 40 }, 'and no layer');
  });
});
