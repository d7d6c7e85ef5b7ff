/** Numbers, dates and times are typed key by key, and cells of a spreadsheet are pasted. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import type { ListVariable, Template } from '#language/schema/template.ts';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { saveCanvas } from './canvas-page.ts';
import { becomes, studioContext } from './studio-page.ts';

const line = { type: 'text', width: 300, height: 24, fontSize: 14 } as const;
const variables = [
  { name: 'day', type: 'date', value: '2026-11-27' },
  { name: 'worded', type: 'date', value: '27 Nov 2026' },
  { name: 'starts', type: 'date', value: '2026-11-27T18:30+01:00' },
  { name: 'price', type: 'number', value: '12', min: 0, max: 100 },
];
const shown = '{{day}} {{worded}} {{starts}} {{price}}';
const items = {
  name: 'items',
  type: 'list',
  fields: [
    { name: 'title', type: 'text', value: 'New' },
    { name: 'price', type: 'number', value: '0' },
    { name: 'until', type: 'date', value: '2026-11-27' },
  ],
  value: [{ title: 'Tea pot', price: '24.50' }],
};
const cart = {
  id: 'cart',
  type: 'stack',
  x: 40,
  y: 40,
  width: 320,
  height: 'hug',
  repeat: { list: 'items' },
  layers: [{ ...line, id: 'title', text: '{{item.title}} {{item.price}} {{item.until}}' }],
};

t.test('values that people type and paste', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const context = await studioContext(await startBrowser(t));
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const readValues = await saveCanvas(
    base,
    'typed-values',
    [{ ...line, id: 'a', x: 10, y: 10, text: shown }],
    {
      variables,
    },
  );
  const readList = await saveCanvas(base, 'typed-list', [cart], { variables: [items] });
  /** The document, after it was saved. */
  const saved = async (read: () => Promise<unknown>): Promise<Template> => {
    await page.keyboard.press('Control+s');
    await becomes(page, 'saved');
    return (await read()) as Template;
  };
  const type = async (field: Locator, keys: string): Promise<void> => {
    await field.focus();
    await page.keyboard.type(keys);
  };
  const focused = page.locator(':focus');
  const open = async (name: string): Promise<Locator> => {
    await page.locator(`[data-variable="${name}"] .p-variable-name`).click();
    const field = page.locator(`[data-variable="${name}"]`).getByLabel('Default', { exact: true });
    await field.waitFor();
    return field;
  };
  const valueOf = async (name: string): Promise<unknown> =>
    (await saved(readValues)).variables.find((each) => each.name === name)?.value;

  t.test('a date keeps its field whatever is typed', async (t) => {
    await page.goto(`${base}/studio#/t/typed-values`);
    await page.getByRole('tab', { name: 'Variables' }).click();
    const day = await open('day');
    await type(day, '122420261');
    t.equal(await focused.getAttribute('type'), 'date', 'a year of five digits');
    await page.keyboard.press('Backspace');
    t.equal((await saved(readValues)).layers.length, 1, 'Backspace deletes no layer');
    await type(day, '12242027');
    t.equal(await valueOf('day'), '2027-12-24');
    await day.focus();
    await page.keyboard.press('Backspace');
    t.equal(await day.inputValue(), '');
    await page.getByLabel('Time of the default of day').focus();
    await page.keyboard.type('0915AM');
    t.equal(await day.inputValue(), '', 'a new image does not reset the half of a date');
    await day.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2028');
    t.equal(await valueOf('day'), '2028-12-24T09:15');
    await page.keyboard.press('Backspace');
    await page.getByRole('tab', { name: 'Variables' }).focus();
    t.equal(await day.inputValue(), '2028-12-24', 'a half is cleared when it is left');
    t.same(complaints.splice(0), []);
  });

  t.test('a date of another form stays text until its calendar is chosen', async (t) => {
    const worded = await open('worded');
    await worded.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('2026-12-24');
    t.equal(await focused.inputValue(), '2026-12-24');
    t.equal(await valueOf('worded'), '2026-12-24');
    const field = page.locator('[data-variable="worded"]');
    const button = field.getByRole('button', { name: /worded (in a calendar|as text)$/ }).last();
    await button.press('Enter');
    t.equal(await worded.getAttribute('type'), 'date');
    t.equal(await worded.inputValue(), '2026-12-24');
    t.same(await accessibilityProblems(page), []);
    await button.press('Enter');
    await worded.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('some day');
    await page.keyboard.press('Tab');
    t.equal(await worded.inputValue(), 'some day');
    t.equal(await worded.getAttribute('aria-invalid'), 'true');
    t.equal(await valueOf('worded'), '2026-12-24');
    t.same(complaints.splice(0), []);
  });

  t.test('a date keeps its zone when its time is cleared and given again', async (t) => {
    await open('starts');
    const time = page.getByLabel('Time of the default of starts');
    await time.focus();
    for (const key of ['Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace'])
      await page.keyboard.press(key);
    t.equal(await valueOf('starts'), '2026-11-27');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await type(time, '0745AM');
    t.equal(await valueOf('starts'), '2026-11-27T07:45+01:00');
    t.same(complaints.splice(0), []);
  });

  t.test('a number is typed with a comma, and stepped by the arrow keys', async (t) => {
    const price = await open('price');
    const sample = page.getByLabel('Preview with as price');
    await type(sample, '150');
    await page.keyboard.press('Tab');
    await page.getByText('The limit is 0 to 100.').waitFor();
    t.equal(await sample.inputValue(), '150');
    t.same(complaints.splice(0), [], 'a value over the limit is in no request');
    await price.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('9,90');
    t.equal(await focused.inputValue(), '9,90');
    t.equal(await valueOf('price'), '9.90');
    await page.keyboard.press('ArrowUp');
    t.equal(await valueOf('price'), '10.90');
    await page.keyboard.press('End');
    await page.keyboard.type('x');
    await page.keyboard.press('Tab');
    t.equal(await price.inputValue(), '10.90x');
    t.equal(await price.getAttribute('aria-invalid'), 'true');
    t.equal(await valueOf('price'), '10.90');
    t.same(complaints.splice(0), []);
  });

  t.test('pasted cells are read as people write them; others stay and are marked', async (t) => {
    await page.goto(`${base}/studio#/t/typed-list`);
    await page.click('[data-layer="cart"]');
    await page.getByRole('button', { name: 'Items', exact: true }).click();
    const table = page.getByRole('dialog').getByRole('table', { name: 'Items of items' });
    const cell = (name: string): Locator => table.getByLabel(name, { exact: true });
    const rows = [
      '9,90\t24.12.2026',
      '1.234,50\t2026-12-24T18:00',
      '1,234.50\t24/12/2026',
      '1 234,50\tsoon',
      'about 5\t27 Nov 2026',
    ];
    await page.evaluate((text) => navigator.clipboard.writeText(text), rows.join('\n'));
    await cell('Item 1: price').focus();
    await page.keyboard.press('Control+v');
    await page.getByText(/^2 cells could not be read/).waitFor();
    const list = async (): Promise<unknown> =>
      ((await saved(readList)).variables[0] as ListVariable).value;
    t.same(await list(), [
      { title: 'Tea pot', price: '9.90', until: '2026-12-24' },
      { title: 'New', price: '1234.50', until: '2026-12-24T18:00' },
      { title: 'New', price: '1234.50', until: '2026-12-24' },
      { title: 'New', price: '1234.50' },
      { title: 'New', until: '2026-11-27' },
    ]);
    const unread = cell('Item 5: price');
    t.equal(await unread.inputValue(), 'about 5');
    t.equal(await unread.getAttribute('aria-invalid'), 'true');
    t.equal(await cell('Item 4: until').inputValue(), 'soon');
    await table.getByText('Write a date, such as 2026-11-27 or 27 Nov 2026.').waitFor();
    t.same(await accessibilityProblems(page), []);
    await unread.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('5,5');
    t.equal(await unread.getAttribute('aria-invalid'), 'false');
    t.match(await list(), [{}, {}, {}, {}, { price: '5.5' }]);
    t.equal(await cell('Item 4: until').inputValue(), 'soon', 'the other one stays');
    await page.keyboard.press('Escape');
    await table.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Items', exact: true }).click();
    t.equal(await cell('Item 4: until').inputValue(), 'soon', 'also in the table opened again');
    t.same(complaints.splice(0), []);
  });

  t.test('the focus stays in the table when its last item is deleted', async (t) => {
    const bin = page.getByRole('button', { name: 'Delete item 5' });
    await bin.focus();
    for (const expected of [4, 3, 2, 1]) {
      await page.keyboard.press('Enter');
      t.equal(await focused.getAttribute('aria-label'), `Delete item ${expected}`);
    }
    await page.keyboard.press('Enter');
    t.equal(await focused.innerText(), 'Item');
    await page.keyboard.press('Backspace');
    const { layers, variables: left } = await saved(readList);
    t.equal(layers.length, 1, 'Backspace deletes no layer');
    t.same(left[0]?.value, []);
    t.same(complaints.splice(0), []);
  });
});
