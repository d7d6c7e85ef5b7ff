/** The icon library: search, markup, and the picker in a browser. */
import t from 'tap';
import { checkTemplate } from '#language/template.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { findIcons, loadIcons, svgOf } from '../../src/studio/panels/icons/icon-library.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** Layers of a document, of its most. */
const layersMax = 400;

t.test('icons are found by name and word, those of the name first', async (t) => {
  const icons = await loadIcons();
  t.equal(new Set(icons.map(({ name }) => name)).size, icons.length);
  t.match(findIcons(icons, 'heart')[0], { name: 'heart' });
  t.ok(findIcons(icons, 'delivery').some(({ name }) => name === 'truck'));
  t.equal(findIcons(icons, 'no such icon').length, 0);
  t.equal(findIcons(icons, '').length, icons.length);
});

t.test('the service takes every icon as a layer', async (t) => {
  const icons = await loadIcons();
  const box = { x: 0, y: 0, width: 24, height: 24 };
  for (let at = 0; at < icons.length; at += layersMax) {
    const layers = icons
      .slice(at, at + layersMax)
      .map((icon) => ({ id: icon.name, type: 'svg', ...box, svg: svgOf(icon) }));
    const size = { width: 24, height: 24 };
    const checked = checkTemplate({ format: 1, name: 'icons', ...size, variables: [], layers });
    t.same(checked.ok ? [] : checked.problems, []);
  }
});

