/** The command palette: search, and its work with the keyboard in a browser. */
import t from 'tap';
import { findCommands } from '../../src/studio/palette/commands.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
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
