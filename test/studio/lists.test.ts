/** Lists in a browser: layers of items, the form of a stack that repeats, and the items themselves. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import type { StackLayer } from '#language/schema/layers.ts';
import type { ListVariable, Template } from '#language/schema/template.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { stack, text } from './built-layers.ts';
import { dragBy } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { listOf } from './documents.ts';
import { openStudio } from './open-studio.ts';

const items = listOf('items', { title: ['text', ''], price: ['number', '0'] }, [
  { title: 'Tea pot', price: '24.50' },
  { title: 'Two cups', price: '12' },
]);
const line = { width: 'fill', fontSize: 20 };
const visibleWhen = { variable: 'item.price', greaterThan: 5 };
const lines = [
  text('title', '{{item.title}} {{who}}', { ...line, visibleWhen }),
  text('price', '{{item.price | currency:EUR}}', line),
];
const repeat = { list: 'items', max: 3 };
const cart = stack('cart', lines, { x: 40, y: 40, width: 240, gap: 6, fill: '#eceff4', repeat });
const inRow = (name: string, rest = ''): string => `.p-row[data-field="${name}"] ${rest}`;
const who = { name: 'who', type: 'text', value: 'friend' };

t.test('lists in a browser', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService());
  const { page } = studio;
  let canvas: CanvasPage;
  let count = 0;
  /** A template of its own, open in the editor at 100 %. */
  async function open(layers: readonly object[] = [cart], variables = [items, who]): Promise<void> {
    count += 1;
    canvas = await studio.edit(`lists-${count}`, layers, { variables });
  }
  const saved = async (): Promise<Template> => (await canvas.document()) as Template;
  const savedList = async (): Promise<ListVariable> => (await saved()).variables[0] as ListVariable;
  const titles = async (): Promise<unknown[]> =>
    (await savedList()).value.map(({ title }) => title);
  t.afterEach(() => void t.same(studio.complaints(), []));

  t.test('a layer that leaves a stack that repeats keeps the first item', async (t) => {
    await open();
    await page.click('[data-layer="title"]');
    await page.locator('.canvas-overlay .copy').waitFor();
    t.equal(await page.locator('.canvas-overlay .copy').count(), 1, 'the other item is marked');
    await canvas.drag({ x: 80, y: 52 }, { x: 150, y: 232 }, []);
    t.match(await canvas.layer('title'), { text: 'Tea pot {{who}}', x: 110, y: 220 });
    t.notOk('visibleWhen' in (await canvas.find('title')), 'the condition is answered');
    const notice = 'keeps values of the first item in place of bindings that are gone.';
    await page.getByText(`Tea pot {{who}} ${notice}`).waitFor();
    await page.keyboard.press('Control+z');
    t.match(await canvas.find('cart'), { layers: lines });
  });

  t.test('the form of a stack chooses the list that it repeats, or makes one', async (t) => {
    const rows = [text('row', 'Row', line), text('rest', 'and more', line)];
    await open([{ ...cart, repeat: undefined, layers: rows }], [who]);
    await page.click('[data-layer="cart"]');
    const options = page.locator(inRow('list', 'option'));
    t.same(await options.allTextContents(), ['None', 'New list…']);
    await page.locator(inRow('list', 'select')).selectOption('New list…');
    const made = await saved();
    t.match(made.variables[1], { name: 'items', type: 'list', fields: [{ name: 'title' }, {}] });
    t.match(made.layers[0], { repeat: { list: 'items' } });

    await page.locator(inRow('max', 'input')).fill('1');
    await page.locator(inRow('more', 'select')).selectOption('and more');
    await page.locator(inRow('whenEmpty', 'select')).selectOption('nothing');
    t.same(await accessibilityProblems(page), []);
    const chosen = await saved();
    t.match(chosen.layers[0], { repeat: { list: 'items', max: 1, more: 'rest' } });
    t.equal(chosen.variables[1]?.whenEmpty, 'empty');
    await page.locator(inRow('whenEmpty', 'select')).selectOption('the default items');
    await page.locator(inRow('more', 'select')).selectOption('nothing');
    await page.locator(inRow('max', 'input')).fill('');
    const standard = await saved();
    t.same(Object.keys((standard.layers[0] as StackLayer).repeat ?? {}), ['list']);
    t.notOk('whenEmpty' in (standard.variables[1] ?? {}));
    await page.locator(inRow('list', 'select')).selectOption('None');
    t.notOk('repeat' in ((await saved()).layers[0] ?? {}));
  });

  t.test('a stack in a stack that repeats has no list, and says why', async (t) => {
    await open([{ ...cart, layers: [...lines, stack('inner', [], { width: 'fill' })] }]);
    await page.click('[data-layer="inner"]');
    t.equal(await page.locator(inRow('list')).count(), 0);
    await page.getByText('A stack around it repeats a list, and an item has no lists.').waitFor();
  });

  t.test('items and fields of a list are added, ordered, renamed and deleted', async (t) => {
    await open();
    await page.click('#tab-Variables');
    await page.click('[data-variable="items"] .p-variable-name');
    await page.click('.p-add:has-text("Item")');
    const item = (number: number, field: string): Locator =>
      page.getByLabel(`Item ${number}: ${field}`, { exact: true });
    await item(3, 'title').fill('Bread');
    await item(3, 'price').fill('3.20');
    await page.click('[aria-label="Move item 3 up"]');
    t.same(await titles(), ['Tea pot', 'Bread', 'Two cups']);
    await page.click('[aria-label="Delete item 3"]');
    t.same((await savedList()).value[1], { title: 'Bread', price: '3.20' });

    const name = page.getByLabel('Field 2: name');
    await name.fill('title');
    await name.press('Enter');
    await page.getByText('There is a field title already. Choose another name.').waitFor();
    await name.fill('cost');
    await name.press('Enter');
    const renamed = await saved();
    const [shown, cost] = (renamed.layers[0] as StackLayer).layers;
    t.match(shown, { visibleWhen: { variable: 'item.cost' } });
    t.match(cost, { text: '{{item.cost | currency:EUR}}' });
    t.match(renamed.variables[0], { value: [{ title: 'Tea pot', cost: '24.50' }, {}] });

    await page.click('.p-add:has-text("Field")');
    await page.getByLabel('Field 3: type').selectOption('date');
    t.match((await savedList()).fields[2], { name: 'field3', type: 'date', value: '2026-12-31' });
    await page.getByLabel('Field 1: type').selectOption('number');
    t.same(await titles(), ['0', '0'], 'a value that is not a number becomes 0');
    await page.keyboard.press('Control+z');
    await page.getByLabel('Field 3: type').selectOption('color');
    t.same(await accessibilityProblems(page), []);
    await page.click('[aria-label^="Delete field cost"]');
    const without = await saved();
    t.match(without.layers[0], { layers: [{}, { text: '€24.50' }] });
    t.notOk('visibleWhen' in ((without.layers[0] as StackLayer).layers[0] ?? {}));
  });

  t.test('handles on the canvas change the gap and the most items of a list', async (t) => {
    await open();
    await page.click('[data-layer="cart"]');
    // Two items of two texts, 24 px each: three gaps of 6 px.
    t.ok(await canvas.sees({ x: 40, y: 40 }));
    t.equal(await page.locator('.space [data-space="gap-y"]').count(), 3, 'between items, too');
    const gap = page.getByRole('slider', { name: 'Gap between items' });
    const most = page.getByRole('slider', { name: 'Most items' });
    t.equal(await most.getAttribute('aria-valuetext'), 'at most 3 items, the sample has 2');
    t.same(await accessibilityProblems(page), []);
    const handleY = async (): Promise<number> => (await most.boundingBox())?.y ?? 0;
    const beforeY = await handleY();
    await dragBy(gap, 0, 10);
    t.equal((await canvas.find('cart'))['gap'], 16);
    await page.keyboard.press('Control+z');
    t.equal((await canvas.find('cart'))['gap'], 6, 'one drag is one step');
    await gap.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    t.equal((await canvas.find('cart'))['gap'], 17, 'by keys');
    t.ok(await eventually(async () => (await handleY()) > beforeY + 10), 'it follows the list');
    await dragBy(most, 0, -60);
    t.match(await canvas.find('cart'), { repeat: { list: 'items', max: 1 } });
    await page.keyboard.press('Control+z');
    await most.focus();
    await page.keyboard.press('ArrowUp');
    t.match(await canvas.find('cart'), { repeat: { max: 4 } });
  });

  t.test('the bar of a list arranges it, and has its items as a table', async (t) => {
    await open([{ ...cart, width: 320 }]);
    await page.click('[data-layer="cart"]');
    const bar = page.getByRole('toolbar', { name: 'List' });
    await bar.waitFor();
    const { x = 0, y = 0 } = (await bar.boundingBox()) ?? {};
    // Two items of two texts end at 154; below lie the handles.
    const [left, bottom] = await canvas.at({ x: 40, y: 154 });
    t.same([Math.round(x - left), Math.round(y - bottom)], [0, 34], 'it stands below the list');
    await page.getByRole('button', { name: 'Items in lines' }).click();
    t.match(await canvas.find('cart'), { direction: 'row', wrap: true });
    await page.getByRole('button', { name: 'Items below each other' }).click();
    t.notOk('direction' in (await canvas.find('cart')));

    await page.getByRole('button', { name: 'Items', exact: true }).click();
    const table = page.getByRole('dialog').getByRole('table', { name: 'Items of items' });
    await table.getByLabel('Item 1: title').fill('Kettle');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Mugs');
    t.same(await titles(), ['Kettle', 'Mugs'], 'Enter goes to the cell below, and selects it');
    t.same(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    t.equal(await table.count(), 0);
  });

  t.test('the focus stays in the table of items when its last item is deleted', async (t) => {
    await open();
    await page.click('[data-layer="cart"]');
    await page.getByRole('button', { name: 'Items', exact: true }).click();
    await page.getByRole('button', { name: 'Delete item 2' }).focus();
    const focused = page.locator(':focus');
    await page.keyboard.press('Enter');
    t.equal(await focused.getAttribute('aria-label'), 'Delete item 1');
    await page.keyboard.press('Enter');
    t.equal(await focused.innerText(), 'Item', 'the button that adds one');
    await page.keyboard.press('Backspace');
    const { layers, variables } = await saved();
    t.equal(layers.length, 1, 'Backspace deletes no layer');
    t.same((variables[0] as ListVariable).value, []);
  });
});
