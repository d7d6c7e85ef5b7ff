/** An image as the background of a template, in a browser. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { dragBy, openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { dragFile, imageFile } from './dropped-files.ts';
import { studioContext } from './studio-page.ts';

/** A grey image, as an address. */
const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#888"/></svg>')}`;

const sizes = [{ name: 'story', width: 300, height: 500 }];
const whole = { x: 0, y: 0, width: 400, height: 300 };
const inStory = { story: { width: 300, height: 500 } };

t.test('an image as the background', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  let count = 0;
  const open = (layers: readonly object[]): Promise<CanvasPage> => {
    count += 1;
    return openCanvas(page, base, `background-${count}`, layers, { sizes });
  };

  t.test('a photo that is dropped on an empty canvas covers it, and a logo does not', async (t) => {
    const canvas = await open([]);
    const at = await canvas.at({ x: 380, y: 20 });
    await dragFile(page, ['dragover', 'drop'], at, await imageFile('Sea.png', 900, 500, '#2266aa'));
    t.ok(await eventually(async () => (await canvas.layer('image')) !== undefined));
    const photo = await canvas.find('image');
    t.match(photo, { name: 'Sea', ...whole, bySize: inStory });
    t.equal(photo['fit'], undefined, 'cover');
    t.equal(await canvas.colorOnceAt({ x: 5, y: 290 }, '#2266aa'), '#2266aa');
    const next = await imageFile('Sand.png', 900, 500, '#ddaa55');
    await dragFile(page, ['dragover', 'drop'], at, next);
    t.ok(await eventually(async () => (await canvas.layer('image-2')) !== undefined));
    t.match(await canvas.layer('image-2'), { x: 240, y: 0, width: 160, height: 89 });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    t.same(await canvas.layers(), []);
    await dragFile(page, ['drop'], at, await imageFile('Logo.png', 120, 90, '#2266aa'));
    t.ok(await eventually(async () => (await canvas.layer('image')) !== undefined));
    t.match(await canvas.layer('image'), { x: 280, y: 0, width: 120, height: 90 });
    t.same(complaints.splice(0), []);
  });

  t.test('the menu and the palette make an image the background in one step', async (t) => {
    const rect = { id: 'box', type: 'rect', x: 10, y: 10, width: 60, height: 60, fill: '#d64933' };
    const layers = [
      rect,
      {
        id: 'g',
        type: 'group',
        x: 200,
        y: 100,
        width: 120,
        height: 90,
        layers: [
          { id: 'pic', type: 'image', x: 0, y: 0, width: 120, height: 90, src, fit: 'contain' },
        ],
      },
    ];
    const canvas = await open(layers);
    const check = async (): Promise<void> => {
      t.ok(await eventually(async () => (await canvas.order())[0] === 'pic'));
      const image = await canvas.find('pic');
      t.match(image, { ...whole, locked: true, bySize: inStory });
      t.equal(image['fit'], undefined);
      await page.keyboard.press('Control+z');
      t.same(await canvas.order(), ['box', 'g'], 'one step');
    };
    await page.mouse.dblclick(...(await canvas.at({ x: 250, y: 150 })));
    await page.keyboard.press('Escape');
    await page.mouse.click(...(await canvas.at({ x: 250, y: 150 })), { button: 'right' });
    await page.getByRole('menuitem', { name: 'Use as background' }).click();
    await check();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search templates, layers and commands' });
    await field.fill('background');
    await page.locator('[role="option"]', { hasText: 'Use as background' }).first().click();
    await check();
    await canvas.click({ x: 40, y: 40 });
    await page.mouse.click(...(await canvas.at({ x: 40, y: 40 })), { button: 'right' });
    t.equal(await page.getByRole('menuitem', { name: 'Use as background' }).count(), 0);
    t.same(complaints.splice(0), []);
  });

  t.test('a layer over the whole canvas follows its sides in the inspector', async (t) => {
    const wall = { id: 'wall', type: 'rect', ...whole, fill: '#d64933' };
    const canvas = await open([
      { ...wall, bySize: { story: { width: 300, height: 500 } } },
      { ...wall, id: 'far', fill: '#20639b' },
      { ...wall, id: 'half', width: 200, fill: '#3caea3' },
    ]);
    const height = page.getByRole('textbox', { name: 'H', exact: true });
    await height.fill('200');
    await height.press('Enter');
    t.match(await canvas.find('wall'), { width: 400, height: 200, bySize: inStory });
    t.match(
      await canvas.find('far'),
      { width: 400, height: 200, bySize: { story: { height: 300 } } },
      'another size stays as it is',
    );
    t.match(await canvas.find('half'), { width: 200, height: 200 }, 'a bar follows its side');
    await canvas.focus();
    await page.keyboard.press('Control+z');
    t.match(await canvas.find('wall'), { ...whole, bySize: inStory }, 'one step');
    await page.getByLabel('Size that is shown').selectOption('story');
    await height.fill('640');
    await height.press('Enter');
    const inSize = { ...whole, bySize: { story: { width: 300, height: 640 } } };
    t.match(await canvas.find('wall'), inSize, 'also in a size, alone');
    t.match(await canvas.find('far'), whole);
    t.same(complaints.splice(0), []);
  });

  t.test('a half-typed side of the canvas decides nothing', async (t) => {
    const fill = '#d64933';
    const panel = { id: 'panel', type: 'rect', x: 0, y: 0, width: 100, height: 300, fill };
    const wall = { id: 'wall', type: 'rect', ...whole, fill: '#20639b' };
    const bar = { id: 'bar', type: 'rect', x: 0, y: 20, width: 400, height: 40, fill: '#3caea3' };
    const disc = { ...bar, id: 'disc', type: 'ellipse' };
    const layers = [wall, panel, bar, disc];
    const canvas = await open(layers);
    const type = async (side: 'W' | 'H', digits: string): Promise<void> => {
      await page.getByRole('textbox', { name: side, exact: true }).click({ clickCount: 3 });
      await page.keyboard.type(digits);
      await page.keyboard.press('Enter');
    };
    await type('W', '320');
    t.match(await canvas.document(), { width: 320 });
    const sidesOf = async (): Promise<unknown[]> =>
      (await canvas.layers()).map(({ id, width, height }) => [id, width, height]);
    const narrow = [
      ['wall', 320, 300],
      ['panel', 100, 300],
      ['bar', 320, 40],
      ['disc', 400, 40],
    ];
    t.same(await sidesOf(), narrow, 'a bar over the whole width follows the width');
    t.match((await canvas.find('bar'))['bySize'], { story: { width: 400 } });
    await canvas.focus();
    await page.keyboard.press('Control+z');
    t.same(await canvas.layers(), layers, 'one step');
    await type('H', '240');
    const low = [
      ['wall', 400, 240],
      ['panel', 100, 240],
      ['bar', 400, 40],
      ['disc', 400, 40],
    ];
    t.same(await sidesOf(), low);
    await type('H', '300');
    t.same(await canvas.layers(), layers, 'the way back leaves nothing');
    const label = page.locator('.p-row[data-field="width"] label');
    await dragBy(label, -390);
    const { width } = (await canvas.document()) as Template;
    t.ok(width < 50, 'narrower than the panel');
    await page.keyboard.press('Control+z');
    t.same(await canvas.layers(), layers);
    await label.hover();
    await page.mouse.down();
    const { x, y } = (await label.boundingBox()) ?? { x: 0, y: 0 };
    for (const to of [-390, -100]) await page.mouse.move(x + to, y, { steps: 4 });
    await page.mouse.up();
    t.match(await canvas.find('panel'), { width: 100, height: 300 }, 'down and up with the label');
    t.same(complaints.splice(0), []);
  });

  t.test('a layer over the whole canvas of a size follows its sides in the dialog', async (t) => {
    const layer = { type: 'rect', x: 0, y: 0, width: 400, height: 500, fill: '#d64933' } as const;
    const canvas = await open([
      { ...layer, id: 'exact', bySize: { story: { width: 300 } } },
      { ...layer, id: 'beyond', x: -20, fill: '#20639b' },
      { ...layer, id: 'short', height: 300, fill: '#3caea3' },
    ]);
    await page.getByLabel('Size that is shown').selectOption('story');
    await page.getByRole('button', { name: 'Change …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Width').fill('500');
    await dialog.getByLabel('Height').fill('640');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const covering = { width: 500, height: 640 };
    t.match(await canvas.find('exact'), { width: 400, bySize: { story: covering } });
    t.match(
      await canvas.find('beyond'),
      { x: -20, width: 400, bySize: { story: { width: 600, height: 640 } } },
      'what lies beyond the canvas stays',
    );
    t.notOk('bySize' in (await canvas.find('short')));
    await page.keyboard.press('Control+z');
    t.same((await canvas.find('exact'))['bySize'], { story: { width: 300 } }, 'one step');
    t.notOk('bySize' in (await canvas.find('beyond')));
    t.same(complaints.splice(0), []);
  });
});
