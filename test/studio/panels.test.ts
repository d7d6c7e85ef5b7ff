/** The panels in a browser: properties that are fixed, bound and bounded, the list of layers, and the keyboard's way. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { text } from './built-layers.ts';
import { dragBy } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { openStudio } from './open-studio.ts';

/** A grey image, as an address. */
const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#888"/></svg>')}`;
const layers = [
  { id: 'low', type: 'rect', x: 20, y: 20, width: 80, height: 60, fill: '#d64933' },
  { id: 'high', type: 'rect', x: 120, y: 20, width: 60, height: 60, fill: '#20639b' },
  { id: 'photo', type: 'image', x: 220, y: 20, width: 100, height: 80, src },
  text('title', 'Hello {{who}} from Oslo', { x: 20, y: 120, width: 360, height: 60, fontSize: 24 }),
];
const variables = [
  { name: 'who', type: 'text', value: 'friend' },
  { name: 'accent', type: 'color', value: '#20639b' },
];

t.test('the panels in a browser', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService());
  const { page } = studio;
  const { keyboard } = page;
  const inRow = (name: string, rest = '') => page.locator(`.p-row[data-field="${name}"] ${rest}`);
  const select = (id: string) => page.click(`[data-layer="${id}"]`);
  let count = 0;
  let canvas: CanvasPage;
  const saved = async (): Promise<Template> => (await canvas.document()) as Template;
  /** Opens a template of its own, with a layer selected. */
  const open = async (layer: string): Promise<void> => {
    count += 1;
    canvas = await studio.edit(`panels-${count}`, layers, { variables });
    await select(layer);
  };
  t.afterEach(() => void t.same(studio.complaints(), []));

  t.test('one click makes a property dynamic, and one makes it fixed again', async (t) => {
    await open('low');
    await inRow('fill', '.p-bind').click();
    const bound = await saved();
    t.match(bound.layers[0], { fill: '{{low}}' });
    t.same(bound.variables[2], { name: 'low', type: 'color', value: '#d64933' });
    await inRow('fill', '.p-bind').click();
    const fixed = await saved();
    t.match(fixed.layers[0], { fill: '#d64933' });
    t.equal(fixed.variables.length, 2, 'the variable that nothing uses is gone');

    await select('title');
    const weight = inRow('fontWeight', 'select');
    t.equal(await weight.locator('option:checked').textContent(), 'Regular');
    await weight.selectOption({ label: 'Semibold' });
    await inRow('text', 'textarea').evaluate((area: HTMLTextAreaElement) => {
      area.focus();
      area.setSelectionRange(19, 23);
    });
    await inRow('text', '.p-bind').click();
    const part = await saved();
    t.match(part.layers[3], { fontWeight: 600, text: 'Hello {{who}} from {{Oslo}}' });
    t.match(part.variables[2], { name: 'Oslo', value: 'Oslo' });

    await page.click('#tab-Variables');
    await page.click('[data-variable="Oslo"] .p-variable-name');
    await page.fill('[data-variable="Oslo"] .p-row input', 'city');
    await keyboard.press('Enter');
    t.match((await saved()).layers[3], { text: 'Hello {{who}} from {{city}}' });
    await page.click('[aria-label^="Delete city"]');
    t.match((await saved()).layers[3], { text: 'Hello {{who}} from Oslo' });
  });

  t.test('a bound property has a format, which stays over another variable', async (t) => {
    await open('title');
    await inRow('fontSize', '.p-bind').click();
    const name = await inRow('fontSize', 'select').inputValue();
    const format = inRow('fontSize', '.p-format');
    await format.fill('range:0,100,12,48');
    await keyboard.press('Tab');
    t.match((await saved()).layers[3], { fontSize: `{{${name} | range:0,100,12,48}}` });
    t.equal(await inRow('fontSize', 'select').inputValue(), name);
    t.same(await accessibilityProblems(page), []);
    await format.fill('');
    await keyboard.press('Tab');
    t.match((await saved()).layers[3], { fontSize: `{{${name}}}` });
  });

  t.test('a binding that is typed as a colour keeps the focus in its row', async (t) => {
    const type = async (words: string, key: string): Promise<void> => {
      await inRow('fill', '.p-hex').selectText();
      await keyboard.type(words);
      await keyboard.press(key);
    };
    await open('low');
    await type('{{accent}}', 'Enter');
    await inRow('fill', 'select:focus').waitFor();
    await keyboard.press('Backspace');
    await keyboard.press('Delete');
    t.same(await canvas.layer('low'), { ...layers[0], fill: '{{accent}}' });
    t.equal(await canvas.colorOnceAt({ x: 60, y: 50 }, '#20639b'), '#20639b');
    await open('low');
    await type('{{accent}}', 'Tab');
    await page.locator('.p-row[data-field="fill"] select ~ :focus, .p-row .p-bind:focus').waitFor();
    await keyboard.press('Shift+Tab');
    await inRow('fill', 'select:focus').waitFor();

    await open('low');
    await type('{{ton', 'Enter');
    await page.locator('.p-fill [aria-invalid="true"]').waitFor();
    await type('{{tone}}', 'Enter');
    await inRow('fill', 'select:focus').waitFor();
    const tone = { name: 'tone', type: 'color', value: '#d64933' };
    t.same((await saved()).variables, [...variables, tone], 'a new name has the colour of then');
    await canvas.focus();
    await keyboard.press('Control+z');
    t.same((await saved()).variables, variables, 'one step');
  });

  t.test('a binding that is typed as an image keeps its file and its focal point', async (t) => {
    await open('photo');
    await page.locator('.p-image input.p-code').fill('{{pic}}');
    await keyboard.press('Enter');
    await inRow('src', 'select:focus').waitFor();
    await keyboard.press('Backspace');
    const { layers: after, variables: made } = await saved();
    t.same(after[2], { ...layers[2], src: '{{pic}}' });
    t.same(made[2], { name: 'pic', type: 'image', value: src });
    const row = page.locator('.p-bound-image');
    t.equal(await row.getByLabel(/upload a file$/).count(), 1);
    await row.locator('.p-thumb img').waitFor();
    await page.getByRole('slider', { name: 'Point of the image that stays in sight' }).waitFor();
    t.equal(await canvas.colorOnceAt({ x: 260, y: 60 }, '#888888'), '#888888');
  });

  t.test('a number outside the bounds is not sent, and becomes the nearest bound', async (t) => {
    await open('title');
    const write = async (name: string, number: string): Promise<void> => {
      await inRow(name, 'input').fill('');
      await inRow(name, 'input').pressSequentially(number);
    };
    await write('opacity', '150');
    const problem = await inRow('opacity', '.p-problem').textContent();
    t.equal(problem, 'Write a number from 0 to 100.');
    t.equal(await inRow('opacity', 'input').inputValue(), '150');
    t.match((await saved()).layers[3], { opacity: 0.15 }, 'what was typed before stays');
    await keyboard.press('Enter');
    t.equal((await saved()).layers[3]?.opacity, undefined, 'the bound is the default, 100 %');
    await write('lineHeight', '24');
    await write('fontSize', '0.5');
    await write('maxLines', '0');
    await select('low');
    await write('width', '90');
    const after = await saved();
    t.match(after.layers[3], { lineHeight: 4, fontSize: 1, maxLines: 1 });
    t.match(after.layers[0], { width: 90 }, 'another layer is saved');
    await select('title');
    await dragBy(inRow('fontSize', 'label'), 12);
    t.match((await saved()).layers[3], { fontSize: 13 }, 'a label is dragged');
    await keyboard.press('Control+z');
    t.match((await saved()).layers[3], { fontSize: 1 }, 'in one step');
  });

  t.test('several layers show what differs, and take one value for all', async (t) => {
    await open('low');
    await page.click('[data-layer="high"]', { modifiers: ['Control'] });
    t.equal(await inRow('width', 'input').getAttribute('placeholder'), 'Mixed');
    t.equal(await inRow('height', 'input').inputValue(), '60');
    await inRow('width', 'input').fill('240/3');
    await page.click('button[aria-label="Add stroke"]');
    const [low, high, photo] = (await saved()).layers;
    t.match([low, high], Array(2).fill({ width: 80, stroke: Object }));
    t.same(photo, layers[2]);
  });

  t.test('layers are renamed in place, ordered, hidden and added', async (t) => {
    await open('low');
    await keyboard.press('F2');
    await keyboard.type('Ground');
    await keyboard.press('Enter');
    await keyboard.press('Alt+ArrowUp');
    t.same(await canvas.order(), ['high', 'low', 'photo', 'title']);
    t.match(await canvas.layer('low'), { name: 'Ground' });
    // From the row at the top to below that at the bottom.
    const row = page.locator('[data-layer="title"]');
    const below = (await page.locator('[data-layer="high"]').boundingBox())?.y ?? 0;
    await dragBy(row, 0, below - ((await row.boundingBox())?.y ?? 0) + 9);
    await page.click('button[aria-label="Hide high"]');
    await page.click('.p-add');
    await page.click('.p-add-grid button:has-text("Star")');
    t.same(await canvas.order(), ['title', 'high', 'low', 'photo', 'star']);
    t.match(await canvas.layer('high'), { visible: false });
  });

  t.test('an image is uploaded or chosen, and colours and gradients are picked', async (t) => {
    await open('photo');
    const buffer = Buffer.from(decodeURIComponent(src.slice(src.indexOf(',') + 1)));
    const file = { name: 'grey.svg', mimeType: 'image/svg+xml', buffer };
    await page.setInputFiles('.p-inspector input[type="file"]', file);
    const sourceOf = async (): Promise<string> => String((await canvas.find('photo'))['src']);
    t.ok(await eventually(async () => /^asset:[0-9a-f]{64}$/.test(await sourceOf())));
    await page.click('button:has-text("Library")');
    await page.locator('.p-asset img').first().waitFor();
    t.same(await accessibilityProblems(page), [], 'the library');
    await keyboard.press('Escape');
    await select('low');
    await page.click('.p-fill .p-swatch');
    await page.focus('.p-square');
    await keyboard.press('Shift+ArrowDown');
    t.same(await accessibilityProblems(page), [], 'the picker');
    await keyboard.press('Escape');
    await page.locator('.p-fill input[aria-label="linear"]').check({ force: true });
    const { fill } = (await canvas.layer('low')) as { fill: { stops: Array<{ color: string }> } };
    t.match(fill, { gradient: 'linear', stops: [{ offset: 0 }, { offset: 1 }] });
    t.not(fill.stops[0]?.color, '#d64933', 'it begins with the colour that was picked');
  });

  t.test('the words for missing values are chosen one by one', async (t) => {
    await open('low');
    // Nothing selected: the document.
    await keyboard.press('Escape');
    const set = (word: string, isOn: boolean): Promise<void> =>
      page.locator(`[data-set="emptyWords"] [value="${word}"]`).setChecked(isOn, { force: true });
    t.same(await accessibilityProblems(page), [], 'the settings of the template');
    t.equal(await page.locator('[data-set="linkOptions"], [data-field="linkAuth"]').count(), 0);
    await set('null', true);
    await set('NaN', true);
    t.same((await saved()).emptyWords, ['null', 'NaN']);
    for (const word of ['null', 'NaN']) await set(word, false);
    t.equal((await saved()).emptyWords, undefined, 'none of them is the default');
  });

  t.test('F6 moves the keyboard between the parts of the editor', async (t) => {
    await open('title');
    const press = async (key: string): Promise<string | undefined> => {
      await keyboard.press(key);
      return page.evaluate(() => {
        const { activeElement: element } = document;
        const part = element?.closest('.top-bar, .side, .centre');
        const name = part?.getAttribute('aria-label') ?? part?.className;
        const field = element?.closest('[data-field]')?.getAttribute('data-field');
        return [name, element?.getAttribute('data-layer') ?? field].filter(Boolean).join(': ');
      });
    };
    t.equal(await press('F6'), 'Canvas');
    t.equal(await press('F6'), 'Properties: text', 'the text of a layer is two presses away');
    t.equal(await press('F6'), 'top-bar', 'after the last part the first');
    t.equal(await press('F6'), 'Layers, variables and comments: title', 'the selected layer');
    t.equal(await press('Shift+F6'), 'top-bar');
    t.equal(await press('Shift+F6'), 'Properties: text');
    await select('low');
    await keyboard.press('F6');
    t.match(await press('F6'), /^Properties/, 'a layer without a text');
  });
});
