/** From a list to a copied snippet, as a marketer does it in the studio, and runs that do not end well. */
import { join } from 'node:path';
import t from 'tap';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { choose, chooseSheet, download, drop, hold, widthOf } from './campaign-page.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { request } from './request.ts';
import { eventually, startService } from './service.ts';
import { publishDraft } from '../studio/studio-page.ts';

/** As Excel writes it in Germany: Windows-1252 and semicolons. 180 rows fit, those behind them do not. */
const customers = Buffer.from(
  [
    'E-Mail;Kosename;Ort',
    ...Array.from({ length: 180 }, (_, row) => `fine${row}@example.com;Zoé;München`),
    'tag@example.com;{{first_name}};Berlin',
    'long@example.com;Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh;Köln',
    'fine0@example.com;Zoé;Ulm',
    'empty@example.com;;Bonn',
    'short@example.com;Ann',
  ].join('\r\n'),
  'latin1',
);
const members = join(import.meta.dirname, '../mailings/lists/fixtures/members.xlsx');

t.setTimeout(240_000);

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveDraft }) => {
  const line = { x: 30, y: 30, width: 400, height: 60, fontSize: 40 };
  publish('greeting', {
    name: 'Greeting',
    width: 600,
    height: 200,
    background: '#fff4e6',
    sizes: [{ name: 'square', width: 400, height: 400 }],
    variables: [textVariable('name', 'friend'), textVariable('city', 'home')],
    layers: [
      textLayer('Hello {{name}}', { ...line, overflow: 'ellipsis', maxLines: 1 }),
      textLayer('News from {{city}}', { ...line, id: 'city', y: 110, width: 540, fontSize: 28 }),
    ],
  });
  const layers = [textLayer('Hello {{name}}')];
  const variables = [textVariable('name', 'friend', { maxLength: 10 })];
  publish('sealed', { name: 'Sealed', linkAuth: 'signed', variables, layers });
  publish('strict', { name: 'Strict', variables, layers });
  saveDraft('draft', { name: 'Draft' });
});

