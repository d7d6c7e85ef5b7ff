/** What the studio says of how versions are served: quarantine and statistics; and a first template, in a browser. */
import { join } from 'node:path';
import t from 'tap';
import { createLostRenderStore } from '../../src/store/lost-render-store.ts';
import { askPatiently } from '../e2e/ask-patiently.ts';
import { fillDataDirectory, testOrganization, textLayer } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';

const gmail =
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';

t.test('served versions in a browser', { skip: skipsPages }, async (t) => {
  let freshKey = '';
  const dataDirectory = fillDataDirectory(
    join(t.testdir(), 'data'),
    ({ db, organizations, publish, templates }) => {
      const { uid } = organizations.createOrganization('fresh');
      freshKey = organizations.createKey(uid, { name: 'studio' });
      const variables = [{ name: 'who', type: 'text' as const, value: 'you' }];
      publish('hello', { name: 'Hello', variables, layers: [textLayer('Hello {{who}}')] });
      publish('fatal', { name: 'Fatal', layers: [textLayer('Hello')] });
      const { templateKey = '' } = templates.findPublished('fatal') ?? {};
      const of = { organizationUid: testOrganization.uid, templateUid: 'fatal', version: 1 };
      const lost = { losses: 2, cause: 'memory', lostAtMs: Date.now() } as const;
      const quarantinedAtMs = lost.lostAtMs;
      createLostRenderStore(db).save({ ...of, templateKey, ...lost, quarantinedAtMs });
    },
  );
  const { base, ...service } = await startService(t, { dataDirectory });
  const browser = await startBrowser(t);
  const open = async (hash: string, key: string = testOrganization.key) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.addInitScript(`sessionStorage.setItem('platen-studio-key', '${key}')`);
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio${hash}`);
    return { page, complaints };
  };

  t.test('a version in quarantine says so until it is released', async (t) => {
    t.equal((await service.render('fatal')).status, 503);
    const { page, complaints } = await open('#/t/fatal');
    const bar = page.getByRole('alert').filter({ hasText: 'is not rendered' });
    const reason = /Version 1 is not rendered.*ran out of memory/s;
    t.match(await bar.textContent(), reason);
    t.same(await accessibilityProblems(page), []);
    // A phone, which publishes and shares too, says it and releases the version.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByAltText('Preview of Fatal').waitFor();
    t.match(await bar.textContent(), reason);
    t.equal(await page.evaluate('document.documentElement.scrollWidth <= 390'), true);
    t.same(await accessibilityProblems(page), []);
    await bar.getByRole('button', { name: 'Release' }).press('Enter');
    await page.getByText('Links are rendered again.').waitFor();
    t.equal(await bar.count(), 0);
    // The previews of the page are rendered before it.
    const answer = await askPatiently(() => service.render('fatal'));
    t.equal(answer.status, 200, answer.body.toString('utf8', 0, 300));
    t.same(complaints, []);
  });

  t.test('the statistics are of what links were answered with', async (t) => {
    const { page, complaints } = await open('#/t/hello');
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
      const headers = { 'user-agent': userAgent };
      await service.render(`hello?who=${encodeURIComponent(who)}`, { headers });
    }
    t.equal((await service.render('hello?_scale=bogus')).status, 400);
    await show();
    const sum = page.getByRole('status').filter({ hasText: 'images' });
    t.equal(
      await sum.textContent(),
      '4 images, 3 of them drawn. Of the requests, 1 with an unfilled merge tag, 1 failed.',
    );
    const errors = 'Errors: 1 with a value, an option or an image that cannot be used.';
    t.equal(await page.getByText('Errors: ').textContent(), errors);
    const rowOf = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    const cells = await rowOf('Gmail (proxy)').getByRole('cell').allTextContents();
    t.same(cells, ['2', '2', '0']);
    t.match(await rowOf('Version 1').textContent(), 'Version 1431');
    t.same(await accessibilityProblems(page), []);
    await page.getByLabel('Period').selectOption('7 days');
    await sum.waitFor();
    await page.goto(`${base}/studio`);
    await page.getByRole('button', { name: 'Archive Hello' }).press('Enter');
    const last = page.getByRole('dialog').locator('p', { has: page.locator('time') });
    const words =
      /^A link last showed an image just now, \w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M\.$/u;
    t.match(await last.textContent(), words);
    t.same(complaints, []);
  });

  t.test('an organization without templates begins with a sample', async (t) => {
    const { page, complaints } = await open('', freshKey);
    await page.getByText('No templates yet').waitFor();
    await page.getByRole('button', { name: 'Begin your first template' }).click();
    const samples = page.getByRole('region', { name: 'Designs' });
    await samples.locator('img').nth(5).waitFor();
    t.equal(await page.getByRole('button', { name: 'Yours' }).count(), 0);
    await samples.getByText('Event ticket', { exact: true }).click();
    await page.locator('.canvas-sheet img').waitFor();
    const uid = new URL(page.url()).hash.slice('#/t/'.length);
    const headers = { 'X-API-Key': freshKey };
    const answer = await fetch(`${base}/v1/templates/${uid}`, { headers });
    t.match(await answer.json(), { name: 'Event ticket', version: null });
    // An empty list is answered 404.
    const others = complaints.filter((each) => !each.includes('status of 404'));
    t.same(others, []);
  });
});
