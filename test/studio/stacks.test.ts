/** Stacks in the inspector and on the canvas, in a browser. */
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { rect, stack, text } from './built-layers.ts';
import { startStudio } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';

const look = { x: 40, y: 40, width: 200, gap: 10, padding: 20, fill: '#eceff4' };
const layers = [
  rect('free', { x: 20, y: 230, width: 60, height: 40, fill: '#20639b' }),
  text('label', 'Hi', { x: 300, y: 250, width: 80, height: 40, fontSize: 20 }),
  stack(
    'card',
    [
      rect('one', { width: 60, height: 30, fill: '#d64933' }),
      text('two', 'Amanda', { fontSize: 20 }),
      rect('three', { width: 'fill', height: 40, fill: '#3caea3' }),
    ],
    look,
  ),
];

const inRow = (name: string, rest = ''): string => `.p-row[data-field="${name}"] ${rest}`;

t.test('stacks', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'stacks', await startBrowser(t), base);
  const { page, keyboard, open, claim } = studio;
  const modesOf = (name: string): Promise<string[]> =>
    page.locator(inRow(name, 'select option')).allTextContents();

  claim('the inspector offers what a layer may have in its parent', async (t) => {
    const canvas = await open(layers);
    const saved = (id: string) => canvas.find(id);
    await page.click('[data-layer="free"]');
    t.same(await modesOf('width'), [], 'a shape of the canvas has a number alone');
    await page.click('[data-layer="label"]');
    t.same(await modesOf('width'), ['Fixed', 'Hug']);
    await page.click('[data-layer="one"]');
    t.same(await modesOf('height'), ['Fixed', 'Fill']);
    for (const name of ['x', 'minWidth']) t.equal(await page.locator(inRow(name)).count(), 0, name);
    await page.click('[data-layer="two"]');
    t.same(await modesOf('width'), ['Fixed', 'Hug', 'Fill']);
    const width = page.locator(inRow('width', 'input'));
    t.equal(await width.inputValue(), '');
    const measured = Number(await width.getAttribute('placeholder'));
    t.ok(measured > 60 && measured < 100, `measured ${measured}`);
    await page.locator(inRow('minWidth', 'input')).fill('20');
    t.match(await saved('two'), { width: 'hug', minWidth: 20 });
    t.same(await accessibilityProblems(page), []);
    await page.locator(inRow('width', 'select')).selectOption('Fixed');
    const fixed = await saved('two');
    t.ok(Math.abs(Number(fixed['width']) - measured) < 0.06, 'the number that was measured');
    t.equal(fixed['minWidth'], undefined, 'a number has no limits');
    await page.locator(inRow('width', 'select')).selectOption('Fill');
    t.match(await saved('two'), { width: 'fill', height: 'hug' });
    await width.fill('120');
    t.match(await saved('two'), { width: 120 });

    await page.click('[data-layer="card"]');
    t.equal(await page.locator(inRow('wrap')).count(), 0, 'a column does not wrap');
    await page.locator(inRow('direction', 'input[value="row"]')).check({ force: true });
    await page.locator(inRow('wrap', 'input')).check({ force: true });
    t.match(await saved('card'), { direction: 'row', wrap: true });
    await page.locator(inRow('direction', 'input[value="column"]')).check({ force: true });
    t.equal((await saved('card'))['wrap'], undefined);
    await page.click('[aria-label="Set each part of padding"]');
    await page.getByLabel('Right', { exact: true }).fill('5');
    t.same((await saved('card'))['padding'], [20, 5, 20, 20]);
    t.same(await accessibilityProblems(page), []);
  });

  /** Ids of the layers in the card. */
  const inCard = async (canvas: CanvasPage): Promise<string[]> => {
    const card = await canvas.layer('card');
    return card?.type === 'stack' ? card.layers.map(({ id }) => id) : [];
  };

  claim('a dragged layer is carried, and a line says where it will go', async (t) => {
    const canvas = await open(layers);
    await page.click('[data-layer="one"]');
    await canvas.press({ x: 90, y: 75 });
    await canvas.moveTo({ x: 90, y: 160 });
    t.equal(await page.locator('.insertion').count(), 1);
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'), 'its bitmap is carried');
    t.equal(await canvas.colorOnceAt({ x: 70, y: 150 }, '#d64933'), '#d64933');
    t.equal(await canvas.colorOnceAt({ x: 200, y: 150 }, '#3caea3'), '#3caea3', 'the others stay');
    await canvas.release();
    t.same(await inCard(canvas), ['two', 'three', 'one']);
    t.equal(await page.locator('.insertion').count(), 0);
    await keyboard.press('Control+z');
    t.ok(await canvas.sees({ x: 60, y: 60 }));
    await page.click('[data-layer="free"]');
    await canvas.press({ x: 50, y: 250 });
    await canvas.moveTo({ x: 90, y: 98 });
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
    const blue = await canvas.colorOnceAt({ x: 75, y: 98 }, '#20639b');
    t.equal(blue, '#20639b', 'over the stack it is on top');
    await canvas.release();
    t.same(await inCard(canvas), ['one', 'free', 'two', 'three']);
  });

  claim('with Alt a copy is dragged, and the layer stays', async (t) => {
    const canvas = await open(layers);
    await page.click('[data-layer="one"]');
    await keyboard.down('Alt');
    await canvas.press({ x: 90, y: 75 });
    await canvas.moveTo({ x: 90, y: 165 });
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
    t.equal(await canvas.colorOnceAt({ x: 70, y: 75 }, '#d64933'), '#d64933');
    await canvas.release();
    await keyboard.up('Alt');
    t.same(await inCard(canvas), ['one', 'two', 'three', 'one-2']);
  });

  claim('a double click on a handle hugs or fills, and spaces are dragged', async (t) => {
    const canvas = await open(layers);
    await page.click('[data-layer="three"]');
    await canvas.drag({ x: 220, y: 154 }, { x: 180, y: 154 }, ['Control']);
    t.match(await canvas.find('three'), { width: 120, height: 40 });
    await keyboard.down('Alt');
    await page.mouse.dblclick(...(await canvas.at({ x: 180, y: 154 })));
    await keyboard.up('Alt');
    t.match(await canvas.find('three'), { width: 'fill', height: 40 });
    await page.click('[data-layer="label"]');
    await page.mouse.dblclick(...(await canvas.at({ x: 380, y: 270 })));
    t.match(await canvas.find('label'), { x: 300, width: 'hug', height: 40 });
    t.ok(await eventually(async () => ((await canvas.selectedSize())?.width ?? 80) < 40));
    await page.locator(inRow('align', 'input[value="center"]')).check({ force: true });
    const { width = 0 } = (await canvas.selectedSize()) ?? {};
    const middle = Number((await canvas.find('label'))['x']);
    t.ok(Math.abs(middle - 300 - width / 2) <= 1, 'it stays, and x is its middle');
    await canvas.click({ x: 230, y: 60 });
    await canvas.press({ x: 140, y: 95 });
    await canvas.moveTo({ x: 140, y: 102 });
    t.equal(await page.locator('.canvas-hint').textContent(), 'Gap 17');
    await canvas.release();
    t.match(await canvas.find('card'), { gap: 17 });
  });

  claim('buttons stack, free and add layers', async (t) => {
    const canvas = await open(layers);
    await page.click('[data-layer="free"]');
    await page.click('[data-layer="label"]', { modifiers: ['Control'] });
    await page.click('[aria-label="Stack the selected layers"]');
    t.match(await canvas.find('stack'), { type: 'stack', direction: 'row', gap: 220 });
    await page.click('[aria-label="Ungroup"]');
    t.match(await canvas.find('label'), { x: 300, y: 230, width: 80 });
    await page.click('[data-layer="card"]');
    await page.click('.p-add');
    await page.click('.p-add-grid button:has-text("Text")');
    t.same(await inCard(canvas), ['one', 'two', 'three', 'text']);
    t.same(await accessibilityProblems(page), []);
  });
});
