/** Typing a sentence with variables, and the look of a word of it, in a browser. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { CanvasPage, saveCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const sentence = 'Hi {{first_name}}, your seat is {{seat}}';

t.test(
  'a sentence with variables is typed without a refused request',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const browser = await startBrowser(t);
    const context = await studioContext(browser);
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
    });
    let count = 0;

    /** Opens a template of one text and returns what reads its draft. */
    async function open(
      text: string,
      { canvas = {}, ...more }: { canvas?: object } & Record<string, unknown> = {},
    ): Promise<{ canvas: CanvasPage; saved: () => Promise<Template> }> {
      count += 1;
      const uid = `typing-${count}`;
      const box = { x: 20, y: 20, width: 360, height: 80 };
      const layer = { ...box, id: 't', type: 'text', text, fontSize: 24, ...more };
      const read = await saveCanvas(base, uid, [layer], canvas);
      await page.goto(`${base}/studio#/t/${uid}`);
      await page.waitForFunction((name) => document.title.startsWith(`${name} `), uid);
      await page.waitForSelector('.canvas-sheet img');
      const saved = async (): Promise<Template> => {
        await page.keyboard.press('Control+s');
        await page.waitForSelector('.save-note[data-state="saved"]');
        const headers = { 'X-API-Key': demoKey };
        const answer = await fetch(`${base}/v1/templates/${uid}/document`, { headers });
        return (await answer.json()) as Template;
      };
      return { canvas: new CanvasPage(page, read), saved };
    }
    const field = page.locator('.span-field');
    const editText = async (canvas: CanvasPage): Promise<void> => {
      await page.mouse.dblclick(...(await canvas.at({ x: 60, y: 35 })));
      await field.waitFor();
    };
    /** A variable is one sign of the keyboard. */
    const signs = (text: string): string => text.replaceAll(/\{\{[^{}]+\}\}/g, '1');
    const select = async (from: number, to: number): Promise<void> => {
      const text = (await field.textContent()) ?? '';
      const selected = text.slice(from, to);
      await page.keyboard.press('Control+Home');
      for (const _ of signs(text.slice(0, from))) await page.keyboard.press('ArrowRight');
      for (const _ of signs(selected)) await page.keyboard.press('Shift+ArrowRight');
      await page.waitForFunction((words) => String(getSelection()) === words, selected);
    };
    /** As a person does: the list has the focus before it is chosen from. */
    const choose = async (label: string, option: string): Promise<void> => {
      const list = page.locator('.text-bar').getByLabel(label);
      await list.focus();
      await list.selectOption(option);
    };
    const namesOf = ({ variables }: Template): string[] => variables.map(({ name }) => name);

    await t.test('on the canvas', async (t) => {
      const { canvas, saved } = await open('Hello');
      await editText(canvas);
      await page.keyboard.type(sentence, { delay: 15 });
      t.same(refused, []);
      t.equal(await page.locator('.problem-bar').count(), 0);
      t.equal(await field.textContent(), sentence);
      const document = await saved();
      t.match(document.layers[0], { text: sentence });
      t.match(document.variables.slice(-2), [
        { name: 'first_name', type: 'text', value: 'first_name', maxLength: 200 },
        { name: 'seat', type: 'text', value: 'seat', maxLength: 200 },
      ]);
      const chips = await page.evaluate(() =>
        [...(CSS.highlights.get('binding') ?? [])].map((range) => (range as Range).toString()),
      );
      t.same(chips, ['{{first_name}}', '{{seat}}']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+z');
      const undone = await saved();
      t.match(undone.layers[0], { text: 'Hello' });
      t.notOk(namesOf(undone).includes('seat'), 'the variables go with the sentence');
    });

    await t.test('in the inspector, whose field stays', async (t) => {
      const { canvas, saved } = await open('Hello');
      await page.mouse.click(...(await canvas.at({ x: 60, y: 35 })));
      const text = page.locator('.p-row[data-field="text"] textarea');
      await text.fill('');
      await text.pressSequentially('{{name}}, welcome back');
      t.equal(await text.inputValue(), '{{name}}, welcome back');
      t.match((await saved()).layers[0], { text: '{{name}}, welcome back' });
      await text.fill('');
      await text.pressSequentially('{{name}} ');
      await text.press('Backspace');
      t.match((await saved()).layers[0], { text: '{{name}}' }, 'Backspace deletes no layer');
      await text.fill('');
      await text.pressSequentially(sentence);
      t.match(await saved(), { layers: [{ text: sentence }] });
      t.same(await page.locator('.p-row[data-field="text"] mark').allTextContents(), [
        '{{first_name}}',
        '{{seat}}',
      ]);
      t.same(await accessibilityProblems(page), []);
    });

    await t.test('a name is completed or created on the canvas', async (t) => {
      const { canvas, saved } = await open('Hello');
      await editText(canvas);
      await page.keyboard.type('Hi {{na');
      t.same(await page.locator('.p-offer').allTextContents(), [
        'nametext',
        'nacreate this variable',
      ]);
      await page.keyboard.press('Enter');
      await page.keyboard.type(' of {{town');
      await page.locator('.p-offer', { hasText: 'create this variable' }).click();
      await page.keyboard.type('!');
      const document = await saved();
      t.match(document.layers[0], { text: 'Hi {{name}} of {{town}}!' });
      t.ok(namesOf(document).includes('town'));
    });

    await t.test('a selected word is made bold, large and coloured, and plain again', async (t) => {
      const { canvas, saved } = await open('Hi {{name}}, your seat is {{city}}');
      await editText(canvas);
      await select(3, 11);
      await page.keyboard.press('Control+b');
      const bold = await saved();
      t.match(bold.layers[0], {
        spans: [
          { text: 'Hi ' },
          { text: '{{name}}', fontWeight: 700 },
          { text: ', your seat is {{city}}' },
        ],
      });
      t.equal(await page.evaluate(() => String(getSelection())), '{{name}}');
      const bar = page.locator('.text-bar');
      t.equal(await bar.getByRole('button', { name: 'bold' }).getAttribute('aria-pressed'), 'true');
      await choose('Font weight', 'Black');
      await bar.getByLabel('Font size').fill('30');
      await page.keyboard.press('Enter');
      await bar.getByRole('button', { name: 'italic' }).click();
      await page.keyboard.press('Control+u');
      await bar.getByRole('button', { name: /choose a colour/ }).click();
      await page.getByRole('slider', { name: 'Saturation and brightness' }).press('ArrowRight');
      await page.keyboard.press('Escape');
      t.match((await saved()).layers[0], {
        spans: [
          {},
          {
            text: '{{name}}',
            fontWeight: 900,
            fontSize: 30,
            fontStyle: 'italic',
            underline: true,
            fill: /^#/,
          },
          {},
        ],
      });
      t.same(await accessibilityProblems(page), []);
      await bar.getByRole('button', { name: /^Font:/ }).click();
      await page.getByLabel('Search fonts').fill('Playfair');
      await page.getByLabel('Search fonts').press('Enter');
      t.match((await saved()).layers[0], {
        spans: [{}, { text: '{{name}}', fontFamily: 'Playfair Display' }, {}],
      });
      t.equal(await field.count(), 1, 'the text is still edited');
      for (const key of ['b', 'i', 'u']) await page.keyboard.press(`Control+${key}`);
      t.match((await saved()).layers[0], {
        spans: [{}, { text: '{{name}}', fontWeight: 400, fontSize: 30, underline: false }, {}],
      });
    });

    await t.test(
      'a word becomes a variable, and all of a text takes a look as a layer',
      async (t) => {
        const { canvas, saved } = await open('Hello Oslo');
        await editText(canvas);
        await page.keyboard.press('Control+b');
        const whole = (await saved()).layers[0];
        t.match(whole, { text: 'Hello Oslo', fontWeight: 700 });
        t.notMatch(whole, { spans: {} });
        await select(6, 10);
        await choose('Insert a variable', 'New variable');
        await page.keyboard.type('!');
        const document = await saved();
        t.match(document.layers[0], { text: 'Hello {{Oslo}}!' });
        t.match(document.variables.at(-1), { name: 'Oslo', type: 'text', value: 'Oslo' });
        await choose('Insert a variable', 'New variable');
        await page.keyboard.type('seat');
        await page.keyboard.press('Enter');
        await page.keyboard.type('.');
        const named = await saved();
        t.match(named.layers[0], { text: 'Hello {{Oslo}}!{{seat}}.' }, 'its name is typed');
        t.match(named.variables.at(-1), { name: 'seat', type: 'text' });
        await page.keyboard.press('Escape');
        t.equal(await field.count(), 0);
      },
    );
    await t.test('a word of the alternative text becomes a variable', async (t) => {
      const { saved } = await open('Hello', { canvas: { alt: 'A seat in Oslo' } });
      const row = page.locator('.p-row[data-field="alt"]');
      await row.locator('textarea').evaluate((area: HTMLTextAreaElement) => {
        area.focus();
        area.setSelectionRange(10, 14);
      });
      await row.getByRole('button', { name: /dynamic/ }).click();
      const document = await saved();
      t.match(document, { alt: 'A seat in {{Oslo}}' });
      t.match(document.variables.at(-1), { name: 'Oslo', type: 'text', value: 'Oslo' });
    });
    await t.test('the chip of a variable offers formats with its sample value', async (t) => {
      const price = { name: 'price', type: 'number', value: '1299.5' };
      const { canvas, saved } = await open('Pay {{price}} now', { canvas: { variables: [price] } });
      const formats = page.getByRole('toolbar', { name: 'Format of price' });
      await editText(canvas);
      t.equal(await formats.count(), 0);
      await select(4, 13);
      await formats.waitFor();
      t.same(await accessibilityProblems(page), []);
      await formats.getByRole('button', { name: '€1,299.50' }).click();
      t.match((await saved()).layers[0], { text: 'Pay {{price | currency:EUR}} now' });
      await formats.getByRole('button', { pressed: true }).focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      t.match((await saved()).layers[0], { text: 'Pay {{price | number:0}} now' });
      await page.keyboard.type('!');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Escape');

      const text = page.locator('.p-row[data-field="text"] textarea');
      await text.focus();
      await page.keyboard.press('Control+Home');
      for (let at = 0; at < 4; at += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Shift+ArrowRight');
      await formats.getByRole('button', { name: '1299.5', exact: true }).click();
      t.match((await saved()).layers[0], { text: 'Pay {{price}} now' }, 'in the inspector');
      t.equal(await text.evaluate((each) => each === document.activeElement), true);
    });
    await t.test('a pasted layer brings its variables and lands in view', async (t) => {
      const far = {
        x: 900,
        y: 700,
        width: 200,
        height: 40,
        text: '{{code}} {{name}} {{row}} {{name2}}',
      };
      const code = { name: 'code', type: 'text', value: 'A-113', from: 'seats.{{key}}.code' };
      const key = { name: 'key', type: 'text', value: '8f2c' };
      const row = { name: 'row', type: 'text', value: 'B', from: 'seats.{{name}}.row' };
      const name = { name: 'name', type: 'number', value: '7' };
      const name2 = { name: 'name2', type: 'text', value: 'Bo' };
      const [width, height] = [1200, 800];
      await open('Hello', {
        ...far,
        canvas: { width, height, variables: [code, key, row, name, name2], fonts: ['Caveat'] },
      });
      await page.click('[data-layer="t"]');
      await page.keyboard.press('Control+c');
      const to = await open('Hello');
      await page.mouse.click(...(await to.canvas.at({ x: 390, y: 290 })));
      await page.keyboard.press('Control+v');
      const { layers, variables, fonts } = await to.saved();
      t.same(fonts, ['Caveat']);
      t.match(
        layers[1],
        { text: '{{code}} {{name3}} {{row}} {{name2}}', x: 100, y: 130 },
        'in the middle',
      );
      t.match(variables, [
        { name: 'name', type: 'text', value: 'friend' },
        { name: 'city' },
        code,
        key,
        { ...row, from: 'seats.{{name3}}.row' },
        { ...name, name: 'name3' },
        name2,
      ]);
    });
    t.same(refused, []);
    t.same(complaints, []);
  },
);