t.test('a list becomes links in an email', { skip: skipsPages }, async (t) => {
  const environment = { PLATEN_PUBLIC_URL: '' };
  const { base, port, ...service } = await startService(t, { dataDirectory, environment });
  const browser = await startBrowser(t);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  await context.addInitScript(
    `sessionStorage.setItem('platen-studio-key', '${testOrganization.key}')`,
  );
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const verdict = page.locator('.proof[data-state="finished"] .verdict');
  const isAccessible = async () => t.same(await accessibilityProblems(page), []);
  const press = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  await t.test('the page is reached from the gallery and from a template', async (t) => {
    await page.goto(`${base}/studio`);
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    // A kept address leads to the page too.
    await page.reload();
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    t.equal(await page.locator('.drop-list input').isDisabled(), true, 'a template comes first');
    await page.goto(`${base}/studio#/t/greeting`);
    await page.getByRole('link', { name: 'Campaign' }).click();
    await page.locator('.template-field select').selectOption({ label: 'Greeting' });
  });

  await t.test('a dropped list shows how it was read, and its proof appears', async (t) => {
    await choose(page, 'broken.csv', 'email,name\na@example.com,"never closed\n');
    t.match(await page.getByRole('alert').textContent(), /line 2/, 'a broken list is refused');
    await drop(page, 'kunden.csv', customers);
    await page.getByRole('heading', { name: 'kunden.csv' }).waitFor();
    const facts = page.locator('.list-facts');
    t.match(await facts.textContent(), /Windows-1252.*Semicolon.*Columns3.*E-Mail/);
    t.match(await page.getByLabel('First rows of the list').textContent(), 'fine0@example.comZoé');
    await verdict.waitFor();
    // "Kosename" is no known word for a name: the proposal has the city alone.
    t.equal(await page.getByLabel('Variable of the column Kosename').inputValue(), '');
    t.equal(await page.getByLabel('Variable of the column Ort').inputValue(), 'city');
    t.match(await page.textContent('.campaigns'), /drawn with its default in all rows: name/);
  });

  await t.test('another encoding reads the same file again', async (t) => {
    for (const [encoding, word] of [
      ['1251', 'Zoй'],
      ['1252', 'Zoé'],
    ] as const) {
      await page.getByText('Read it in another way').click();
      await page.getByLabel('Encoding').selectOption(`windows-${encoding}`);
      await press('Read the list again');
      await page.locator('.list-facts', { hasText: `Windows-${encoding}` }).waitFor();
      t.match(await page.getByLabel('First rows of the list').textContent(), word);
    }
    const headers = { 'X-API-Key': testOrganization.key };
    const isAlone = async (): Promise<boolean> =>
      (await service.get('/v1/campaigns', { headers, agent: false })).text.includes('"total":1');
    t.ok(await eventually(isAlone), 'the campaigns before it are deleted');
  });

  await t.test('the changed mapping is proved, and the verdict names the faults', async (t) => {
    await page.getByLabel('Variable of the column Kosename').selectOption('name');
    await press('Prove with these columns');
    await verdict.filter({ hasText: 'falls back' }).waitFor();
    t.equal(await verdict.textContent(), '180 fine, 1 falls back to a default, 4 need you.');
    const filters = page.getByRole('group', { name: 'Which rows' });
    t.match(await filters.textContent(), /Cannot be read 1/);
    const table = page.getByLabel('Rows with problems');
    await table.getByRole('button', { name: 'Show row 181' }).waitFor();
    t.equal(await table.locator('tr[data-chosen]').count(), 5);
    await isAccessible();
    await filters.getByRole('button', { name: 'Text cut' }).click();
    await table.getByText('Duplicate').waitFor({ state: 'detached' });
    t.match(await table.textContent(), /182.*Text cut.*Featherstonehaugh/s);
    const image = page.getByAltText('Row 182 as it is drawn');
    await image.waitFor();
    t.equal(await widthOf(image), 1200, 'twice its width in the email');
    const sheet = page.getByAltText('Rows of the list as they are drawn');
    await sheet.waitFor();
    t.ok((await widthOf(sheet)) > 600);
  });

  await t.test('a template that is corrected in the editor is proved again', async (t) => {
    await press('Open in the editor');
    await page.locator('.canvas-sheet img').waitFor();
    t.match(await page.textContent('.values-note'), '2 sample values');
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.getByText('Hello {{name}}').first().click();
    await page.getByLabel('Overflow', { exact: true }).selectOption('shrink');
    await page.locator('.save-note[data-state="saved"]').waitFor();
    await press('Publish');
    await publishDraft(page);
    await page.locator('.news', { hasText: 'Version 2 is public' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Campaign' }).click();
    await page.getByText('Version 2 is public: prove the list again with it.').waitFor();
    await press('Prove again');
    await page.getByText('Proved with version 2').waitFor();
    await verdict.waitFor();
    t.notMatch(await page.textContent('.problem-filters'), 'Text cut');
  });

  let shortLink = '';
  await t.test('the list is downloaded with links, whose answers are shown', async (t) => {
    await page.getByRole('checkbox', { name: 'Short links' }).check();
    await press('Get links');
    const text = String(await download(page, 'links.csv', 'kunden-links.csv'));
    const [head = '', first = ''] = text.replace('\uFEFF', '').split('\r\n');
    t.equal(head, 'E-Mail;Kosename;Ort;platen_url;platen_alt');
    const [, , city, url = '', alt] = first.split(';');
    t.same([city, alt], ['München', 'Hello Zoé, News from München']);
    t.match(url, new RegExp(`^${base}/r/\\w{20}\\.png$`));
    shortLink = new URL(url).pathname;
    const after = page.locator('[aria-labelledby="after-title"]');
    await after.getByText('No link of this template was opened yet.').waitFor();
    const answer = await request(port, shortLink, { agent: false });
    t.equal(answer.body.readUInt32BE(16), 1200, 'twice the pixels of the email');
    // A page that is looked at again says so.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await after.getByText('1 image, 1 of them drawn. Nothing failed.').waitFor();
  });

  await t.test('the snippet of an email service is copied', async (t) => {
    await page.getByLabel('Email service').selectOption('Mailchimp');
    await page.getByLabel('A click opens').fill('https://shop.example/');
    t.match(await page.textContent('.import-steps'), /field of type Website.*\*\|PLATEN_URL\|\*/s);
    await press('Copy HTML');
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    t.match(copied, '<a href="https://shop.example/"');
    t.match(copied, /src="\*\|PLATEN_URL\|\*".*width="600" height="200" alt="\*\|PLATEN_ALT\|\*"/s);
  });

  await t.test('another size is proved, made before sending, and as files', async (t) => {
    await page.getByLabel('Size').selectOption('square');
    t.equal(await page.getByLabel('Pixels').inputValue(), '0', 'as the email needs');
    await press('Prove this image');
    const image = page.getByAltText('Row 181 as it is drawn');
    await verdict.waitFor();
    t.ok(await eventually(async () => (await widthOf(image)) === 800), 'twice its width');
    await page.getByText('The links show another size').waitFor();
    await press('Make the images');
    await page.getByText('184 of 185 warm').waitFor();
    const warm = page.locator('[aria-labelledby="warm-title"]');
    t.match(await warm.textContent(), /KB on the disk, version 2.*1 that cannot be read/);
    await page.getByLabel('Name of each file').fill('{{row}}-{{Ort}}');
    await press('Make the files');
    const archive = await download(page, 'files.zip', 'kunden-files.zip');
    t.match(archive.toString('latin1'), /^PK.*1-M/s);
    await isAccessible();
  });

  await t.test('on a narrow window nothing is wider, and a campaign is deleted', async (t) => {
    await page.setViewportSize({ width: 768, height: 1024 });
    await page.goto(`${base}/studio#/t/greeting/campaign`);
    await page.locator('.campaign-list a', { hasText: 'kunden.csv' }).waitFor();
    await page.setInputFiles('.drop-list input:enabled', members);
    await chooseSheet(page, 'members.xlsx', 'Mitglieder 2026');
    await verdict.waitFor();
    t.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    await isAccessible();
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await press('Delete kunden.csv');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Delete its short links too' }).check();
    await isAccessible();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.campaign-list li:only-child').waitFor();
    t.notMatch(await page.textContent('.campaign-list'), 'kunden.csv');
    t.equal((await request(port, shortLink, { agent: false })).status, 404);
    t.equal(await page.evaluate('JSON.stringify(localStorage)'), '{}');
  });

  await t.test('what is not there yet is said, and a file before it is not taken', async (t) => {
    await page.goto(`${base}/studio#/t/draft/campaign`);
    await page.getByText('has no published version').waitFor();
    t.equal(await page.locator('.drop-list input').isDisabled(), true);
    await page.goto(`${base}/studio#/c/cmp_00000000000000000000`);
    await page.getByText('This organization has no such campaign.').waitFor();
    const release = await hold(page, ({ pathname }) => pathname === '/v1/templates');
    await page.goto(`${base}/studio#/t/sealed/campaign`);
    await page.reload();
    const field = page.locator('.drop-list');
    await field.getByText('Reading the templates …').waitFor();
    await drop(page, 'early.csv', Buffer.from('email,name'));
    await field.getByRole('alert').getByText('The file was not taken.').waitFor();
    release();
    await field.getByText('Drop a list here, or choose a file').waitFor();
    await field.getByRole('alert').waitFor({ state: 'detached' });
    t.equal(await page.locator('.template-field option:checked').textContent(), 'Sealed');
  });

  await t.test('a running proof is canceled, and its rows are shown page by page', async (t) => {
    const rows = Array.from({ length: 60_000 }, (_, row) =>
      row < 60 ? `${row}@example.com,{{first_name}}` : `${row}@example.com,Name ${row}`,
    );
    await choose(page, 'many.csv', ['email,name', ...rows].join('\n'));
    await page.getByRole('progressbar', { name: 'Rows that are done' }).waitFor();
    await page.locator('.proof .verdict', { hasText: 'So far: ' }).waitFor();
    await page.getByLabel('Rows with problems').getByText('Merge tag left').first().waitFor();
    await press('Cancel');
    const canceled = page.locator('.proof[data-state="canceled"] .verdict');
    t.match(await canceled.textContent(), /^Canceled after [\d,]+ of 60,000 rows\.$/);
    const shown = async (first: number): Promise<number> => {
      await page.getByRole('button', { name: `Show row ${first}`, exact: true }).waitFor();
      return page.locator('.problem-table tr[data-chosen]').count();
    };
    t.equal(await shown(1), 25);
    const next = page.getByRole('button', { name: 'Next rows' });
    const release = await hold(page, ({ pathname }) => pathname.endsWith('/rows'));
    await next.press('Enter');
    await next.press('Enter');
    t.equal(await next.getAttribute('aria-disabled'), 'true', 'one page at a time');
    release();
    t.equal(await shown(26), 25);
    t.equal(await page.locator('button:focus', { hasText: 'Next rows' }).count(), 1);
    await page.getByRole('button', { name: 'Show row 30', exact: true }).press('Enter');
    await page.getByAltText('Row 30 as it is drawn').waitFor();
    await next.click();
    t.equal(await shown(51), 10);
    t.equal(await next.isDisabled(), true);
    await press('Previous rows');
    t.equal(await shown(26), 25);
  });

  await t.test('links that cannot be made, or are refused, say why', async (t) => {
    await press('Get links');
    const failure = page.getByRole('alert').filter({ hasText: 'The links were not made.' });
    t.match(await failure.textContent(), 'has no signing key');
    await page.goto(`${base}/studio#/t/strict/campaign`);
    const rows = 'a@b.de,Ann\nd@e.fr,Bartholomew II\ng@h.it\nj@k.li,Bo\n';
    await choose(page, 'strict.csv', `email,name\n${rows}`);
    await verdict.waitFor();
    const refused = page.getByRole('complementary', { name: 'Image of row 2' });
    await refused.getByText('This row has no image:').waitFor();
    t.match(await refused.textContent(), /"name" .*10/);
    await press('Show row 3');
    await page.getByText('A row that cannot be read has no image.').waitFor();
    await press('Get links');
    const made = await page.locator('.links [role="status"]').textContent();
    t.match(made, /^3 links of version 1\. One row has none: .* One link has a value that is ref/);
  });
  // A broken list is refused with 400. The page may still ask for a campaign that it deletes: 404.
  t.same(
    complaints.filter((each) => !/status of 40[04] .*\/v1\/campaigns|status of 404/.test(each)),
    [],
    'the image of a row that is refused is not asked for',
  );
});
