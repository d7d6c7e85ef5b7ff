import t from 'tap';
import type { Page } from 'playwright-core';
import type { Template } from '#language/schema/template.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const document = {
  format: 1,
  name: 'Panels',
  width: 400,
  height: 300,
  background: '#ffffff',
  variables: [{ name: 'who', type: 'text', value: 'friend' }],
  layers: [
    { id: 'low', type: 'rect', x: 20, y: 20, width: 80, height: 60, fill: '#d64933' },
    { id: 'high', type: 'rect', x: 120, y: 20, width: 60, height: 60, fill: '#20639b' },
    { id: 'photo', type: 'image', x: 220, y: 20, width: 100, height: 80, src: '' },
    {
      id: 'title',
      type: 'text',
      x: 20,
      y: 120,
      width: 360,
      height: 60,
      text: 'Hello {{who}} from Oslo',
      fontSize: 24,
    },
  ],
};

const image =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>';

/** A press on a control in the row of a property. */
const inRow = (name: string, rest: string): string => `.p-row[data-field="${name}"] ${rest}`;

t.test('the panels in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser);
  const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };
  let count = 0;

  /** A template of its own in the studio, with a layer selected, and what the service has of it once it is saved. */
  const open = async (
    layer: string,
  ): Promise<{ page: Page; complaints: string[]; saved: () => Promise<Template> }> => {
    count += 1;
    const address = `${base}/v1/templates?uid=panels-${count}`;
    await fetch(address, { method: 'POST', headers, body: JSON.stringify(document) });
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio#/t/panels-${count}`);
    await page.click(`[data-layer="${layer}"]`);
    const saved = async (): Promise<Template> => {
      await page.keyboard.press('Control+s');
      await page.waitForSelector('.save-note[data-state="saved"]');
      const answer = await fetch(`${base}/v1/templates/panels-${count}/document`, { headers });
      return (await answer.json()) as Template;
    };
    return { page, complaints, saved };
  };

  t.test('one click makes a property dynamic, and one makes it fixed again', async (t) => {
    const { page, complaints, saved } = await open('low');
    await page.click(inRow('fill', '.p-bind'));
    const bound = await saved();
    t.match(bound.layers[0], { fill: '{{low}}' });
    t.same(bound.variables[1], { name: 'low', type: 'color', value: '#d64933' });
    await page.click(inRow('fill', '.p-bind'));
    const fixed = await saved();
    t.match(fixed.layers[0], { fill: '#d64933' });
    t.equal(fixed.variables.length, 1, 'the variable that nothing uses is gone');

    await page.click('[data-layer="title"]');
    const weight = page.locator(inRow('fontWeight', 'select'));
    t.equal(await weight.locator('option:checked').textContent(), 'Regular');
    await weight.selectOption({ label: 'Semibold' });
    t.match((await saved()).layers[3], { fontWeight: 600 });
    const text = page.locator(inRow('text', 'textarea'));
    await text.evaluate((area) => {
      (area as HTMLTextAreaElement).focus();
      (area as HTMLTextAreaElement).setSelectionRange(19, 23);
    });
    await page.click(inRow('text', '.p-bind'));
    const part = await saved();
    t.match(part.layers[3], { text: 'Hello {{who}} from {{Oslo}}' });
    t.match(part.variables[1], { name: 'Oslo', value: 'Oslo' });

    await page.click('#tab-Variables');
    await page.click('[data-variable="Oslo"] .p-variable-name');
    await page.fill('[data-variable="Oslo"] .p-row input', 'city');
    await page.keyboard.press('Enter');
    t.match((await saved()).layers[3], { text: 'Hello {{who}} from {{city}}' });
    t.same(await accessibilityProblems(page), []);
    await page.click('[aria-label^="Delete city"]');
    t.match((await saved()).layers[3], { text: 'Hello {{who}} from Oslo' });
    t.same(complaints, []);
    await page.close();
  });

  t.test('a label is dragged in one step', async (t) => {
    const { page, saved } = await open('title');
    const label = await page.locator(inRow('fontSize', 'label')).boundingBox();
    if (label === null) throw new Error('no label');
    await page.mouse.move(label.x + 10, label.y + 5);
    await page.mouse.down();
    await page.mouse.move(label.x + 22, label.y + 5, { steps: 4 });
    await page.mouse.up();
    t.match((await saved()).layers[3], { fontSize: 36 });
    await page.keyboard.press('Control+z');
    t.match((await saved()).layers[3], { fontSize: 24 });
    await page.close();
  });

  t.test('a number outside the bounds is not sent, and becomes the nearest bound', async (t) => {
    const { page, complaints, saved } = await open('title');
    const write = async (name: string, text: string): Promise<void> => {
      const input = page.locator(inRow(name, 'input'));
      await input.fill('');
      await input.pressSequentially(text);
    };
    await write('opacity', '150');
    const problem = page.locator(inRow('opacity', '.p-problem'));
    t.equal(await problem.textContent(), 'Write a number from 0 to 100.');
    t.equal(await page.inputValue(inRow('opacity', 'input')), '150');
    t.match((await saved()).layers[3], { opacity: 0.15 }, 'what was typed before stays');
    await page.keyboard.press('Enter');
    t.equal((await saved()).layers[3]?.opacity, undefined, 'the bound is the default, 100 %');

    await write('lineHeight', '0.9');
    t.match((await saved()).layers[3], { lineHeight: 0.9 });
    await write('lineHeight', '24');
    await write('fontSize', '0.5');
    await write('maxLines', '0');
    await page.click('[data-layer="low"]');
    await write('width', '90');
    const after = await saved();
    t.match(after.layers[3], { lineHeight: 4, fontSize: 1, maxLines: 1 });
    t.match(after.layers[0], { width: 90 }, 'another layer is saved');
    t.same(complaints, []);
    await page.close();
  });

  t.test('several layers show what differs, and take one value for all', async (t) => {
    const { page, complaints, saved } = await open('low');
    await page.click('[data-layer="high"]', { modifiers: ['Control'] });
    const width = page.locator(inRow('width', 'input'));
    t.equal(await width.getAttribute('placeholder'), 'Mixed');
    t.equal(await page.locator(inRow('height', 'input')).inputValue(), '60');
    await width.fill('240/3');
    await page.click('button[aria-label="Add stroke"]');
    t.same(
      (await saved()).layers.slice(0, 2).map((layer) => [layer.width, 'stroke' in layer]),
      [
        [80, true],
        [80, true],
      ],
    );
    t.same(complaints, []);
    await page.close();
  });

  t.test(
    'layers are renamed in place, ordered by drag and keyboard, hidden and added',
    async (t) => {
      const { page, complaints, saved } = await open('low');
      await page.keyboard.press('F2');
      await page.keyboard.type('Ground');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Alt+ArrowUp');
      const ordered = await saved();
      t.same(
        ordered.layers.map(({ id }) => id),
        ['high', 'low', 'photo', 'title'],
      );
      t.match(ordered.layers[1], { name: 'Ground' });

      const [from, to] = await Promise.all(
        ['title', 'high'].map((id) => page.locator(`[data-layer="${id}"]`).boundingBox()),
      );
      if (!from || !to) throw new Error('no rows');
      await page.mouse.move(from.x + 60, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(to.x + 60, to.y + to.height - 3, { steps: 4 });
      await page.mouse.up();
      await page.click('button[aria-label="Hide high"]');
      await page.click('.p-add');
      await page.click('.p-add-grid button:has-text("Star")');
      const after = await saved();
      t.same(
        after.layers.map(({ id }) => id),
        ['title', 'high', 'low', 'photo', 'star'],
      );
      t.match(after.layers[1], { visible: false });
      t.same(complaints, []);
      await page.close();
    },
  );

  t.test('an image is uploaded or chosen, and colours and gradients are picked', async (t) => {
    const { page, complaints, saved } = await open('photo');
    await page.setInputFiles('.p-inspector input[type="file"]', {
      name: 'red.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(image),
    });
    await page.locator('.p-focus img').waitFor();
    const uploaded = (await saved()).layers[2];
    t.match(uploaded, { src: /^asset:[0-9a-f]{64}$/ });
    await page.click('button:has-text("Library")');
    await page.locator('.p-asset img').first().waitFor();
    t.ok((await page.locator('.p-asset').count()) > 1);
    t.same(await accessibilityProblems(page), [], 'the library');
    await page.keyboard.press('Escape');

    await page.click('[data-layer="low"]');
    await page.click('.p-fill .p-swatch');
    await page.focus('.p-square');
    await page.keyboard.press('Shift+ArrowDown');
    t.same(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    await page.locator('.p-fill input[aria-label="linear"]').check({ force: true });
    const { fill } = (await saved()).layers[0] as { fill: { stops: Array<{ color: string }> } };
    t.match(fill, { gradient: 'linear', stops: [{ offset: 0 }, { offset: 1 }] });
    t.not(fill.stops[0]?.color, '#d64933', 'it begins with the colour that was picked');
    t.same(complaints, []);
    await page.close();
  });

  t.test('a variable becomes a list, whose fields and items are edited', async (t) => {
    const { page, complaints, saved } = await open('low');
    await page.click('#tab-Variables');
    await page.click('.p-variables .p-add');
    const variable = (rest: string): string => `[data-variable="value"] ${rest}`;
    await page.selectOption(variable('select[id$="-type"]'), 'list');
    await page.click(variable('button:has-text("Item")'));
    await page.getByLabel('Item 3: title', { exact: true }).fill('Third');
    await page.fill(variable('input[aria-label="Field 2: name"]'), 'cost');
    await page.keyboard.press('Tab');
    t.same((await saved()).variables[1], {
      name: 'value',
      type: 'list',
      fields: [
        { name: 'title', type: 'text', value: '' },
        { name: 'cost', type: 'number', value: '0' },
      ],
      value: [
        { title: 'First', cost: '19.90' },
        { title: 'Second', cost: '5' },
        { title: 'Third', cost: '0' },
      ],
    });
    t.same(await accessibilityProblems(page), []);
    t.same(complaints, []);
    await page.close();
  });

  t.test(
    'a bound property has a format, which stays when another variable is chosen',
    async (t) => {
      const { page, complaints, saved } = await open('title');
      await page.click(inRow('fontSize', '.p-bind'));
      const format = inRow('fontSize', '.p-format');
      t.equal((await page.locator(`${format} + datalist option`).count()) > 10, true);
      const name = await page.inputValue(inRow('fontSize', 'select'));
      await page.fill(format, 'range:0,100,12,48');
      await page.keyboard.press('Tab');
      t.match((await saved()).layers[3], { fontSize: `{{${name} | range:0,100,12,48}}` });
      t.equal(await page.inputValue(inRow('fontSize', 'select')), name);
      await page.fill(format, '');
      await page.keyboard.press('Tab');
      t.match((await saved()).layers[3], { fontSize: `{{${name}}}` });
      t.same(await accessibilityProblems(page), []);
      t.same(complaints, []);
      await page.close();
    },
  );

  t.test('the options of links are turned off one by one', async (t) => {
    const { page, complaints, saved } = await open('low');
    // Nothing selected: the document.
    await page.keyboard.press('Escape');
    const option = (word: string): string => `[data-set="linkOptions"] input[value="${word}"]`;
    await page.locator(option('scale')).setChecked(false, { force: true });
    t.same((await saved()).linkOptions, ['format', 'quality', 'lang', 'size']);
    for (const word of ['format', 'quality', 'lang', 'size']) {
      await page.locator(option(word)).setChecked(false, { force: true });
    }
    t.same((await saved()).linkOptions, []);
    t.same(await accessibilityProblems(page), []);
    for (const word of ['format', 'scale', 'quality', 'lang', 'size']) {
      await page.locator(option(word)).setChecked(true, { force: true });
    }
    t.equal((await saved()).linkOptions, undefined, 'all of them are the default');
    t.same(complaints, []);
    await page.close();
  });
});
