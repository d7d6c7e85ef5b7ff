/** The menu of the canvas reaches layers that others hide from a click. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const whole = { type: 'rect', x: 0, y: 0, width: 400, height: 300 };
const layers = [
  { ...whole, id: 'photo', fill: '#d64933' },
  { ...whole, id: 'far', x: 300, width: 100, fill: '#20639b' },
  { ...whole, id: 'held', name: 'Frame', locked: true, fill: '#00000011' },
  {
    id: 'group',
    type: 'group',
    x: 0,
    y: 0,
    width: 200,
    height: 200,
    layers: [{ ...whole, id: 'inner', width: 200, height: 200, fill: '#3caea3' }],
  },
  { ...whole, id: 'shade', fill: '#00000066' },
];

t.test('layers behind others', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const canvas = await openCanvas(page, base, 'select-layer', layers);
  const { keyboard } = page;
  const openMenu = async (): Promise<void> =>
    page.mouse.click(...(await canvas.at({ x: 100, y: 100 })), { button: 'right' });
  const chooser = page.getByRole('menuitem', { name: 'Select layer' });
  const items = page.getByRole('menu').getByRole('menuitem');
  const selected = async (): Promise<string[]> =>
    page
      .getByRole('treeitem', { selected: true })
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['layer'] ?? ''));

  t.test('the menu lists all layers at the pointer, the topmost first', async (t) => {
    await canvas.click({ x: 100, y: 100 });
    t.same(await selected(), ['shade'], 'as a click selects');
    await openMenu();
    t.same(await accessibilityProblems(page), []);
    await chooser.click();
    t.same(await items.locator('span').allTextContents(), ['shade', 'inner', 'Frame', 'photo']);
    t.same(await accessibilityProblems(page), []);
    await items.getByText('photo').click();
    t.same(await selected(), ['photo']);
    t.same(await canvas.selectedSize(), { width: 400, height: 300 });
  });

  t.test('keys choose one, and a layer of a group is selected in it', async (t) => {
    await openMenu();
    await chooser.focus();
    await keyboard.press('ArrowRight');
    t.equal(await page.locator(':focus').textContent(), 'shade', 'the first has the focus');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    t.same(await selected(), ['inner']);
    await canvas.focus();
    await keyboard.press('Escape');
    t.same(await selected(), ['group'], 'one step out');
    await openMenu();
    await chooser.click();
    await keyboard.press('Escape');
    t.equal(await page.getByRole('menu').count(), 0);
    t.same(await selected(), ['group'], 'without a choice');
    t.same(complaints.splice(0), []);
  });
});
