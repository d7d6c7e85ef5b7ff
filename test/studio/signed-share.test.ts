import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { TemplateDocument } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import {
  accessibilityProblems,
  publicHost,
  skipsPages,
  startBrowser,
  watchPage,
} from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const card: TemplateDocument = {
  format: 1,
  name: 'Card',
  width: 300,
  height: 120,
  background: '#ffffff',
  variables: [{ name: 'name', type: 'text', value: 'Ann' }],
  layers: [{ id: 'bar', type: 'rect', x: 10, y: 60, width: 200, height: 20, fill: '#d64933' }],
};

t.test('a template that asks for it gets a signed link', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const context = await studioContext(await startBrowser(t));
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  await client.createTemplate({ ...card, linkAuth: 'signed' }, { uid: 'sealed' });
  await client.publishTemplate('sealed');
  await page.goto(`${base}/studio#/t/sealed`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  const setting = page.getByText('PLATEN_PUBLIC_URL');
  await page.getByText('For the people who run this service').waitFor();
  t.notOk(await setting.isVisible(), 'the setting is for operators');
  await page.getByText('For the people who run this service').click();
  await setting.waitFor();
  await page.getByRole('button', { name: 'Make a signing key' }).click();
  await page.selectOption('.signing-fields select', '7');
  const code = page.locator('.copy-text code', { hasText: '_expires=' }).first();
  const link = (await code.textContent()) ?? '';
  t.same(await accessibilityProblems(page), [], 'the signature');
  t.match(link, /_expires=\d+&_signature=[\da-f]{64}$/);
  const statuses = await Promise.all(
    [link, link.replace('_expires=', '_expires=9')].map(async (url) => {
      const answer = await fetch(url);
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  t.same(statuses, [200, 401], 'another end breaks the signature');
  await client.updateTemplate('sealed', card);
  await client.publishTemplate('sealed');
  await page.reload();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.click('[aria-label="Roll back to version 1"]');
  const access = page.locator('[data-version="1"] [role="alert"]');
  t.match(await access.textContent(), /from everybody who has a link to signed links only/);
  t.same(await accessibilityProblems(page), [], 'the question');
  t.same(complaints, []);
  await page.close();
});

t.test(
  'a version with weaker access is not published before that is read',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const page = await (await studioContext(await startBrowser(t))).newPage();
    const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
    await client.createTemplate(card, { uid: 'unsealed' });
    await client.publishTemplate('unsealed');
    await client.updateTemplate('unsealed', { ...card, linkAuth: 'signed' });
    await page.goto(`${base}/studio#/t/unsealed`);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.locator('.change-list:has-text("Access")').waitFor();
    t.match(await page.textContent('.change-list'), /Access\s*Anyone\s*→\s*Signed links/);
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    const box = await dialog.boundingBox();
    await dialog.getByRole('button', { name: 'Versions' }).click();
    t.same(await dialog.boundingBox(), box, 'the tabs stay under the pointer');
    await client.publishTemplate('unsealed');
    await page.goto('about:blank');
    await page.route('**/document?version=1', (route) => route.abort());
    await page.goto(`${base}/studio#/t/unsealed`);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Roll back to version 1' }).focus();
    await page.keyboard.press('Enter');
    const actions = page.locator('[data-version="1"] .version-actions');
    const publish = actions.getByRole('button', { name: 'Publish version 1 again' });
    await actions.getByText('What changes cannot be read').waitFor();
    t.equal(await publish.isDisabled(), true);
    t.same(await accessibilityProblems(page), [], 'the failure');

    await page.unroute('**/document?version=1');
    const { promise: isRead, resolve: letRead } = Promise.withResolvers<void>();
    await page.route('**/document?version=1', async (route) => {
      await isRead;
      await route.continue();
    });
    await actions.getByRole('button', { name: 'Read again' }).focus();
    await page.keyboard.press('Enter');
    await actions.getByText('Comparing it with the published version').waitFor();
    t.equal(await publish.isDisabled(), true);
    letRead();
    const access = actions.locator('p').first();
    await access.getByText('becomes weaker').waitFor();
    t.equal(
      await access.textContent(),
      'Access becomes weaker: it changes from signed links only to everybody who has a link.',
    );
    t.same(await accessibilityProblems(page), [], 'the question');
    await publish.focus();
    await page.keyboard.press('Enter');
    await page.locator('.news').getByText('Version 3 is public').waitFor();
    t.match(await client.getTemplate('unsealed'), { version: 3 });
    await page.close();
  },
);

t.test('a failed signature is reported while it is wanted', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  await client.createTemplate({ ...card, linkAuth: 'signed' }, { uid: 'plain-http' });
  await client.publishTemplate('plain-http');
  // Browsers sign only in pages with TLS or of this machine.
  await page.goto(`${base.replace('127.0.0.1', publicHost)}/studio#/t/plain-http`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  const key = page.getByLabel('Signing key', { exact: true });
  await key.fill('a-key');
  await page.locator('.signing > [role="alert"]').waitFor();
  await key.fill('');
  await page.locator('.signing > [role="alert"]').waitFor({ state: 'detached' });
  await page.close();
});
