/** Lists in a browser: layers of items, the form of a stack that repeats, and the items themselves. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import type { StackLayer } from '#language/schema/layers.ts';
import type { ListVariable, Template } from '#language/schema/template.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { dragBy, openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const items = {
  name: 'items',
  type: 'list',
  fields: [
    { name: 'title', type: 'text', value: '' },
    { name: 'price', type: 'number', value: '0' },
  ],
  value: [
    { title: 'Tea pot', price: '24.50' },
    { title: 'Two cups', price: '12' },
  ],
};
const line = { type: 'text', width: 'fill', height: 'hug', fontSize: 20 };
const cart = {
  id: 'cart',
  type: 'stack',
  x: 40,
  y: 40,
  width: 240,
  height: 'hug',
  gap: 6,
  fill: '#eceff4',
  repeat: { list: 'items', max: 3 },
  layers: [
    {
      ...line,
      id: 'title',
      text: '{{item.title}} {{who}}',
      visibleWhen: { variable: 'item.price', greaterThan: 5 },
    },
    { ...line, id: 'price', text: '{{item.price | currency:EUR}}' },
  ],
};
const inRow = (name: string, rest = ''): string => `.p-row[data-field="${name}"] ${rest}`;
const who = { name: 'who', type: 'text', value: 'friend' };

t.test('lists in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser);
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  let count = 0;

  /** A template of its own, open in the editor at 100 %. */
  async function open(
    layers: readonly object[] = [cart],
    variables: readonly object[] = [items, who],
  ): Promise<CanvasPage> {
    count += 1;
    return openCanvas(page, base, `lists-${count}`, layers, { variables });
  }

  /** The document as it is saved. */
  async function saved(): Promise<Template> {
    await page.keyboard.press('Control+s');
    await page.waitForSelector('.save-note[data-state="saved"]');
    const headers = { 'X-API-Key': demoKey };
    const answer = await fetch(`${base}/v1/templates/lists-${count}/document`, { headers });
    return (await answer.json()) as Template;
  }

  t.test(
    'a layer that leaves a stack that repeats keeps the first item, in one step',
    async (t) => {
      const canvas = await open();
      await page.click('[data-layer="title"]');
      await canvas.drag({ x: 80, y: 52 }, { x: 150, y: 232 }, []);
      t.match(await canvas.layer('title'), { text: 'Tea pot {{who}}', x: 110, y: 220 });
      t.notOk('visibleWhen' in (await canvas.find('title')), 'the condition is answered');
      const notice = page.locator('.notice');
      t.match(
        await notice.textContent(),
        'Tea pot {{who}} keeps values of the first item in place of bindings that are gone.',
      );
      t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
      await page.keyboard.press('Control+z');
      t.match(await canvas.find('cart'), { layers: cart.layers });

      await page.click('[data-layer="price"]');
      await page.focus('[data-layer="price"]');
      await page.keyboard.press('Alt+ArrowLeft');
      t.match(await canvas.layer('price'), { text: '€24.50' }, 'by a key of the tree');
      await page.keyboard.press('Control+z');

      await page.click('[data-layer="title"]');
      // A layer that leaves a stack takes the position that it has in the newest image. The page says a moment after a
      // change that its image is not the newest.
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
      t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
      t.ok(await canvas.sees({ x: 40, y: 40 }));
      await canvas.focus();
      await page.keyboard.press('Control+x');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+v');
      const pasted = (await canvas.layers()).find(({ id }) => id !== 'cart');
      t.match(pasted, { text: 'Tea pot {{who}}', x: 40, y: 40 }, 'by cut and paste');
      t.same(complaints.splice(0), []);
    },
  );

  t.test('the form of a stack chooses the list that it repeats, or makes one', async (t) => {
    const { repeat: _, ...plain } = cart;
    const rows = [
      { ...line, id: 'row', text: 'Row' },
      { ...line, id: 'rest', text: 'and more' },
    ];
    await open([{ ...plain, layers: rows }], [who]);
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
    t.same(complaints.splice(0), []);
  });

  t.test('a stack in a stack that repeats has no list, and says why', async (t) => {
    const inner = { type: 'stack', id: 'inner', width: 'fill', height: 'hug', layers: [] };
    await open([{ ...cart, layers: [...cart.layers, inner] }]);
    await page.click('[data-layer="inner"]');
    t.equal(await page.locator(inRow('list')).count(), 0);
    await page.getByText('A stack around it repeats a list, and an item has no lists.').waitFor();
    t.same(complaints.splice(0), []);
  });

  t.test('items and fields of a list are added, ordered, renamed and deleted', async (t) => {
    await open();
    const listOf = async (): Promise<ListVariable> => (await saved()).variables[0] as ListVariable;
    await page.click('#tab-Variables');
    await page.click('[data-variable="items"] .p-variable-name');
    await page.click('.p-add:has-text("Item")');
    const item = (number: number, field: string): Locator =>
      page.getByLabel(`Item ${number}: ${field}`, { exact: true });
    await item(3, 'title').fill('Bread');
    await item(3, 'price').fill('3.20');
    await page.click('[aria-label="Move item 3 up"]');
    const titles = (await listOf()).value.map(({ title }) => title);
    t.same(titles, ['Tea pot', 'Bread', 'Two cups']);
    await page.click('[aria-label="Delete item 3"]');
    t.same((await listOf()).value[1], { title: 'Bread', price: '3.20' });

    const name = page.getByLabel('Field 2: name');
    await name.fill('title');
    await name.press('Enter');
    await page.getByText('There is a field title already. Choose another name.').waitFor();
    await name.fill('cost');
    await name.press('Enter');
    const renamed = await saved();
    t.match(renamed.layers[0], {
      layers: [
        { visibleWhen: { variable: 'item.cost' } },
        { text: '{{item.cost | currency:EUR}}' },
      ],
    });
    t.match(renamed.variables[0], { value: [{ title: 'Tea pot', cost: '24.50' }, {}] });

    await page.click('.p-add:has-text("Field")');
    for (const [type, value] of Object.entries({
      number: '0',
      date: '2026-12-31',
      color: '#000000',
      boolean: 'true',
      image: '',
    })) {
      await page.getByLabel('Field 3: type').selectOption(type);
      t.match((await listOf()).fields[2], { name: 'field3', type, value }, type);
    }
    await page.getByLabel('Field 1: type').selectOption('number');
    t.same(
      (await listOf()).value.map(({ title }) => title),
      ['0', '0'],
      'a value that is not a number becomes 0',
    );
    await page.keyboard.press('Control+z');
    await page.getByLabel('Field 3: type').selectOption('color');
    t.same(await accessibilityProblems(page), []);
    await page.click('[aria-label^="Delete field cost"]');
    const without = await saved();
    t.match(without.layers[0], { layers: [{}, { text: '€24.50' }] });
    t.notOk('visibleWhen' in ((without.layers[0] as StackLayer).layers[0] ?? {}));
    t.same(complaints.splice(0), []);
  });

  t.test('handles on the canvas change the gap and the most items of a list', async (t) => {
    const canvas = await open();
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
    t.same(complaints.splice(0), []);
  });

  t.test('the bar of a list arranges it, and has its items as a table', async (t) => {
    const canvas = await open([{ ...cart, width: 320 }]);
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
    const listed = (await saved()).variables[0] as ListVariable;
    t.same(
      listed.value.map(({ title }) => title),
      ['Kettle', 'Mugs'],
      'Enter goes to the cell below, and selects it',
    );
    await table.getByLabel('Item 2: title').evaluate((cell) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Bread\t3.20\nSalt\t1\n');
      cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    });
    const pasted = (await saved()).variables[0] as ListVariable;
    t.same(pasted.value.slice(1), [
      { title: 'Bread', price: '3.20' },
      { title: 'Salt', price: '1' },
    ]);
    t.same(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    t.equal(await table.count(), 0);
    t.same(complaints.splice(0), []);
  });

  t.test('a double click on any item reaches the layers of the item', async (t) => {
    const { fill: _, ...clear } = cart;
    const canvas = await open([clear]);
    await page.click('[data-layer="cart"]');
    t.ok(await canvas.sees({ x: 40, y: 40 }));
    await page.keyboard.press('Escape');
    // On the title of the second item.
    const second = { x: 80, y: 112 };
    await canvas.click(second);
    t.ok(await canvas.sees({ x: 40, y: 40 }), 'a list without a fill is hit at each item');
    await page.getByRole('slider', { name: 'Most items' }).waitFor();
    await page.mouse.dblclick(...(await canvas.at(second)));
    await page.locator('[data-layer="title"][aria-selected="true"]').waitFor();
    t.equal(await page.locator('.canvas-overlay .copy').count(), 1, 'the other item is marked');
    t.same(complaints.splice(0), []);
  });
});
