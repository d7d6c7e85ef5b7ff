/** A template in several sizes: what is edited in one, what all share, and that the canvas is the image of the link. */
import t from 'tap';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { mixedLayers, rect } from './built-layers.ts';
import { startStudio } from './canvas-page.ts';
import { becomes } from './studio-page.ts';

/** Size and pixels of an image. */
async function pixelsOf(bytes: Buffer): Promise<string> {
  const raw = sharp(bytes).ensureAlpha().raw();
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  return `${info.width} × ${info.height} ${data.toString('base64')}`;
}

/** Those of the image on the canvas. */
async function canvasPixels(page: Page): Promise<string> {
  const url = await page.locator('.canvas-sheet img').getAttribute('src');
  return pixelsOf(Buffer.from(url?.split(',')[1] ?? '', 'base64'));
}

t.test('sizes of a template', { skip: skipsPages }, async (t) => {
  const service = await shareService();
  const { base } = service;
  const studio = await startStudio(t, 'sizes', await startBrowser(t), base, 900);
  const { page, keyboard, client, open, claim } = studio;
  const canvas = await open(mixedLayers.slice(0, 2));
  const chooser = page.getByLabel('Size that is shown');
  const read = async (): Promise<Template> => {
    await becomes(page, 'saved');
    return (await client.getTemplateDocument('sizes-1')) as unknown as Template;
  };
  const first = async (): Promise<object | undefined> => (await read()).layers[0];
  const tall = { name: 'tall', width: 400, height: 420 };
  const shownWidth = (): Promise<number> =>
    page.locator('.canvas-sheet img').evaluate((image: HTMLImageElement) => image.naturalWidth);

  claim('a size is added with name, width and height', async (t) => {
    t.equal(await chooser.inputValue(), '');
    await page.getByRole('button', { name: 'Add size' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('tall');
    await dialog.getByLabel('Width').fill('400');
    await dialog.getByLabel('Height').fill('420');
    t.same(await accessibilityProblems(page), [], 'the dialog');
    await dialog.getByLabel('Arrange the layers for it').uncheck();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    t.equal(await chooser.inputValue(), 'tall');
    t.match(await read(), { width: 400, height: 300, sizes: [tall] });
    t.ok(await eventually(async () => (await shownWidth()) === 400));
    t.same(await accessibilityProblems(page), [], 'the editor');
  });

  claim('a drag in a size moves the layer in this size alone', async (t) => {
    await canvas.drag({ x: 80, y: 70 }, { x: 117, y: 383 }, ['Control']);
    t.match(await first(), { x: 40, y: 43, bySize: { tall: { x: 77, y: 356 } } });
  });

  claim('the inspector marks what differs, and resets it', async (t) => {
    await canvas.click({ x: 117, y: 383 });
    const inspector = page.getByRole('region', { name: 'Properties' });
    const name = /^Reset y, which differs in the size tall/i;
    const reset = inspector.getByRole('button', { name });
    await reset.waitFor();
    t.same(await accessibilityProblems(page), [], 'the inspector');
    await reset.click();
    t.same(((await first()) as Layer).bySize, { tall: { x: 77 } });
    t.equal(await reset.count(), 0);
    await keyboard.press('Control+z');
    t.equal(await chooser.inputValue(), 'tall');
  });

  claim('other properties change in all sizes, and visibility in this one', async (t) => {
    const inspector = page.getByRole('region', { name: 'Properties' });
    await inspector.getByLabel('Opacity', { exact: true }).fill('50');
    await inspector.getByLabel('Opacity', { exact: true }).press('Enter');
    t.match(await first(), { opacity: 0.5, bySize: { tall: { x: 77, y: 356 } } });
    // The topmost layer is first in the list.
    await page.getByRole('button', { name: /^Hide/ }).first().click();
    const [, top] = (await read()).layers;
    t.match(top, { visible: undefined, bySize: { tall: { visible: false } } });
  });

  claim('the canvas of each size is its link to the pixel', async (t) => {
    await read();
    await client.publishTemplate('sizes-1');
    for (const size of ['', 'tall']) {
      await chooser.selectOption(size);
      const link = await service.render(`sizes-1.png${size === '' ? '' : `?_size=${size}`}`);
      t.equal(link.status, 200);
      const expected = await pixelsOf(link.body);
      const isSame = await eventually(async () => (await canvasPixels(page)) === expected);
      t.equal(isSame, true, size === '' ? 'the base' : size);
    }
  });

  claim('a size is renamed with all that differs in it, and deleted', async (t) => {
    await page.getByRole('button', { name: 'Change …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('story');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    t.equal(await chooser.inputValue(), 'story');
    t.match(await first(), { bySize: { story: { x: 77, y: 356 } } });
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    t.equal(await chooser.inputValue(), '');
    const whole = await read();
    t.notOk('sizes' in whole);
    t.notOk(whole.layers.some(({ bySize }) => bySize !== undefined));
  });

  claim('a stack that reorders its layers in another size says so', async (t) => {
    const layers = [
      rect('one', { x: 20, y: 20, bySize: { tall: { x: 40, y: 340 } } }),
      rect('two', { x: 120, y: 20, bySize: { tall: { x: 40, y: 280 } } }),
    ];
    const wrapped = await open(layers, { sizes: [tall] });
    await wrapped.focus();
    await keyboard.press('Control+a');
    await keyboard.press('Shift+A');
    await page.getByText('Also changes the order in tall.').waitFor();
    t.match(await wrapped.layers(), [{ type: 'stack', direction: 'row', gap: 60 }]);
    await keyboard.press('Control+z');
    t.same(await wrapped.layers(), layers, 'one step');
  });

  claim('a typed side of the canvas takes along what spans it, in one step', async (t) => {
    const wall = rect('wall', { x: 0, y: 0, width: 400, height: 300 });
    const layers = [wall, rect('in', { x: 0, y: 0 })];
    const opened = await open(layers, { sizes: [tall] });
    await page.getByRole('textbox', { name: 'W', exact: true }).click({ clickCount: 3 });
    await keyboard.type('320');
    await keyboard.press('Enter');
    t.match(await opened.document(), { width: 320, layers: [{ width: 320 }, { width: 40 }] });
    await opened.focus();
    await keyboard.press('Control+z');
    t.same(await opened.layers(), layers);
  });
});
