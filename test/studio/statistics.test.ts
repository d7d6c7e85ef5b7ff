import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, testOrganization, textLayer } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';

const gmail =
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';

t.test('the studio shows what links were answered with', { skip: skipsPages }, async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
    publish('hello', {
      name: 'Hello',
      variables: [{ name: 'who', type: 'text', value: 'you' }],
      layers: [textLayer('Hello {{who}}')],
    });
  });
  const { base, ...service } = await startService(t, { dataDirectory });
  const browser = await startBrowser(t);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints = watchPage(page, base);
  await page.addInitScript(
    `sessionStorage.setItem('platen-studio-key', '${testOrganization.key}')`,
  );
  await page.goto(`${base}/studio#/t/hello`);
  const show = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Statistics' }).click();
  };
  await show();
  await page.getByText('No link of this template was opened yet.').waitFor();
  await page.keyboard.press('Escape');
  for (const [who, userAgent] of [
    ['Ann', gmail],
    ['Bob', gmail],
    ['Ann', 'Mozilla/5.0'],
    ['{{first_name}}', 'curl/8.5.0'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- the third comes from memory
    await service.render(`hello?who=${encodeURIComponent(who)}`, {
      headers: { 'user-agent': userAgent },
    });
  }
  const refused = await service.render('hello?_scale=bogus');
  t.equal(refused.status, 400);
  await show();
  const sum = page.getByRole('status').filter({ hasText: 'images' });
  await sum.waitFor();
  t.equal(
    await sum.textContent(),
    '4 images, 3 of them drawn. Of the requests, 1 with an unfilled merge tag, 1 failed.',
  );
  t.equal(
    await page.getByText('Errors: ').textContent(),
    'Errors: 1 with a value, an option or an image that cannot be used.',
  );
  const rowOf = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  t.equal(await rowOf('Gmail (proxy)').getByRole('cell').allTextContents().then(String), '2,2,0');
  t.match(await rowOf('Version 1').textContent(), 'Version 1431');
  t.same(await accessibilityProblems(page), []);
  await page.getByLabel('Period').selectOption('7 days');
  await sum.waitFor();
  await page.goto(`${base}/studio`);
  await page.hover('.template-card');
  await page.getByRole('button', { name: 'Archive Hello' }).click();
  const last = page.getByRole('dialog').locator('p', { has: page.locator('time') });
  t.match(
    await last.textContent(),
    /^A link last showed an image just now, \w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M\.$/u,
  );
  t.same(await accessibilityProblems(page), []);
  t.same(complaints, []);
});
