/** Typing texts with variables, and the look of their words. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { startStudio } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';

const sentence = 'Hi {{first_name}}, your seat is {{seat}}';

t.test('typing a text with variables has no refused request', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'typing', await startBrowser(t), base);
  const { page, keyboard, claim } = studio;
  page.on('response', (answer) => {
    if (answer.status() >= 400) studio.complaints.push(`${answer.status()} ${answer.url()}`);
  });

  const field = page.locator('.span-field');
  const bar = page.locator('.text-bar');
  const text = page.locator('.p-row[data-field="text"] textarea');
  const edit = (words: string): Promise<CanvasPage> => studio.editText({ text: words });
  /** A variable is one sign of the keyboard. */
  const signs = (words: string): string => words.replaceAll(/\{\{[^{}]+\}\}/g, '1');
  const select = async (from: number, to: number): Promise<void> => {
    const words = (await field.textContent()) ?? '';
    const selected = words.slice(from, to);
    await keyboard.press('Control+Home');
    for (const _ of signs(words.slice(0, from))) await keyboard.press('ArrowRight');
    for (const _ of signs(selected)) await keyboard.press('Shift+ArrowRight');
    await page.waitForFunction((expected) => String(getSelection()) === expected, selected);
  };
  /** As a person does: the list has the focus before it is chosen from. */
  const choose = async (label: string, option: string): Promise<void> => {
    const list = bar.getByLabel(label);
    await list.focus();
    await list.selectOption(option);
  };
  const savedOf = async (canvas: CanvasPage) => (await canvas.document()) as Template;
  const namesOf = async (canvas: CanvasPage): Promise<string[]> =>
    (await savedOf(canvas)).variables.map(({ name }) => name);

  claim('a sentence with variables is typed on the canvas', async (t) => {
    const canvas = await edit('Hello');
    await keyboard.type(sentence, { delay: 15 });
    t.equal(await page.locator('.problem-bar').count(), 0);
    t.equal(await field.textContent(), sentence);
    const document = await savedOf(canvas);
    t.match(document.layers[0], { text: sentence });
    t.match(document.variables.slice(-2), [
      { name: 'first_name', type: 'text', value: 'first_name', maxLength: 200 },
      { name: 'seat', type: 'text', value: 'seat', maxLength: 200 },
    ]);
    const chips = await page.evaluate(() =>
      [...(CSS.highlights.get('binding') ?? [])].map((range) => (range as Range).toString()),
    );
    t.same(chips, ['{{first_name}}', '{{seat}}']);
    await keyboard.press('Escape');
    await keyboard.press('Control+z');
    t.match(await canvas.layer('t'), { text: 'Hello' });
    t.notOk((await namesOf(canvas)).includes('seat'), 'the variables go with the sentence');
  });

  claim('a sentence is typed in the inspector, whose field stays', async (t) => {
    const canvas = await edit('Hello');
    await keyboard.press('Escape');
    await text.fill('');
    await text.pressSequentially('{{name}} ');
    await text.press('Backspace');
    t.match(await canvas.layer('t'), { text: '{{name}}' }, 'Backspace deletes no layer');
    await text.fill('');
    await text.pressSequentially(sentence);
    t.match(await canvas.layer('t'), { text: sentence });
    const marks = await page.locator('.p-row[data-field="text"] mark').allTextContents();
    t.same(marks, ['{{first_name}}', '{{seat}}']);
    t.same(await accessibilityProblems(page), []);
  });

  claim('a name is completed or created on the canvas', async (t) => {
    const canvas = await edit('Hello');
    await keyboard.type('Hi {{na');
    const offers = await page.locator('.p-offer').allTextContents();
    t.same(offers, ['nametext', 'nacreate this variable']);
    await keyboard.press('Enter');
    await keyboard.type(' of {{town');
    await page.locator('.p-offer', { hasText: 'create this variable' }).click();
    await keyboard.type('!');
    t.match(await canvas.layer('t'), { text: 'Hi {{name}} of {{town}}!' });
    t.ok((await namesOf(canvas)).includes('town'));
  });

  claim('a selected word is made bold, large and coloured, and plain again', async (t) => {
    const canvas = await edit('Hi {{name}}, your seat is {{city}}');
    await select(3, 11);
    await keyboard.press('Control+b');
    const rest = { text: ', your seat is {{city}}' };
    const name = { text: '{{name}}', fontWeight: 700 };
    t.match(await canvas.layer('t'), { spans: [{ text: 'Hi ' }, name, rest] });
    t.equal(await page.evaluate(() => String(getSelection())), '{{name}}');
    t.equal(await bar.getByRole('button', { name: 'bold' }).getAttribute('aria-pressed'), 'true');
    await choose('Font weight', 'Black');
    await bar.getByLabel('Font size').fill('30');
    await keyboard.press('Enter');
    await bar.getByRole('button', { name: 'italic' }).click();
    await keyboard.press('Control+u');
    await bar.getByRole('button', { name: /choose a colour/ }).click();
    await page.getByRole('slider', { name: 'Saturation and brightness' }).press('ArrowRight');
    await keyboard.press('Escape');
    await bar.getByRole('button', { name: /^Font:/ }).click();
    await page.getByLabel('Search fonts').fill('Playfair');
    await page.getByLabel('Search fonts').press('Enter');
    const look = { fontWeight: 900, fontSize: 30, fontStyle: 'italic', underline: true };
    const family = { fontFamily: 'Playfair Display', fill: /^#/ };
    t.match(await canvas.layer('t'), { spans: [{}, { ...name, ...look, ...family }, rest] });
    t.same(await accessibilityProblems(page), []);
    t.equal(await field.count(), 1, 'the text is still edited');
    for (const key of ['b', 'i', 'u']) await keyboard.press(`Control+${key}`);
    const plain = { fontWeight: 400, fontSize: 30, underline: false };
    t.match(await canvas.layer('t'), { spans: [{}, { text: '{{name}}', ...plain }, rest] });
  });

  claim('a word becomes a variable, and all of a text takes a look as a layer', async (t) => {
    const canvas = await edit('Hello Oslo');
    await keyboard.press('Control+b');
    const whole = await canvas.find('t');
    t.match(whole, { text: 'Hello Oslo', fontWeight: 700 });
    t.notMatch(whole, { spans: {} });
    await select(6, 10);
    await choose('Insert a variable', 'New variable');
    await keyboard.type('!');
    const document = await savedOf(canvas);
    t.match(document.layers[0], { text: 'Hello {{Oslo}}!' });
    t.match(document.variables.at(-1), { name: 'Oslo', type: 'text', value: 'Oslo' });
    await choose('Insert a variable', 'New variable');
    await keyboard.type('seat');
    await keyboard.press('Enter');
    await keyboard.type('.');
    const named = await savedOf(canvas);
    t.match(named.layers[0], { text: 'Hello {{Oslo}}!{{seat}}.' }, 'its name is typed');
    t.match(named.variables.at(-1), { name: 'seat', type: 'text' });
    await keyboard.press('Escape');
    t.equal(await field.count(), 0);
  });

  claim('a word of the alternative text becomes a variable', async (t) => {
    const canvas = await studio.open([], { alt: 'A seat in Oslo' });
    const row = page.locator('.p-row[data-field="alt"]');
    await row.locator('textarea').evaluate((area: HTMLTextAreaElement) => {
      area.focus();
      area.setSelectionRange(10, 14);
    });
    await row.getByRole('button', { name: /dynamic/ }).click();
    const document = await savedOf(canvas);
    t.match(document, { alt: 'A seat in {{Oslo}}' });
    t.match(document.variables.at(-1), { name: 'Oslo', type: 'text', value: 'Oslo' });
  });

  claim('the chip of a variable offers formats with its sample value', async (t) => {
    const price = { name: 'price', type: 'number', value: '1299.5' };
    const canvas = await studio.editText({ text: 'Pay {{price}} now' }, [], [price]);
    const formats = page.getByRole('toolbar', { name: 'Format of price' });
    t.equal(await formats.count(), 0);
    await select(4, 13);
    await formats.waitFor();
    t.same(await accessibilityProblems(page), []);
    await formats.getByRole('button', { name: '€1,299.50' }).click();
    t.match(await canvas.layer('t'), { text: 'Pay {{price | currency:EUR}} now' });
    await formats.getByRole('button', { pressed: true }).focus();
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    t.match(await canvas.layer('t'), { text: 'Pay {{price | number:0}} now' });
    await keyboard.type('!');
    await keyboard.press('Backspace');
    await keyboard.press('Escape');

    await text.focus();
    await keyboard.press('Control+Home');
    for (let at = 0; at < 4; at += 1) await keyboard.press('ArrowRight');
    await keyboard.press('Shift+ArrowRight');
    await formats.getByRole('button', { name: '1299.5', exact: true }).click();
    t.match(await canvas.layer('t'), { text: 'Pay {{price}} now' }, 'in the inspector');
    t.equal(await text.evaluate((each) => each === document.activeElement), true);
  });

  claim('a text with styled words is one field of the inspector', async (t) => {
    const bold = { text: '{{name}}', fontWeight: 700 };
    const canvas = await studio.editText({ spans: [{ text: 'Hi ' }, bold, { text: '!' }] });
    await keyboard.press('Escape');
    t.equal(await text.inputValue(), 'Hi {{name}}!');
    await text.focus();
    await keyboard.press('Control+End');
    await keyboard.type(' Your city: {{city}}');
    const typed = { spans: [{ text: 'Hi ' }, bold, { text: '! Your city: {{city}}' }] };
    t.match(await canvas.layer('t'), typed, 'the looks stay');
    t.equal(await page.evaluate(() => globalThis.document.activeElement?.tagName), 'TEXTAREA');
    await keyboard.press('Control+a');
    await keyboard.type('Bye');
    t.match(await canvas.layer('t'), { spans: [{ text: 'Bye' }] });
    t.equal(await page.getByText('Make it one text again').isVisible(), false, 'parts are closed');
    await page.getByText('Styled parts', { exact: true }).click();
    await page.getByText('Make it one text again').click();
    t.match(await canvas.layer('t'), { text: 'Bye' });
  });
});
