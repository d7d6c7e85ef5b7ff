/** What the campaign page shows of runs that do not end well. */
import { join } from 'node:path';
import t from 'tap';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { startService } from './service.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveDraft }) => {
  publish('sealed', {
    name: 'Sealed',
    linkAuth: 'signed',
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('Hello {{name}}')],
  });
  publish('strict', {
    name: 'Strict',
    variables: [textVariable('name', 'friend', { maxLength: 10 })],
    layers: [textLayer('Hello {{name}}')],
  });
  saveDraft('draft', { name: 'Draft' });
});

t.setTimeout(180_000);

const key = { 'X-API-Key': testOrganization.key };

t.test('campaigns that do not end well say why', { skip: skipsPages }, async (t) => {
  const { base, ...service } = await startService(t, { dataDirectory });
  const browser = await startBrowser(t);
  const page = await browser.newPage({ viewport: { width: 768, height: 1024 } });
  const complaints = watchPage(page, base);
  await page.addInitScript(
    `sessionStorage.setItem('platen-studio-key', '${testOrganization.key}')`,
  );

  await t.test('a template without a published version is to be published first', async (t) => {
    await page.goto(`${base}/studio#/t/draft/campaign`);
    const hint = page.getByText('has no published version');
    await hint.waitFor();
    t.equal(await page.locator('.drop-list input').isDisabled(), true);
    await page.goto(`${base}/studio#/c/cmp_00000000000000000000`);
    await page.getByText('This organization has no such campaign.').waitFor();
  });

  await t.test('a file that comes before the templates is not ignored in silence', async (t) => {
    const held = Promise.withResolvers<void>();
    const isList = (url: URL): boolean => url.pathname === '/v1/templates';
    await page.route(isList, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${base}/studio#/t/sealed/campaign`);
    const field = page.locator('.drop-list');
    await field.getByText('Reading the templates …').waitFor();
    const chosen = page.locator('.template-field option:checked');
    t.equal(await chosen.textContent(), 'sealed');
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['email,name'], 'early.csv'));
      return transfer;
    })()`);
    await page.dispatchEvent('.drop-list', 'drop', { dataTransfer });
    await field.getByRole('alert').getByText('The file was not taken.').waitFor();
    t.same(await accessibilityProblems(page), []);
    held.resolve();
    await field.getByText('Drop a list here, or choose a file').waitFor();
    await field.getByRole('alert').waitFor({ state: 'detached' });
    t.equal(await chosen.textContent(), 'Sealed');
    await page.unroute(isList);
  });

  await t.test('a running proof is canceled, and what it found remains', async (t) => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `${row}@example.com,Name ${row}`);
    for (let row = 0; row < 60; row += 1) rows[row] = `${row}@example.com,{{first_name}}`;
    await page.goto(`${base}/studio#/t/sealed/campaign`);
    await page.setInputFiles('.drop-list input:enabled', {
      name: 'many.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['email,name', ...rows].join('\n')),
    });
    await page.getByRole('progressbar', { name: 'Rows that are done' }).waitFor();
    await page.locator('.proof .verdict', { hasText: 'So far: ' }).waitFor();
    await page.getByLabel('Rows with problems').getByText('Merge tag left').first().waitFor();
    t.same(await accessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const canceled = page.locator('.proof[data-state="canceled"] .verdict');
    await canceled.waitFor();
    t.match(await canceled.textContent(), /^Canceled after [\d,]+ of 60,000 rows\.$/);
  });

  await t.test('many rows with problems are shown page by page', async (t) => {
    const rows = page.locator('.problem-table tbody tr');
    const shown = async (first: number): Promise<number> => {
      await page.getByRole('button', { name: `Show row ${first}`, exact: true }).waitFor();
      return rows.count();
    };
    t.equal(await shown(1), 25);
    const list = page.locator('.problem-list');
    const next = page.getByRole('button', { name: 'Next rows' });
    const held = Promise.withResolvers<void>();
    const isPage = ({ pathname }: URL): boolean => pathname.endsWith('/rows');
    await page.route(isPage, async (route) => {
      await held.promise;
      await route.continue();
    });
    await next.press('Enter');
    await next.press('Enter');
    t.equal(await list.getAttribute('aria-busy'), 'true');
    t.equal(await next.getAttribute('aria-disabled'), 'true', 'one page at a time');
    held.resolve();
    t.equal(await shown(26), 25);
    t.equal(await list.getAttribute('aria-busy'), 'false');
    t.equal(await page.locator('button:focus', { hasText: 'Next rows' }).count(), 1);
    await page.unroute(isPage);
    await page.getByRole('button', { name: 'Show row 30', exact: true }).press('Enter');
    await page.getByAltText('Row 30 as it is drawn').waitFor();
    await page.getByRole('button', { name: 'Next rows' }).click();
    t.equal(await shown(51), 10);
    t.equal(await page.getByRole('button', { name: 'Next rows' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Previous rows' }).click();
    t.equal(await shown(26), 25);
  });

  await t.test('links that cannot be made say why', async (t) => {
    await page.getByRole('button', { name: 'Get links' }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'The links were not made.' });
    await failure.waitFor();
    t.match(await failure.textContent(), 'has no signing key');
  });

  await t.test('a program sees the same as the page', async (t) => {
    const listed = await service.get('/v1/campaigns', { headers: key, agent: false });
    const { campaigns } = listed.json() as { campaigns: { id: string }[] };
    t.match(campaigns, [
      { name: 'many.csv', mode: 'links', state: 'failed', verdict: /^[\d,]+ fine, 60 need you\.$/ },
    ]);
    const one = await service.get(`/v1/campaigns/${campaigns[0]?.id ?? ''}`, {
      headers: key,
      agent: false,
    });
    t.match(one.json(), {
      first_rows: [
        ['0@example.com', '{{first_name}}'],
        ['1@example.com', '{{first_name}}'],
      ],
    });
  });
  await t.test('rows without a link, and links that are refused, are counted', async (t) => {
    await page.goto(`${base}/studio#/t/strict/campaign`);
    await page.setInputFiles('.drop-list input:enabled', {
      name: 'strict.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email,name\na@b.c,Ann\nd@e.f,Bartholomew II\ng@h.i\nj@k.l,Bo\n'),
    });
    await page.locator('.proof[data-state="finished"] .verdict').waitFor();
    const refused = page.getByRole('complementary', { name: 'Image of row 2' });
    await refused.getByText('This row has no image:').waitFor();
    t.match(await refused.textContent(), /"name" .*10/);
    await page.getByRole('button', { name: 'Show row 3' }).click();
    await page.getByText('A row that cannot be read has no image.').waitFor();
    await page.getByRole('button', { name: 'Get links' }).click();
    const made = page.locator('.links [role="status"]');
    await made.waitFor();
    t.equal(
      await made.textContent(),
      '3 links of version 1. One row has none: it cannot be read, or has more than a link holds. One link has a value that is refused: the proof names the row.',
    );
  });
  t.same(
    complaints.filter((each) => !each.includes('status of 404')),
    [],
    'the image of a row that is refused is not asked for',
  );
});
