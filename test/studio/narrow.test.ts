/** The studio at 390 px: nothing is wider than the screen; values, publishing and sharing work. */
import t from 'tap';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

t.test('a phone previews, publishes and shares', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const headers = { 'X-API-Key': demoKey };
  const box = { x: 20, y: 20, width: 360, height: 80, fontSize: 48 };
  const text = { id: 'a', type: 'text', ...box, text: 'Hi {{name}}' };
  const others = Array.from({ length: 9 }, (_, index) => `other${index}`);
  const variables = ['name', ...others].map((name) => ({ name, type: 'text', value: 'Ann' }));
  const size = { width: 400, height: 200, background: '#ffffff' };
  const document = { format: 1, name: 'Narrow', ...size, variables, layers: [text] };
  const body = JSON.stringify(document);
  await fetch(`${base}/v1/templates?uid=narrow`, { method: 'POST', headers, body });
  const context = await studioContext(await startBrowser(t));
  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  const complaints = watchPage(page, base);
  const isWithin = (): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= 390');
  for (const name of ['Brand kit', 'Campaigns']) {
    await page.goto(`${base}/studio#/${name.split(' ')[0]?.toLowerCase()}`);
    await page.getByRole('heading', { name, exact: true }).waitFor();
    t.ok(await isWithin(), name);
  }
  await page.goto(`${base}/studio#/`);
  await page.getByLabel('Search by name or uid').fill('narrow');
  t.ok(await isWithin(), 'the gallery');
  await page.getByRole('button', { name: 'Open Narrow' }).click();
  const image = page.getByAltText('Preview of Narrow');
  await image.waitFor();
  t.ok(await isWithin(), 'the preview');
  const [shown, below] = await Promise.all(
    [image, page.getByRole('heading', { name: 'Values' })].map((each) => each.boundingBox()),
  );
  t.ok((shown?.y ?? 0) + (shown?.height ?? 0) <= (below?.y ?? 0), 'nothing lies over the image');
  t.same(await accessibilityProblems(page), []);
  await page.getByText('Editing wants a larger screen.').waitFor();
  const first = await image.getAttribute('src');
  await page.getByLabel('Preview with as name').fill('Bea');
  await page.waitForFunction(
    (before) =>
      globalThis.document.querySelector('.narrow-image img')?.getAttribute('src') !== before,
    first,
  );
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  t.ok(await isWithin(), 'publishing');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByText(/^Publish although \d sets? of sample data ha.* warnings\?$/).waitFor();
  t.ok(await isWithin(), 'the question');
  t.same(await accessibilityProblems(page), []);
  await dialog.getByRole('button', { name: 'Publish all the same' }).click();
  await dialog.getByRole('button', { name: 'Link', exact: true, disabled: false }).click();
  await dialog.getByText('/v1/render/narrow').first().waitFor();
  t.ok(await isWithin(), 'sharing');
  t.same(complaints, []);
});
