/** Bindings that are typed as the value of a colour or of an image, in a browser. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** A grey image, as an address. */
const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#888"/></svg>')}`;
const layers = [
  { id: 'box', type: 'rect', x: 20, y: 20, width: 80, height: 60, fill: '#d64933' },
  { id: 'pic', type: 'image', x: 200, y: 20, width: 120, height: 120, src },
];
const accent = { name: 'accent', type: 'color', value: '#20639b' };

t.test('a typed binding', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });
  let count = 0;
  const open = (): Promise<CanvasPage> => {
    count += 1;
    return openCanvas(page, base, `bindings-${count}`, layers, { variables: [accent] });
  };
  const variablesOf = async (canvas: CanvasPage): Promise<Template['variables']> =>
    ((await canvas.document()) as Template).variables;
  const color = page.locator('.p-fill .p-hex');
  const address = page.locator('.p-image input.p-code');
  const typeColor = async (text: string): Promise<void> => {
    await color.click({ clickCount: 3 });
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  /** The choice of the variable in the row of a property, once it has the focus. */
  const focusedChoice = (field: string): Promise<void> =>
    page.locator(`.p-row[data-field="${field}"] select:focus`).waitFor();

  t.test('of a colour keeps the focus in its row, and Backspace deletes no layer', async (t) => {
    const canvas = await open();
    await page.click('[data-layer="box"]');
    await typeColor('{{accent}}');
    await focusedChoice('fill');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Delete');
    t.same(await canvas.layers(), [{ ...layers[0], fill: '{{accent}}' }, layers[1]]);
    t.equal(await canvas.colorOnceAt({ x: 60, y: 50 }, '#20639b'), '#20639b');
    t.same(await accessibilityProblems(page), []);
    t.same([refused, complaints.splice(0)], [[], []]);
  });

  t.test('of a new name in a colour makes a colour variable', async (t) => {
    const canvas = await open();
    await page.click('[data-layer="box"]');
    await typeColor('{{tone}}');
    await focusedChoice('fill');
    const tone = { name: 'tone', type: 'color', value: '#d64933' };
    t.same(await variablesOf(canvas), [accent, tone]);
    t.equal(await canvas.colorOnceAt({ x: 60, y: 50 }, '#d64933'), '#d64933');
    await canvas.focus();
    await page.keyboard.press('Control+z');
    t.same(await variablesOf(canvas), [accent], 'one step');
    t.same([refused, complaints.splice(0)], [[], []]);
  });

  t.test('of a colour that was unfinished before has the colour of then', async (t) => {
    const canvas = await open();
    await page.click('[data-layer="box"]');
    await typeColor('{{ton');
    await page.locator('.p-fill [aria-invalid="true"]').waitFor();
    await typeColor('{{tone}}');
    await focusedChoice('fill');
    const tone = { name: 'tone', type: 'color', value: '#d64933' };
    t.same(await variablesOf(canvas), [accent, tone]);
    t.same([refused, complaints.splice(0)], [[], []]);
  });

  t.test('of a colour leaves the focus to Tab', async (t) => {
    await open();
    await page.click('[data-layer="box"]');
    await color.click({ clickCount: 3 });
    await page.keyboard.type('{{accent}}');
    await page.keyboard.press('Tab');
    await page.locator('.p-row[data-field="fill"] select').waitFor();
    await page.locator('.p-row[data-field="fill"] select ~ :focus, .p-row .p-bind:focus').waitFor();
    await page.keyboard.press('Shift+Tab');
    await focusedChoice('fill');
    t.same([refused, complaints.splice(0)], [[], []]);
  });

  t.test('of a new name in an image makes an image variable', async (t) => {
    const canvas = await open();
    await page.click('[data-layer="pic"]');
    await address.click();
    await page.keyboard.type('{{photo}}');
    await page.keyboard.press('Enter');
    await focusedChoice('src');
    await page.keyboard.press('Backspace');
    t.same(await variablesOf(canvas), [accent, { name: 'photo', type: 'image', value: src }]);
    t.same(await canvas.layers(), [layers[0], { ...layers[1], src: '{{photo}}' }]);
    const row = page.locator('.p-bound-image');
    t.equal(await row.getByLabel(/upload a file$/).count(), 1);
    await row.locator('.p-thumb img').waitFor();
    await page.getByRole('slider', { name: 'Point of the image that stays in sight' }).waitFor();
    t.equal(await canvas.colorOnceAt({ x: 260, y: 80 }, '#888888'), '#888888');
    t.same([refused, complaints.splice(0)], [[], []]);
  });
});
