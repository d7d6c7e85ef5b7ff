import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { createOrganizationStore } from '../../src/store/organizations/organization-store.ts';
import { plainImage } from '../e2e/image-bytes.ts';
import { demoKey, startService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';

const card = {
  format: 1,
  name: 'Card',
  width: 300,
  height: 120,
  background: '#ffffff',
  variables: [{ name: 'name', type: 'text', value: 'Ann' }],
  layers: [
    {
      id: 'title',
      name: 'Title',
      type: 'text',
      x: 10,
      y: 10,
      width: 120,
      height: 30,
      text: '{{name}}',
      fontSize: 24,
      overflow: 'ellipsis',
      maxLines: 1,
    },
    { id: 'bar', type: 'rect', x: 10, y: 60, width: 200, height: 20, fill: '#d64933' },
  ],
};

const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };

t.test('gallery, sample data and publishing in a browser', { skip: skipsPages }, async (t) => {
  const dataDirectory = join(t.testdir(), 'data');
  const { base } = await startService(t, { dataDirectory });
  const browser = await startBrowser(t);
  // The judge of accessibility is no part of the page: its policy would refuse it.
  const context = await browser.newContext({
    bypassCSP: true,
    viewport: { width: 1280, height: 720 },
  });
  await context.addInitScript(
    `sessionStorage.setItem('platen-studio-key', ${JSON.stringify(demoKey)})`,
  );

  async function call(method: string, path: string, body: unknown = {}): Promise<unknown> {
    const init = method === 'GET' ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${base}/v1/templates${path}`, { method, headers, ...init });
    t.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return answer.json();
  }

  async function open(hash: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio${hash}`);
    return { page, complaints };
  }

  t.test('templates are found, copied, renamed, archived and restored', async (t) => {
    const { page, complaints } = await open('');
    /** What can be done with a template shows when the pointer is on its card. */
    const act = async (doing: string, name: string): Promise<void> => {
      await page.hover(`.template-card:has(h2:text-is("${name}"))`);
      await page.click(`[aria-label="${doing} ${name}"]`);
    };
    await page.waitForSelector('.template-card:nth-child(6) img');
    t.same(await accessibilityProblems(page), []);
    await page.fill('input[type="search"]', 'event');
    t.equal(await page.locator('.template-card').count(), 1);
    await page.fill('input[type="search"]', '');
    await page.waitForSelector('[data-uid="hello"] .card-facts:has-text("400 × 200")');

    await act('Duplicate', 'Hello');
    await act('Rename', 'Hello 2');
    await page.keyboard.type('Howdy');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h2:text-is("Howdy")');
    const uid =
      (await page.getAttribute('.template-card:has(h2:text-is("Howdy"))', 'data-uid')) ?? '';
    t.match(await call('GET', `/${uid}/document`), { name: 'Howdy', width: 400 });

    await act('Archive', 'Howdy');
    await page.locator('.notice', { hasText: 'Archived' }).getByText('Undo').click();
    await page.waitForSelector('h2:text-is("Howdy")');
    await act('Archive', 'Howdy');
    await page.waitForSelector('h2:text-is("Howdy")', { state: 'detached' });
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await act('Restore', 'Howdy');
    await page.waitForSelector('.gallery-empty');
    await page.getByRole('button', { name: 'In use', exact: true }).click();
    await page.waitForSelector('h2:text-is("Howdy")');

    await call('POST', `/${uid}/publish`);
    await page.reload();
    await act('Archive', 'Howdy');
    const question = page.getByRole('dialog', { name: 'Archive Howdy?' });
    await question.getByText('No link has shown an image yet.').waitFor();
    t.match(await question.textContent(), 'stop showing an image at once, also in emails');
    t.same(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Cancel' }).click();
    t.match(await call('GET', `/${uid}`), { version: 1 });
    await act('Archive', 'Howdy');
    await question.getByRole('button', { name: 'Archive' }).click();
    await page.waitForSelector('h2:text-is("Howdy")', { state: 'detached' });
    t.same(complaints, []);
    await page.close();
  });

  t.test('an image becomes the background of a template of its size', async (t) => {
    const { page, complaints } = await open('');
    await page.getByRole('button', { name: 'New template' }).click();
    await page.waitForSelector('.design img');
    t.same(await accessibilityProblems(page), []);
    const buffer = await plainImage('#336699', 320, 200);
    await page.setInputFiles('.drop-zone input:enabled', {
      name: 'summer_sale.png',
      mimeType: 'image/png',
      buffer,
    });
    await page.waitForURL(/#\/t\//);
    await page.waitForSelector('.samples[aria-busy="false"]');
    const uid = new URL(page.url()).hash.slice('#/t/'.length);
    t.match(await call('GET', `/${uid}/document`), {
      name: 'summer sale',
      width: 320,
      height: 200,
      layers: [{ type: 'image', locked: true, width: 320, height: 200, src: /^asset:/ }],
    });
    t.same(complaints, []);
    await page.close();
  });

  t.test(
    'an organization without templates begins with a sample, drawn by the service',
    async (t) => {
      const db = openDatabase(join(dataDirectory, 'platen.db'));
      const organizations = createOrganizationStore(db);
      const { uid: fresh } = organizations.createOrganization('fresh');
      const key = organizations.createKey(fresh, { name: 'studio' });
      db.close();
      const page = await browser.newPage();
      const complaints = watchPage(page, base);
      await page.addInitScript(`sessionStorage.setItem('platen-studio-key', '${key}')`);
      await page.goto(`${base}/studio`);
      await page.getByText('No templates yet').waitFor();
      await page.getByRole('button', { name: 'Begin your first template' }).click();
      const samples = page.getByRole('region', { name: 'Designs' });
      await samples.locator('img').nth(5).waitFor();
      t.equal(await page.getByRole('button', { name: 'Yours' }).count(), 0);
      await samples.getByText('Event ticket', { exact: true }).click();
      await page.locator('.canvas-sheet img').waitFor();
      const uid = new URL(page.url()).hash.slice('#/t/'.length);
      const answer = await fetch(`${base}/v1/templates/${uid}`, { headers: { 'X-API-Key': key } });
      t.match(await answer.json(), { name: 'Event ticket', version: null });
      // An empty list is answered 404.
      t.same(
        complaints.filter((each) => !each.includes('status of 404')),
        [],
      );
      await page.close();
    },
  );

  t.test('every set of sample values is drawn, and warns of the layer it breaks', async (t) => {
    await call('POST', '?uid=sampled', card);
    const { page, complaints } = await open('#/t/sampled');
    const longest = page.locator('[data-preset="longest"]');
    await longest.locator('.preset-warning').waitFor();
    t.match(await longest.textContent(), 'Does not fit at “Maximilian Alexander”');
    t.equal(await page.locator('[data-preset="defaults"] .preset-warning').count(), 0);
    await longest.locator('.preset-warning').click();
    t.equal(await longest.locator('.preset-pick').getAttribute('aria-pressed'), 'true');
    await page.waitForSelector('.samples-warnings :text("Title: does not fit")');
    await page.waitForSelector('[aria-selected="true"]:has-text("Title")');
    t.same(complaints, []);
    await page.close();
  });

  t.test('what has changed is compared, published, shared and rolled back', async (t) => {
    await call('POST', '?uid=shared', card);
    await call('POST', '/shared/publish');
    const [title, bar] = card.layers;
    await call('PUT', '/shared', { ...card, layers: [title, { ...bar, fill: '#20639b' }] });
    const { page, complaints } = await open('#/t/shared');
    await page.waitForSelector('.samples[aria-busy="false"]');
    await page.waitForSelector('.version:has-text("Version 1 · 1 unpublished change")');
    const others = await page
      .locator('.preset ~ .preset')
      .evaluateAll((cards) => cards.map((each) => each.matches('[data-warned="true"]')));
    t.same(
      others,
      others.toSorted((a, b) => Number(b) - Number(a)),
      'warned first',
    );
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    // 200 by 20 of 300 by 120.
    await page.waitForSelector('.comparison-head :text("11 % of the image differs")');
    t.match(await page.textContent('.change-list'), /Changed\s*bar\s*Fill\s*#d64933\s*→\s*#20639b/);
    t.same(await accessibilityProblems(page), []);
    await page.fill('.publish-form textarea', 'A blue bar');
    t.match(await page.textContent('.publish-warnings'), /Title: does not fit.*: Longest likely/);
    const wide = page.locator('.publish-dialog');
    t.equal(await wide.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth), 0);
    await page.click('.publish-form .primary');
    await page.getByText(/Publish although \d+ sets of sample data have warnings/).waitFor();
    t.match(await call('GET', '/shared'), { version: 1 }, 'it asks once');
    await page.getByRole('button', { name: 'Publish all the same' }).click();

    await page.waitForSelector('.share-code img');
    t.match(await page.textContent('.news'), 'Version 2 is public');
    await page.fill('.share-value textarea >> nth=0', 'Bo & Co');
    await page.waitForSelector('.share-image img');
    const link = await page.textContent('.share-main .copy-text code');
    t.equal(link, `${base}/v1/render/shared.png?name=Bo%20%26%20Co`);
    const answer = await fetch(link ?? '');
    t.equal(answer.headers.get('content-type'), 'image/png');
    await answer.arrayBuffer();
    await page.selectOption('.share-snippets select', 'mailchimp');
    t.match(await page.textContent('.share-snippets'), 'shared.png?name=*|FNAME|*');
    t.same(await accessibilityProblems(page), []);

    await page.selectOption('.share-snippets select', '');
    await page.getByLabel('Width, px').fill('200');
    await page.getByLabel('A click opens').fill('https://shop.example/');
    await page.getByLabel('Stay with version 2').check();
    await page.getByLabel('In dark mode').selectOption('name');
    await page.getByLabel('Dark value of name').fill('Moon');
    const html = (await page.textContent('.share-snippets .copy-text code')) ?? '';
    const night = await browser.newPage({ colorScheme: 'dark' });
    await night.setContent(html);
    const image = night.locator('a[href="https://shop.example/"] img');
    await image.evaluate((element: HTMLImageElement) => element.decode());
    const facts = await image.evaluate(({ currentSrc, width }: HTMLImageElement) => [
      currentSrc,
      width,
    ]);
    t.same(facts, [`${base}/v1/render/shared.png?_scale=2&_version=2&name=Moon`, 200]);
    await night.close();
    await page.selectOption('.share-snippets select', 'mailchimp');
    t.match(
      await page.textContent('.share-snippets'),
      'shared.png?_scale=2&amp;_version=2&amp;name=Moon',
    );

    await page.getByRole('button', { name: 'Versions' }).click();
    await page.waitForSelector('[data-version="1"] img');
    t.match(await page.textContent('[data-version="2"]'), 'A blue bar');
    t.same(await accessibilityProblems(page), [], 'the versions');
    await page.click('[aria-label="Roll back to version 1"]');
    await page.click('[data-version="1"] .primary');
    await page.waitForSelector('.news:has-text("Version 3 is public")');
    t.match(await call('GET', '/shared/document?version=3'), { layers: [{}, { fill: '#d64933' }] });
    await page.keyboard.press('Escape');
    await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
    const shared = page.getByRole('dialog', { name: 'Share' });
    t.equal(await shared.locator('.share-value textarea').first().inputValue(), 'Bo & Co', 'kept');
    t.same(complaints, []);
    await page.close();
  });

  t.test(
    'a draft that was never shown is not published, and messages lie over dialogs',
    async (t) => {
      await call('POST', '?uid=raced', card);
      const { page } = await open('#/t/raced');
      await page.waitForSelector('.samples[aria-busy="false"]');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const publish = page
        .getByRole('dialog')
        .getByRole('button', { name: 'Publish', exact: true });
      await publish.waitFor();
      await call('PUT', '/raced', { ...card, name: 'Theirs' });
      await publish.click();
      await page.getByRole('button', { name: 'Publish all the same' }).click();
      const keepBoth = page.getByRole('dialog').getByRole('button', { name: 'Keep both' });
      await keepBoth.waitFor();
      t.equal(await page.getByRole('dialog').count(), 1, 'the choice is all that is asked');
      t.match(await call('GET', '/raced'), { version: null, name: 'Theirs' });

      await page.route(/\/v1\/templates$/, (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      await keepBoth.click();
      const reported = page.getByRole('dialog').locator('.notice', { hasText: 'was not saved' });
      await reported.getByRole('button', { name: 'Dismiss' }).click();
      await reported.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Keep mine' }).click();
      await page.waitForSelector('.save-note[data-state="saved"]');
      t.match(await call('GET', '/raced'), { version: null, name: 'Card' });
      await page.close();
    },
  );
});