t.test('an icon is inserted with the keyboard', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const headers = { 'X-API-Key': demoKey };
  const size = { width: 400, height: 200, background: '#ffffff' };
  const document = { format: 1, name: 'icons', ...size, variables: [], layers: [] };
  const body = JSON.stringify(document);
  await fetch(`${base}/v1/templates?uid=icons`, { method: 'POST', headers, body });
  const context = await studioContext(await startBrowser(t));
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio#/t/icons`);
  await page.locator('.p-add').click();
  t.same(await accessibilityProblems(page), [], 'the menu');
  await page.getByRole('button', { name: 'Icon …' }).click();
  await page.locator('.icon-grid button').first().waitFor();
  t.same(await accessibilityProblems(page), []);
  await page.keyboard.type('heart');
  await page
    .locator('.icon-grid button')
    .first()
    .and(page.getByLabel('heart', { exact: true }))
    .waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  const stored = async (): Promise<string> =>
    (await fetch(`${base}/v1/templates/icons/document`, { headers })).text();
  t.ok(await eventually(async () => (await stored()).includes('"name":"Heart"')), 'it is saved');
  t.match(JSON.parse(await stored()), { layers: [{ type: 'svg', colors: { currentColor: /#/ } }] });
  t.same(complaints, []);
});

t.test('inserted icons', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const context = await studioContext(await startBrowser(t));
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const insert = async (name: string): Promise<void> => {
    await page.locator('.p-add').click();
    await page.getByRole('button', { name: 'Icon …' }).click();
    await page.getByLabel('Search icons').fill(name);
    await page.locator('.icon-grid').getByLabel(name, { exact: true }).click();
    await page.locator('.icon-grid').waitFor({ state: 'detached' });
  };

  t.test('lie beside each other inside the canvas', async (t) => {
    const canvas = await openCanvas(page, base, 'icons-beside', []);
    const names = ['bell', 'heart', 'truck', 'star', 'sun', 'moon', 'cloud', 'gift', 'house'];
    for (const name of names) await insert(name);
    const layers = await canvas.layers();
    t.match(layers, [
      { name: 'Bell', x: 155, y: 105, width: 90, height: 90 },
      { name: 'Heart', x: 155, y: 203, width: 90, height: 90 },
    ]);
    const boxes = layers.map(({ x, y }) => ({ x: Number(x), y: Number(y) }));
    const areApart = boxes.every((one, index) =>
      boxes
        .slice(index + 1)
        .every(({ x, y }) => Math.abs(one.x - x) >= 90 || Math.abs(one.y - y) >= 90),
    );
    t.equal(areApart, true);
    t.ok(boxes.every(({ x, y }) => x >= 0 && x <= 310 && y >= 0 && y <= 210));
    t.same(complaints.splice(0), []);
  });

  t.test('lie free, unless the stack itself is selected', async (t) => {
    const line = {
      id: 'line',
      type: 'text',
      width: 'hug',
      height: 'hug',
      text: 'Hi',
      fontSize: 20,
    };
    const row = { id: 'row', type: 'stack', direction: 'row', x: 20, y: 20 };
    const stack = { ...row, width: 'hug', height: 'hug', layers: [line] };
    const canvas = await openCanvas(page, base, 'icons-stack', [stack]);
    await page.click('[data-layer="line"]');
    await insert('bell');
    t.match(await canvas.layers(), [{ id: 'row', layers: [{ id: 'line' }] }, { name: 'Bell' }]);
    await page.click('[data-layer="row"]');
    await insert('heart');
    t.match(await canvas.find('row'), { layers: [{ id: 'line' }, { name: 'Heart' }] });
    t.same(complaints.splice(0), []);
  });

  t.test('keep their ratio, which Shift frees', async (t) => {
    const canvas = await openCanvas(page, base, 'icons-ratio', []);
    await insert('bell');
    t.equal(await page.getByLabel('Keep ratio').isChecked(), true);
    const [icon] = await canvas.layers();
    const id = icon?.id ?? '';
    await canvas.drag({ x: 245, y: 195 }, { x: 275, y: 225 }, ['Control']);
    t.match(await canvas.layer(id), { x: 155, y: 105, width: 120, height: 120 });
    await canvas.drag({ x: 275, y: 225 }, { x: 275, y: 245 }, ['Shift', 'Control']);
    t.match(await canvas.layer(id), { width: 120, height: 140 });
    await page.keyboard.press('Control+z');
    const width = page.getByRole('textbox', { name: 'W', exact: true });
    await width.fill('60');
    await width.press('Enter');
    t.match(await canvas.layer(id), { width: 60, height: 60 }, 'also in the inspector');
    t.same(complaints.splice(0), []);
  });

  t.test('have their drawing in the list of layers', async (t) => {
    await openCanvas(page, base, 'icons-list', [
      {
        id: 'bare',
        type: 'svg',
        x: 0,
        y: 0,
        width: 40,
        height: 40,
        svg: '<svg viewBox="0 0 8 8"><path fill="#FF0000" d="M0 0h8v8H0z"/><text>{{name}}</text></svg>',
        colors: { '#ff0000': '#0000ff' },
      },
      {
        id: 'dashed',
        type: 'svg',
        x: 0,
        y: 0,
        width: 40,
        height: 40,
        svg: '<svg viewBox="0 0 8 8"><path stroke="#000" stroke-dasharray="0.01" d="M0 0h8v8H0z"/></svg>',
      },
    ]);
    await insert('bell');
    const costly = page.getByRole('treeitem', { name: 'dashed' }).locator('.p-layer-image');
    await costly.locator('.p-icon').waitFor();
    t.equal(await costly.locator('img').count(), 0, 'the browser need not draw what may take long');
    const drawn = async (name: string): Promise<{ width: number; markup: string }> => {
      const image = page.getByRole('treeitem', { name }).locator('.p-layer-image img');
      return image.evaluate(async (element: HTMLImageElement) => {
        await element.decode();
        const markup = decodeURIComponent(element.src.replace('data:image/svg+xml,', ''));
        return { width: element.naturalWidth, markup };
      });
    };
    const bell = await drawn('Bell');
    t.ok(bell.width > 0, 'the browser draws it');
    t.match(bell.markup, /stroke="#e2603a"/);
    t.match(await drawn('bare'), { markup: /fill="#0000ff".*<text>friend</ });
    await insert('heart');
    t.not((await drawn('Heart')).markup, bell.markup);
    t.same(complaints.splice(0), []);
  });

  t.test('have their colours in sight and their markup in a closed section', async (t) => {
    await openCanvas(page, base, 'icons-sections', []);
    await insert('bell');
    const inspector = page.getByRole('region', { name: 'Properties' });
    await inspector.getByText('Colours', { exact: true }).waitFor();
    const markup = inspector.locator('[data-field="svg"] textarea');
    t.equal(await markup.count(), 0);
    await inspector.locator('summary', { hasText: 'Markup' }).click();
    t.match(await markup.inputValue(), /^<svg /);
    const [colors, below] = await Promise.all(
      [inspector.getByText('Colours', { exact: true }), markup].map((each) => each.boundingBox()),
    );
    t.ok((colors?.y ?? 0) < (below?.y ?? 0), 'colours first');
    t.same(complaints.splice(0), []);
  });
});
