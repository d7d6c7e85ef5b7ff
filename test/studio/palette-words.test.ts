/** Words by which people look for commands of the palette, in a browser. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('the words of other programs find commands', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const text = { type: 'text', x: 20, y: 20, width: 200, height: 40, text: 'Hi' };
  const canvas = await openCanvas(page, base, 'palette-words', [{ ...text, id: 'text' }]);
  await page.getByRole('button', { name: 'Add size …' }).waitFor();
  await page.locator('.p-inspector summary', { hasText: 'Output' }).waitFor();
  const field = page.getByRole('combobox', { name: 'Search templates, layers and commands' });
  /** Whether each search finds a command. */
  const find = async (searches: Readonly<Record<string, string>>): Promise<void> => {
    await page.keyboard.press('Control+k');
    for (const [words, name] of Object.entries(searches)) {
      await field.fill(words);
      const names = await page.locator('.palette-name').allTextContents();
      t.ok(names.includes(name), `${words}: ${names.join(', ')}`);
    }
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  };
  await find({
    export: 'Share',
    download: 'Share',
    png: 'Properties: Output',
    dark: 'Share',
    'brand colors': 'Brand kit',
    'brand colours': 'Brand kit',
    rollback: 'Share',
    'version history': 'Publish',
    versions: 'Publish',
    archive: 'Templates',
    settings: 'Properties: Output',
    color: 'Background',
    colour: 'Background',
    story: 'Add size …',
    center: 'Align',
    centre: 'Align',
    'text align': 'Align',
    rotate: 'Rotation',
    shadow: 'Shadow',
    crop: 'Crop the image',
    font: 'Font family',
    'replace image': 'Source',
  });
  await page.keyboard.press('Control+k');
  await field.fill('rotate');
  await page.keyboard.press('Enter');
  await page.getByText('Select a layer to rotate it.').waitFor();
  await canvas.click({ x: 40, y: 40 });
  await page.locator('.p-inspector [data-field="fontSize"]').waitFor();
  await find({
    center: 'Align centres on the canvas',
    'text align': 'Align',
    rotate: 'Rotation',
    shadow: 'Shadow',
    font: 'Font family',
  });
  t.same(complaints, []);
});
