/** The command palette: search, and its work with the keyboard in a browser. */
import t from 'tap';
import { findCommands } from '../../src/studio/palette/find-commands.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('commands are found by words, those that begin with the search first', (t) => {
  const run = (): void => undefined;
  const commands = [
    { id: '1', kind: 'Layer', name: 'Old publish note', run } as const,
    { id: '2', kind: 'Action', name: 'Publish', run } as const,
    { id: '3', kind: 'Template', name: 'Zoë', words: 'spring', run } as const,
  ];
  const ids = (search: string): string[] => findCommands(commands, search).map(({ id }) => id);
  t.same(ids('publish'), ['2', '1']);
  t.same(ids('zoe spring'), ['3']);
  t.same(ids('layer'), ['1'], 'by its kind');
  t.same(ids(''), ['1', '2', '3']);
  t.end();
});

t.test('whole words and synonyms come before parts of words', (t) => {
  const run = (): void => undefined;
  const names = (search: string): string[] =>
    findCommands(
      [
        { id: '1', kind: 'Action', name: 'Resize the canvas', run },
        { id: '2', kind: 'Property', name: 'Rotation', words: 'rotate', run },
        { id: '3', kind: 'Property', name: 'Texts that are rotated', run },
        { id: '4', kind: 'Property', name: 'Sizes of images', run },
        { id: '5', kind: 'Property', name: 'Font size', run },
      ],
      search,
    ).map(({ name }) => name);
  t.same(names('rotate'), ['Rotation', 'Texts that are rotated']);
  t.same(names('size'), ['Font size', 'Sizes of images', 'Resize the canvas']);
  t.end();
});

t.test('commands of one name have their details in it, or a number', (t) => {
  const run = (): void => undefined;
  const layers = ['photo', 'photo-2'].map((id) => ({ id, detail: id, name: 'Photo' }));
  const others = ['x', 'y'].map((id) => ({ id, name: 'Text' }));
  const commands = [...layers, ...others].map((each) => ({ ...each, kind: 'Layer', run }) as const);
  const found = findCommands(commands, '').map(({ name }) => name);
  t.same(found, ['Photo (photo)', 'Photo (photo-2)', 'Text', 'Text (2)']);
  t.end();
});

t.test(
  'the palette finds templates and layers with the keyboard',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const headers = { 'X-API-Key': demoKey };
    const box = { x: 0, y: 0, width: 40, height: 40 };
    const layers = ['first', 'second'].map((name) => ({
      id: name,
      type: 'rect',
      name: `The ${name} box`,
      ...box,
    }));
    const size = { width: 200, height: 80, background: '#ffffff' };
    const variables = [{ name: 'who', type: 'text', value: 'you' }];
    const greeting = { id: 'greeting', type: 'text', ...box, text: 'Hi {{who}}' };
    const content = { variables, layers: [...layers, greeting] };
    const document = { format: 1, name: 'Palette target', ...size, ...content };
    const body = JSON.stringify(document);
    await fetch(`${base}/v1/templates?uid=palette`, { method: 'POST', headers, body });
    const context = await studioContext(await startBrowser(t));
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio`);
    await page.locator('.template-card').first().waitFor();
    const field = page.getByRole('combobox', { name: 'Search templates, layers and commands' });
    const active = page.locator('[role="option"][aria-selected="true"]');

    await page.keyboard.press('Control+k');
    await field.waitFor();
    t.same(await accessibilityProblems(page), []);
    await page.keyboard.type('palette tar');
    await active.getByText('Palette target').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-layer="first"]').waitFor();

    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('box');
    await page.locator('[role="option"]').nth(1).waitFor();
    const before = await active.innerText();
    await page.keyboard.press('ArrowDown');
    t.not(await active.innerText(), before);
    t.equal(await active.getAttribute('id'), await field.getAttribute('aria-activedescendant'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.locator('[data-layer][aria-selected="true"]', { hasText: 'box' }).waitFor();
    const run = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await field.waitFor();
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    };
    await run('comment');
    await page.locator('textarea:focus').waitFor();
    await run('add variable');
    await page.locator('.p-variable.p-open', { hasText: 'value' }).waitFor();
    const emoji = page.locator('.preset-pick', { hasText: 'Emoji' });
    await emoji.waitFor();
    await run('sample emoji');
    await page.locator('[aria-pressed="true"]').and(emoji).waitFor();
    await run('timeline');
    await page.locator('.timeline [data-selected="true"]').waitFor();
    await page.keyboard.press('Escape');
    await run('animate');
    await page.getByText('Select one layer to animate it.').waitFor();
    await run('add icon');
    await page.getByRole('dialog', { name: 'Insert an icon' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    t.same(complaints, []);
  },
);

t.test('the palette of the editor', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const field = page.getByRole('combobox', { name: 'Search templates, layers and commands' });
  /** Names of the commands that a search finds. */
  const search = async (words: string): Promise<string[]> => {
    await field.fill(words);
    return page.locator('.palette-name').allTextContents();
  };
  /** Runs the first command that a search finds. */
  const run = async (words: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await field.fill(words);
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
  };
  const tool = (): Promise<string | null> =>
    page.locator('.tool-bar [aria-pressed="true"]').getAttribute('aria-label');

  t.test('no two commands that are shown together have the same name', async (t) => {
    const text = { type: 'text', name: 'Photo', x: 20, width: 200, height: 40, text: 'Size' };
    const shadow = { x: 1, y: 1, blur: 2, color: '#000000' };
    const canvas = await openCanvas(page, base, 'palette-names', [
      { ...text, id: 'one', y: 20, shadow: [shadow, shadow] },
      { ...text, id: 'two', y: 120 },
    ]);
    await canvas.click({ x: 40, y: 40 });
    await page.locator('.p-inspector [data-field="fontSize"]').waitFor();
    await page.keyboard.press('Control+k');
    const letters = 'a b c d e f g h i j k l m n o p q r s t u v w x y z'.split(' ');
    const searches = ['', ...letters, 'make', 'photo', 'text', 'shadow'];
    for (const words of searches) {
      const names = await search(words);
      t.same(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
        `found by ${words}`,
      );
    }
    t.match(await search('rotate'), ['Rotation']);
    t.match(await search('upload'), ['Add image']);
    t.match(await search('image'), ['Add image', 'Tool: Image']);
    t.ok((await search('colour')).includes('Fill'));
    t.ok((await search('size')).slice(0, 5).includes('Font size'));
    await page.keyboard.press('Escape');
    t.same(complaints.splice(0), []);
  });

  t.test('Enter after an added layer adds no other, whatever tool was chosen before', async (t) => {
    const canvas = await openCanvas(page, base, 'palette-adds', []);
    await page.getByRole('group', { name: 'Begin with' }).waitFor();
    await page.keyboard.press('Control+k');
    t.match(await search('add text'), ['Add text']);
    t.equal(await page.locator('.palette-name', { hasText: '(2)' }).count(), 0);
    await page.keyboard.press('Escape');
    for (const [key, words] of [
      ['k', 'add image'],
      ['t', 'add qr'],
      ['r', 'add line'],
    ] as const) {
      await page.keyboard.press(key);
      await run(words);
      t.equal(await tool(), 'Select', words);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
    }
    t.same(await canvas.order(), ['image', 'qr', 'line']);
    await run('tool ellipse');
    t.equal(await tool(), 'Ellipse');
    await page.keyboard.press('Enter');
    t.equal(await tool(), 'Select');
    t.same(await canvas.order(), ['image', 'qr', 'line', 'ellipse'], 'Enter uses a chosen tool');
    t.same(complaints.splice(0), []);
  });
});
