/** Images in the inspector, in the list of layers, and cropped on the canvas. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { rect } from './built-layers.ts';
import { startStudio } from './canvas-page.ts';

/** A grey image, as an address. */
const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#888"/></svg>')}`;
const photo = { id: 'pic', type: 'image', x: 40, y: 40, width: 120, height: 90, src };
const text = { type: 'text', x: 20, width: 200, height: 40, fontSize: 24 };

t.test('images of the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'images', await startBrowser(t), base);
  const { page, keyboard, open, claim } = studio;
  claim('the variable of an image has the name of its layer', async (t) => {
    const canvas = await open([{ ...photo, id: 'image-7', name: 'Club logo' }]);
    await canvas.click({ x: 60, y: 50 });
    const field = page.locator('[data-field="src"]');
    t.equal(await field.locator('input[type="text"]').inputValue(), '', 'no address for people');
    await page.getByRole('button', { name: 'Make source dynamic' }).click();
    await field.locator('select option').first().waitFor({ state: 'attached' });
    t.same(await field.locator('select option').allTextContents(), ['{{Club_logo}}'], 'no texts');
    await field.getByLabel('Name').fill('logo');
    await field.getByLabel('Name').press('Enter');
    t.match(await canvas.layer('image-7'), { src: '{{logo}}' });
  });

  claim('an address that fails is asked for once, and reports no error of the page', async (t) => {
    const sources: string[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/v1/preview')) return;
      const { template } = request.postDataJSON() as { template?: Template };
      const [layer] = template?.name === 'thumbnail' ? template.layers : [];
      if (layer?.type === 'image') sources.push(layer.src);
    });
    const gone = 'https://images.example.com/gone.png';
    const canvas = await open([
      { ...text, id: 'words', y: 100, text: 'Hello' },
      { id: 'gone', type: 'image', x: 20, y: 20, width: 80, height: 60, src: gone },
    ]);
    await page.locator('.p-layer-image[title*="image"]').waitFor();
    await canvas.click({ x: 60, y: 120 });
    await page.locator('.p-row[data-field="text"] textarea').pressSequentially(' and more');
    t.match(await canvas.layer('words'), { text: 'Hello and more' });
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.locator('.p-layer-image[title*="image"]').waitFor();
    t.same(sources, [gone]);
  });

  claim('the list of layers shows images and colours, and a search finds layers', async (t) => {
    const names = ['Sun', 'Moon', 'Star', 'Sky', 'Sea', 'Sand', 'Shell'];
    const look = { x: 0, y: 0, fill: '#ff8800' };
    const shapes = names.map((name, index) => rect(`s${index}`, { ...look, name }));
    const many = Array.from({ length: 40 }, (_, y) => ({ ...text, id: `t${y}`, y, text: 'T' }));
    await open([...many, ...shapes, photo]);
    await page.locator('[data-layer="pic"] img').waitFor();
    const shape = page.locator('[data-layer="s0"] path').first();
    t.equal(await shape.evaluate((path) => getComputedStyle(path).fill), 'rgb(255, 136, 0)');
    await page.locator('[data-layer="t0"]').click();
    const add = page.getByRole('button', { name: 'Add', exact: true });
    const isOnTop = await add.evaluate((button) => {
      const { left, top } = button.getBoundingClientRect();
      return document.elementFromPoint(left + 5, top + 5) === button;
    });
    t.ok(isOnTop, 'above the last of many');
    await page.getByLabel('Search the layers').fill('s');
    t.equal(await page.getByRole('treeitem').count(), 7, 'by name or id');
    await page.getByLabel('Search the layers').fill('moon');
    t.same(await page.locator('.p-layer-name').allTextContents(), ['Moon']);
    t.same(await accessibilityProblems(page), []);
  });

  claim('an image is cropped on the canvas by pointer and keys, where it is', async (t) => {
    const canvas = await open([{ ...photo, x: 100, y: 60, width: 200, height: 150 }]);
    await canvas.click({ x: 200, y: 130 });
    await page.mouse.dblclick(...(await canvas.at({ x: 200, y: 130 })));
    await page.waitForSelector('.crop');
    await canvas.drag({ x: 300, y: 135 }, { x: 200, y: 135 }, []);
    await keyboard.press('Shift+ArrowLeft');
    t.match(await canvas.layer('pic'), { x: 100, width: 100, crop: { x: 0.05, width: 0.5 } });
    await page.locator('.crop g > g > image').waitFor();
    t.same(await accessibilityProblems(page), []);
    await keyboard.press('Enter');
    t.equal(await page.locator('.crop').count(), 0);
    await keyboard.press('ArrowRight');
    t.match(await canvas.layer('pic'), { x: 101, crop: { x: 0.05 } }, 'keys move the layer again');
    await keyboard.press('Enter');
    await page.waitForSelector('.crop');
    await keyboard.press('Escape');
    t.equal(await page.locator('.crop').count(), 0);
  });

  claim('a side takes the other along where the ratio is kept, also after a reload', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    await page.getByLabel('Keep ratio').check({ force: true });
    const width = page.locator('[data-field="width"] input');
    await width.fill('120');
    await width.press('Enter');
    t.match(await canvas.layer('a'), { width: 120, height: 90, x: 40, y: 43 });
    await width.pressSequentially('200');
    t.match(await canvas.layer('a'), { width: 200, height: 150 });
    await width.press('Escape');
    t.match(await canvas.layer('a'), { width: 120, height: 90 }, 'Escape takes back both');
    const height = page.getByRole('textbox', { name: 'H', exact: true });
    for (const px of [0, 80]) {
      await height.fill(`${px}`);
      await height.press('Enter');
      t.match(await canvas.layer('a'), { width: 120, height: px }, 'a side of 0 leaves the other');
    }
    await page.reload();
    await page.waitForSelector('.canvas-sheet img');
    await page.locator('[data-layer="a"]').click();
    t.ok(await page.getByLabel('Keep ratio').isChecked());
  });

  claim('a notice and the menu say why an image cannot be cropped', async (t) => {
    await open([{ ...photo, flipX: true }]);
    await page.locator('[data-layer="pic"]').click();
    await keyboard.press('Enter');
    await page.locator('.notice', { hasText: /mirrored/ }).waitFor();
    await keyboard.press('Shift+F10');
    const item = page.getByRole('menuitem', { name: 'Crop the image', disabled: true });
    t.match(await item.getAttribute('title'), /mirrored/);
  });

  claim('an address that is typed is kept, and applied when the layer is left', async (t) => {
    const other = { ...photo, id: 'other', x: 240 };
    const canvas = await open([photo, other]);
    await page.locator('[data-layer="pic"]').click();
    const field = page.locator('[data-field="src"] input[type="text"]');
    const typed = src.replace('%23888', '%23222');
    await field.fill(typed);
    await page.getByText('Enter applies the address.').waitFor();
    await page.locator('[data-field="src"] .p-image').dispatchEvent('dragover');
    await page.locator('.p-dropping').waitFor();
    t.equal(await field.inputValue(), typed);
    await canvas.click({ x: 300, y: 90 });
    await page.locator('[data-layer="other"][aria-selected="true"]').waitFor();
    t.match(await canvas.find('pic'), { src: typed });
    t.match(await canvas.find('other'), { src });
    await field.fill(typed);
    await field.press('Enter');
    t.match(await canvas.find('other'), { src: typed });
  });

  claim('the menu makes an image the background in one step', async (t) => {
    const canvas = await open([rect('box', { x: 10, y: 10 }), { ...photo, x: 200 }]);
    await page.mouse.click(...(await canvas.at({ x: 250, y: 90 })), { button: 'right' });
    await page.getByRole('menuitem', { name: 'Use as background' }).click();
    t.ok(await eventually(async () => (await canvas.order())[0] === 'pic'));
    await keyboard.press('Control+z');
    t.same(await canvas.order(), ['box', 'pic']);
  });
});
