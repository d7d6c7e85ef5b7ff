/** The command palette: search, and its work with the keyboard in a browser. */
import t from 'tap';
import { findCommands } from '../../src/studio/palette/find-commands.ts';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { openStudio } from './open-studio.ts';

const run = (): void => undefined;

t.test('commands are found by words, those that begin with the search first', async (t) => {
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
});

t.test('whole words and synonyms come before parts of words', async (t) => {
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
});

t.test('commands of one name have their details in it, or a number', async (t) => {
  const layers = ['photo', 'photo-2'].map((id) => ({ id, detail: id, name: 'Photo' }));
  const others = ['x', 'y'].map((id) => ({ id, name: 'Text' }));
  const commands = [...layers, ...others].map((each) => ({ ...each, kind: 'Layer', run }) as const);
  const found = findCommands(commands, '').map(({ name }) => name);
  t.same(found, ['Photo (photo)', 'Photo (photo-2)', 'Text', 'Text (2)']);
});

t.test('the palette in a browser', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService());
  const { page } = studio;
  const { keyboard } = page;
  const box = { x: 20, y: 20, width: 200, height: 40 };
  const field = page.getByRole('combobox', { name: 'Search templates, layers and commands' });
  const active = page.locator('[role="option"][aria-selected="true"]');
  const show = async (): Promise<void> => {
    await keyboard.press('Control+k');
    await field.waitFor();
  };
  const hide = async (): Promise<void> => {
    await keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  };
  /** Names of the commands that a search finds. */
  const search = async (words: string): Promise<string[]> => {
    await field.fill(words);
    return page.locator('.palette-name').allTextContents();
  };
  /** Runs the first command that a search finds. */
  const runFirst = async (words: string): Promise<void> => {
    await show();
    await field.fill(words);
    await keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
  };
  t.afterEach(() => void t.same(studio.complaints(), []));

  t.test('templates and layers are found with the keyboard, and commands run', async (t) => {
    const layers = ['first', 'second'].map((id) => {
      return { ...box, id, type: 'rect', name: `The ${id} box` };
    });
    const text = { ...box, id: 'greeting', type: 'text', text: 'Hi {{who}}' };
    const variables = [{ name: 'who', type: 'text', value: 'you' }];
    await studio.edit('palette-target', [...layers, text], { variables });
    await studio.show('#/');
    await page.locator('.template-card').first().waitFor();
    studio.complaints();
    await show();
    await field.fill('palette tar');
    await active.getByText('palette-target').waitFor();
    await keyboard.press('Enter');
    await page.locator('[data-layer="first"]').waitFor();
    await show();
    t.same(await accessibilityProblems(page), []);
    await keyboard.type('box');
    await page.locator('[role="option"]').nth(1).waitFor();
    const before = await active.innerText();
    await keyboard.press('ArrowDown');
    t.not(await active.innerText(), before);
    t.equal(await active.getAttribute('id'), await field.getAttribute('aria-activedescendant'));
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    await page.locator('[data-layer][aria-selected="true"]', { hasText: 'box' }).waitFor();
    await runFirst('comment');
    await page.locator('textarea:focus').waitFor();
    await runFirst('add variable');
    await page.locator('.p-variable.p-open', { hasText: 'value' }).waitFor();
    const emoji = page.locator('.preset-pick', { hasText: 'Emoji' });
    await emoji.waitFor();
    await runFirst('sample emoji');
    await page.locator('[aria-pressed="true"]').and(emoji).waitFor();
    await runFirst('timeline');
    await page.locator('.timeline [data-selected="true"]').waitFor();
    await keyboard.press('Escape');
    await runFirst('animate');
    await page.getByText('Select one layer to animate it.').waitFor();
    await runFirst('add icon');
    await page.getByRole('dialog', { name: 'Insert an icon' }).waitFor();
    await keyboard.press('Escape');
  });

  t.test('the words of other programs find commands, each under one name', async (t) => {
    const text = { ...box, type: 'text', name: 'Photo', text: 'Size' };
    const shadow = { x: 1, y: 1, blur: 2, color: '#000000' };
    const canvas = await studio.edit('palette-words', [
      { ...text, id: 'one', shadow: [shadow, shadow] },
      { ...text, id: 'two', y: 120 },
    ]);
    await page.getByRole('button', { name: 'Add size …' }).waitFor();
    await page.locator('.p-inspector summary', { hasText: 'Output' }).waitFor();
    const find = async (searches: Readonly<Record<string, string>>): Promise<void> => {
      for (const [words, name] of Object.entries(searches)) {
        const names = await search(words);
        t.ok(names.includes(name), `${words}: ${names.join(', ')}`);
      }
    };
    await show();
    await find({
      download: 'Share',
      png: 'Properties: Output',
      dark: 'Share',
      'brand colours': 'Brand kit',
      rollback: 'Share',
      'version history': 'Publish',
      archive: 'Templates',
      color: 'Background',
      story: 'Add size …',
      centre: 'Align',
      rotate: 'Rotation',
      crop: 'Crop the image',
      font: 'Font family',
      'replace image': 'Source',
    });
    await hide();
    await runFirst('rotate');
    await page.getByText('Select a layer to rotate it.').waitFor();
    await canvas.click({ x: 40, y: 40 });
    await page.locator('.p-inspector [data-field="fontSize"]').waitFor();
    await show();
    await find({ center: 'Align centres on the canvas', shadow: 'Shadow', colour: 'Fill' });
    t.match(await search('upload'), ['Add image']);
    t.match(await search('image'), ['Add image', 'Tool: Image']);
    t.ok((await search('size')).slice(0, 5).includes('Font size'));
    await hide();
    await runFirst('make opacity dynamic');
    t.match(await canvas.layer('one'), { opacity: /^\{\{\w+\}\}$/ });
  });

  t.test('Enter after an added layer adds no other, whatever tool was chosen before', async (t) => {
    const tool = (): Promise<string | null> =>
      page.locator('.tool-bar [aria-pressed="true"]').getAttribute('aria-label');
    const canvas = await studio.edit('palette-adds', []);
    await page.getByRole('group', { name: 'Begin with' }).waitFor();
    for (const [key, words] of [
      ['k', 'add image'],
      ['t', 'add qr'],
      ['r', 'add line'],
    ] as const) {
      await keyboard.press(key);
      await runFirst(words);
      t.equal(await tool(), 'Select', words);
      await keyboard.press('Enter');
      await keyboard.press('Escape');
    }
    t.same(await canvas.order(), ['image', 'qr', 'line']);
    await runFirst('tool ellipse');
    t.equal(await tool(), 'Ellipse');
    await keyboard.press('Enter');
    t.equal(await tool(), 'Select');
    t.same(await canvas.order(), ['image', 'qr', 'line', 'ellipse'], 'Enter uses a chosen tool');
  });
});
