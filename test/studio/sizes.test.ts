/** A template in several sizes in the studio: what is edited in one, what all share, and that the canvas is the link's image. */
import sharp from 'sharp';
import t from 'tap';
import type { Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { CanvasPage, saveCanvas } from './canvas-page.ts';
import { becomes, studioContext } from './studio-page.ts';

/** Size and pixels of an image. */
async function pixelsOf(bytes: Buffer): Promise<string> {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return `${info.width} × ${info.height} ${data.toString('base64')}`;
}

/** Those of the image on the canvas. */
async function canvasPixels(page: Page): Promise<string> {
  const url = await page.locator('.canvas-sheet img').getAttribute('src');
  return pixelsOf(Buffer.from(url?.split(',')[1] ?? '', 'base64'));
}

t.test('the sizes of a template in a browser', { skip: skipsPages }, async (t) => {
  const service = await shareService();
  const { base } = service;
  const context = await studioContext(await startBrowser(t), 900);
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const canvas = new CanvasPage(page, await saveCanvas(base, 'sizes'));
  await page.goto(`${base}/studio#/t/sizes`);
  await page.locator('.canvas-sheet img').waitFor();
  const chooser = page.getByLabel('Size that is shown');
  const read = async (): Promise<Template> => {
    await becomes(page, 'saved');
    return (await client.getTemplateDocument('sizes')) as unknown as Template;
  };
  const first = async (): Promise<object | undefined> => (await read()).layers[0];
  /** Waits until the canvas shows an image of this width. */
  const shows = (width: number): Promise<boolean> =>
    eventually(() =>
      page
        .locator('.canvas-sheet img')
        .evaluate(
          (image, expected) => (image as HTMLImageElement).naturalWidth === expected,
          width,
        ),
    );

  t.test('a size is added with name, width and height', async (t) => {
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
    t.match(await read(), {
      width: 400,
      height: 300,
      sizes: [{ name: 'tall', width: 400, height: 420 }],
    });
    t.equal(await shows(400), true);
    t.same(await accessibilityProblems(page), [], 'the editor');
  });

  t.test(
    'a drag in a size moves the layer in this size alone, and undo takes it back',
    async (t) => {
      await canvas.drag({ x: 80, y: 70 }, { x: 117, y: 383 }, ['Control']);
      t.match(await first(), { x: 40, y: 43, bySize: { tall: { x: 77, y: 356 } } });
      await page.keyboard.press('Control+z');
      t.notOk('bySize' in ((await first()) ?? {}));
      await page.keyboard.press('Control+Shift+z');
      t.match(await first(), { bySize: { tall: { x: 77, y: 356 } } });
    },
  );

  t.test('the inspector marks what differs, and resets it', async (t) => {
    await canvas.click({ x: 117, y: 383 });
    const inspector = page.getByRole('region', { name: 'Properties' });
    const reset = inspector.getByRole('button', {
      name: /^Reset y, which differs in the size tall/i,
    });
    await reset.waitFor();
    t.same(await accessibilityProblems(page), [], 'the inspector');
    await reset.click();
    t.match(await first(), { x: 40, y: 43, bySize: { tall: { x: 77 } } });
    t.equal(await reset.count(), 0);
    await page.keyboard.press('Control+z');
    t.match(await first(), { bySize: { tall: { y: 356 } } });
    t.equal(await chooser.inputValue(), 'tall');
  });

  t.test('other properties change in all sizes, and visibility in this one', async (t) => {
    const inspector = page.getByRole('region', { name: 'Properties' });
    await inspector.getByLabel('Opacity', { exact: true }).fill('50');
    await inspector.getByLabel('Opacity', { exact: true }).press('Enter');
    t.match(await first(), { opacity: 0.5, bySize: { tall: { x: 77, y: 356 } } });
    const hide = page.getByRole('button', { name: /^Hide/ }).first();
    await hide.click();
    const hidden = (await read()).layers.filter(
      ({ bySize }) => bySize?.['tall']?.['visible'] === false,
    );
    t.equal(hidden.length, 1);
    t.notOk('visible' in (hidden[0] ?? {}));
  });

  t.test('the canvas of each size is its link to the pixel', async (t) => {
    await read();
    await client.publishTemplate('sizes');
    for (const size of ['', 'tall']) {
      await chooser.selectOption(size);
      const link = await service.render(`sizes.png${size === '' ? '' : `?_size=${size}`}`);
      t.equal(link.status, 200);
      const expected = await pixelsOf(link.body);
      const isSame = await eventually(async () => (await canvasPixels(page)) === expected);
      t.equal(isSame, true, size === '' ? 'the base' : size);
    }
  });

  t.test('a size is renamed with all that differs in it, and deleted', async (t) => {
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
    t.same(complaints.splice(0), []);
  });
});
