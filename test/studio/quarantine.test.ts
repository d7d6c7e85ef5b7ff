import { join } from 'node:path';
import t from 'tap';
import { askPatiently } from '../e2e/ask-patiently.ts';
import { fillDataDirectory, testOrganization, textLayer } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { createLostRenderStore } from '../../src/store/lost-render-store.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';

t.test('a version in quarantine says so until it is released', { skip: skipsPages }, async (t) => {
  const organizationUid = testOrganization.uid;
  const dataDirectory = fillDataDirectory(
    join(t.testdir(), 'data'),
    ({ db, publish, templates }) => {
      publish('fatal', { name: 'Fatal', layers: [textLayer('Hello')] });
      const { templateKey = '' } = templates.findPublished('fatal') ?? {};
      const atMs = Date.now();
      createLostRenderStore(db).save({
        organizationUid,
        templateUid: 'fatal',
        version: 1,
        templateKey,
        losses: 2,
        lostAtMs: atMs,
        cause: 'memory',
        quarantinedAtMs: atMs,
      });
    },
  );
  const { base, ...service } = await startService(t, { dataDirectory });
  t.equal((await service.render('fatal')).status, 503);
  const browser = await startBrowser(t);
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const complaints = watchPage(page, base);
  await page.addInitScript(
    `sessionStorage.setItem('platen-studio-key', '${testOrganization.key}')`,
  );
  await page.goto(`${base}/studio#/t/fatal`);
  const bar = page.getByRole('alert').filter({ hasText: 'is not rendered' });
  await bar.waitFor();
  t.match(await bar.textContent(), /Version 1 is not rendered.*ran out of memory/s);
  t.same(await accessibilityProblems(page), []);

  // A phone, which publishes and shares too, says it and releases the version.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByAltText('Preview of Fatal').waitFor();
  await bar.waitFor();
  t.match(await bar.textContent(), /Version 1 is not rendered.*ran out of memory/s);
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= 390'), true);
  t.same(await accessibilityProblems(page), []);
  await bar.getByRole('button', { name: 'Release' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Links are rendered again.').waitFor();
  t.equal(await bar.count(), 0);
  // The previews of the page are rendered before it.
  const answer = await askPatiently(() => service.render('fatal'));
  t.equal(answer.status, 200, answer.body.toString('utf8', 0, 300));
  t.same(complaints, []);
});
