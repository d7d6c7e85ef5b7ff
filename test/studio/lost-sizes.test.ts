/** Publishing and rolling back name the sizes that links lose. */
import sharp from 'sharp';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { saveCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const bar = { id: 'bar', type: 'rect', x: 0, y: 0, width: 40, height: 40, fill: '#20639b' };
const sizes = [
  { name: 'story', width: 200, height: 300 },
  { name: 'wide', width: 600, height: 200 },
];

t.test('a version without a size of links says so', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  await saveCanvas(base, 'lost-sizes', [bar], { sizes: sizes.slice(0, 1) });
  await client.publishTemplate('lost-sizes');
  const document = await client.getTemplateDocument('lost-sizes');
  await client.updateTemplate('lost-sizes', { ...document, sizes });
  await client.publishTemplate('lost-sizes');
  await client.updateTemplate('lost-sizes', {
    ...document,
    sizes: sizes.slice(1),
    onError: 'json',
  });

  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio#/t/lost-sizes`);
  await page.locator('.canvas-sheet img').waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Links with the size “story” then answer an error.').waitFor();
  await dialog.getByRole('button', { name: 'Versions' }).click();
  await dialog.getByRole('button', { name: 'Roll back to version 1' }).click();
  await dialog.getByText('Links with the size “wide” then show the base size.').waitFor();
  t.same(await accessibilityProblems(page), []);
  await dialog.getByRole('button', { name: 'Publish version 1 again' }).click();
  await dialog.getByText('Version 3 is public').waitFor();
  const headers = { 'Sec-Fetch-Dest': 'image' };
  const answer = await fetch(`${base}/v1/render/lost-sizes.png?_size=wide`, { headers });
  const { width } = await sharp(await answer.arrayBuffer()).metadata();
  t.equal(width, 400, 'the width of the base, for a reader of an email');
  t.same(complaints, []);
});
