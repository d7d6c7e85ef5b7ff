/** Values of variables in a browser: what people type and paste, and values of data tables. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import type { ListVariable, Template } from '#language/schema/template.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { stack, text } from './built-layers.ts';
import type { CanvasPage } from './canvas-page.ts';
import { listOf } from './documents.ts';
import { openStudio } from './open-studio.ts';

const line = { id: 'a', type: 'text', x: 10, y: 10, width: 300, height: 24, fontSize: 14 };
const variables = [
  { name: 'day', type: 'date', value: '2026-11-27' },
  { name: 'worded', type: 'date', value: '27 Nov 2026' },
  { name: 'starts', type: 'date', value: '2026-11-27T18:30+01:00' },
  { name: 'price', type: 'number', value: '12', min: 0, max: 100 },
];
const items = listOf(
  'items',
  { title: ['text', 'New'], price: ['number', '0'], until: ['date', '2026-11-27'] },
  [{ title: 'Tea pot', price: '24.50' }],
);
const item = text('title', '{{item.title}}', { width: 300, height: 24 });
const cart = stack('cart', [item], { x: 40, y: 40, width: 320, repeat: { list: 'items' } });

t.test('values in a browser', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService());
  const { base, page } = studio;
  const { keyboard } = page;
  const focused = page.locator(':focus');
  const variable = (name: string) => page.locator(`[data-variable="${name}"]`);
  let canvas: CanvasPage;
  const saved = async (): Promise<Template> => (await canvas.document()) as Template;
  const valueOf = async (name: string): Promise<unknown> =>
    (await saved()).variables.find((each) => each.name === name)?.value;
  const open = async (name: string): Promise<Locator> => {
    await variable(name).locator('.p-variable-name').click();
    return variable(name).getByLabel('Default', { exact: true });
  };
  t.afterEach(() => void t.same(studio.complaints(), []));

  t.test('a date keeps its field whatever is typed', async (t) => {
    const words = '{{day}} {{worded}} {{starts}} {{price}}';
    canvas = await studio.edit('typed-values', [{ ...line, text: words }], { variables });
    await page.getByRole('tab', { name: 'Variables' }).click();
    const day = await open('day');
    await day.focus();
    await keyboard.type('122420261');
    t.equal(await focused.getAttribute('type'), 'date', 'a year of five digits');
    await keyboard.press('Backspace');
    t.equal((await saved()).layers.length, 1, 'Backspace deletes no layer');
    await day.focus();
    await keyboard.type('12242027');
    t.equal(await valueOf('day'), '2027-12-24');
    await day.focus();
    await keyboard.press('Backspace');
    t.equal(await day.inputValue(), '');
    await page.getByLabel('Time of the default of day').focus();
    await keyboard.type('0915AM');
    t.equal(await day.inputValue(), '', 'a new image does not reset the half of a date');
    await day.focus();
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await keyboard.type('2028');
    t.equal(await valueOf('day'), '2028-12-24T09:15');
    await keyboard.press('Backspace');
    await page.getByRole('tab', { name: 'Variables' }).focus();
    t.equal(await day.inputValue(), '2028-12-24', 'a half is cleared when it is left');
  });

  t.test('a date of another form stays text until its calendar is chosen', async (t) => {
    const worded = await open('worded');
    const write = async (date: string): Promise<void> => {
      await worded.selectText();
      await keyboard.type(date);
    };
    await write('2026-12-24');
    t.equal(await focused.inputValue(), '2026-12-24');
    t.equal(await valueOf('worded'), '2026-12-24');
    const button = variable('worded').getByRole('button', { name: /worded (in a cal|as text)/ });
    await button.last().press('Enter');
    t.equal(await worded.getAttribute('type'), 'date');
    t.equal(await worded.inputValue(), '2026-12-24');
    t.same(await accessibilityProblems(page), []);
    await button.last().press('Enter');
    await write('some day');
    await keyboard.press('Tab');
    t.equal(await worded.inputValue(), 'some day');
    t.equal(await worded.getAttribute('aria-invalid'), 'true');
    t.equal(await valueOf('worded'), '2026-12-24');
  });

  t.test('a date keeps its zone when its time is cleared and given again', async (t) => {
    await open('starts');
    await page.getByLabel('Time of the default of starts').focus();
    for (const key of ['Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace'])
      await keyboard.press(key);
    t.equal(await valueOf('starts'), '2026-11-27');
    for (const key of ['ArrowLeft', 'ArrowLeft']) await keyboard.press(key);
    await keyboard.type('0745AM');
    t.equal(await valueOf('starts'), '2026-11-27T07:45+01:00');
  });

  t.test('a number is typed with a comma, and stepped by the arrow keys', async (t) => {
    const price = await open('price');
    const sample = page.getByLabel('Preview with as price');
    await sample.pressSequentially('150');
    await keyboard.press('Tab');
    await page.getByText('The limit is 0 to 100.').waitFor();
    t.equal(await sample.inputValue(), '150');
    t.same(studio.complaints(), [], 'a value over the limit is in no request');
    await price.selectText();
    await keyboard.type('9,90');
    t.equal(await focused.inputValue(), '9,90');
    t.equal(await valueOf('price'), '9.90');
    await keyboard.press('ArrowUp');
    t.equal(await valueOf('price'), '10.90');
    await keyboard.press('End');
    await keyboard.type('x');
    await keyboard.press('Tab');
    t.equal(await price.inputValue(), '10.90x');
    t.equal(await price.getAttribute('aria-invalid'), 'true');
    t.equal(await valueOf('price'), '10.90');
  });

  t.test('pasted cells are read as people write them; others stay and are marked', async (t) => {
    canvas = await studio.edit('typed-list', [cart], { variables: [items] });
    await page.click('[data-layer="cart"]');
    const show = () => page.getByRole('button', { name: 'Items', exact: true }).click();
    await show();
    const table = page.getByRole('dialog').getByRole('table', { name: 'Items of items' });
    const cell = (name: string): Locator => table.getByLabel(name, { exact: true });
    const rows = ['9,90\t24.12.2026', '1 234,50\tsoon', 'about 5\t27 Nov 2026'];
    await page.evaluate((cells) => navigator.clipboard.writeText(cells), rows.join('\n'));
    await cell('Item 1: price').focus();
    await keyboard.press('Control+v');
    await page.getByText(/^2 cells could not be read/).waitFor();
    t.same(await valueOf('items'), [
      { title: 'Tea pot', price: '9.90', until: '2026-12-24' },
      { title: 'New', price: '1234.50' },
      { title: 'New', until: '2026-11-27' },
    ]);
    const unread = cell('Item 3: price');
    t.equal(await unread.inputValue(), 'about 5');
    t.equal(await unread.getAttribute('aria-invalid'), 'true');
    await table.getByText('Write a date, such as 2026-11-27 or 27 Nov 2026.').waitFor();
    t.same(await accessibilityProblems(page), []);
    await unread.selectText();
    await keyboard.type('5,5');
    t.equal(await unread.getAttribute('aria-invalid'), 'false');
    t.match(await valueOf('items'), [{}, {}, { price: '5.5' }]);
    await keyboard.press('Escape');
    await table.waitFor({ state: 'detached' });
    await show();
    t.equal(await cell('Item 2: until').inputValue(), 'soon', 'in the table opened again');

    await page.getByRole('button', { name: 'Delete item 3' }).focus();
    for (const expected of [2, 1]) {
      await keyboard.press('Enter');
      t.equal(await focused.getAttribute('aria-label'), `Delete item ${expected}`);
    }
    await keyboard.press('Enter');
    t.equal(await focused.innerText(), 'Item', 'the focus stays in the table');
    await keyboard.press('Backspace');
    const { layers, variables: left } = await saved();
    t.equal(layers.length, 1, 'Backspace deletes no layer');
    t.same((left[0] as ListVariable).value, []);
  });

  t.test('a variable takes its value from a table', async (t) => {
    const put = (method: string, query: string, body?: string): Promise<Response> => {
      const init = { method, headers: { 'X-API-Key': demoKey }, body: body ?? null };
      return fetch(`${base}/v1/tables/members${query}`, init);
    };
    await put('PUT', '?key=id', 'id,name,points\n8f2c,Amanda,1250\n');
    const sent: string[] = [];
    page.on('response', (answer) => {
      if (!answer.url().endsWith('/v1/preview')) return;
      answer
        .text()
        .then((report) => sent.push(report))
        .catch(() => undefined);
    });
    const [id, name] = ['id', 'name'].map((each) => ({ name: each, type: 'text', value: '' }));
    canvas = await studio.edit('points', [{ ...line, text: '{{name}}' }], {
      variables: [id, name],
    });
    const settings = variable('name');
    const choice = (label: string) => settings.getByLabel(label, { exact: true });
    const optionsOf = (label: string): Promise<string[]> =>
      choice(label).locator('option').allTextContents();
    /** Chooses an option by its first letters, as people do with the keyboard. */
    const type = async (label: string, letters: string): Promise<void> => {
      await choice(label).focus();
      await keyboard.type(letters);
    };
    const reload = async (): Promise<void> => {
      await page.reload();
      await page.click('#tab-Variables');
      await settings.locator('.p-variable-name').click();
    };
    await reload();
    await choice('Table').locator('option', { hasText: 'members' }).waitFor({ state: 'attached' });
    t.equal(await choice('Column').count(), 0, 'without a table there is no column');
    await type('Table', 'mem');
    t.equal(await choice('Row whose key is').inputValue(), 'id', 'the variable named as the keys');
    t.same(await optionsOf('Column'), ['id', 'name', 'points']);
    t.equal(await choice('Column').inputValue(), 'name', 'the column named as the variable');
    t.equal(await focused.getAttribute('id'), await choice('Table').getAttribute('id'));
    await page.getByText('Comes from the column name of the table members, in the row').waitFor();
    t.match((await saved()).variables[1], { from: 'members.{{id}}.name' });
    await variable('id').locator('.p-sample textarea').fill('8f2c');
    t.ok(await eventually(() => sent.some((report) => report.includes('"Amanda"'))), 'it is drawn');
    t.same(await accessibilityProblems(page), []);

    await put('PUT', '?key=id', 'id,points\n8f2c,1250\n');
    await reload();
    await settings.locator('[aria-invalid="true"]').waitFor();
    t.same(await optionsOf('Column'), ['name (missing)', 'id', 'points']);
    await type('Column', 'poi');
    t.match((await saved()).variables[1], { from: 'members.{{id}}.points' });
    await put('DELETE', '');
    await reload();
    await settings.getByText('Send a CSV or an Excel file to the people who run').waitFor();
    const command = settings.getByText('platen tables put');
    t.notOk(await command.isVisible(), 'the command is for operators');
    await settings.getByText('For the people who run this service').click();
    await command.waitFor();
    t.same(await optionsOf('Table'), ['None: the link gives it', 'members (missing)']);
    t.equal(await choice('Column').inputValue(), 'points', 'the rest of the source stays');
    await type('Table', 'None');
    await settings.locator('.p-sample textarea').waitFor();
  });
});
