/** From a list to a copied snippet, as a marketer does it in the studio. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import t from 'tap';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { request } from './request.ts';
import { eventually, startService } from './service.ts';
import { publishDraft } from '../studio/studio-page.ts';

/** Rows of the list: the faults below, and names that fit. */
const fineRows = 180;

const faults = [
  'tag@example.com;{{first_name}};Berlin',
  'long@example.com;Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh;Köln',
  'fine0@example.com;Zoë;Ulm',
  'empty@example.com;;Bonn',
  'short@example.com;Ann',
];

/** As Excel writes it in Germany: Windows-1252 and semicolons. */
const list = Buffer.from(
  [
    'E-Mail;Kosename;Ort',
    ...Array.from({ length: fineRows }, (_, row) => `fine${row}@example.com;Zoë;München`),
    ...faults,
  ].join('\r\n'),
  'latin1',
);

t.setTimeout(120_000);

const members = join(import.meta.dirname, '../lists/fixtures/members.xlsx');

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('greeting', {
    name: 'Greeting',
    width: 600,
    height: 200,
    background: '#fff4e6',
    sizes: [{ name: 'square', width: 400, height: 400 }],
    variables: [textVariable('name', 'friend'), textVariable('city', 'home')],
    layers: [
      textLayer('Hello {{name}}', {
        x: 30,
        y: 30,
        width: 400,
        height: 60,
        fontSize: 40,
        overflow: 'ellipsis',
        maxLines: 1,
      }),
      textLayer('News from {{city}}', { id: 'city', x: 30, y: 110, width: 540, fontSize: 28 }),
    ],
  });
});

t.test('a list becomes links in an email', { skip: skipsPages }, async (t) => {
  const { base, port, ...service } = await startService(t, {
    dataDirectory,
    environment: { PLATEN_PUBLIC_URL: '' },
  });
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
    t.same(await accessibilityProblems(page), []);
  });

  await t.test('a file that is no list is refused with what to do', async (t) => {
    await page.setInputFiles('.drop-list input:enabled', {
      name: 'broken.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email,name\na@example.com,"never closed\n'),
    });
    const problem = page.getByRole('alert');
    await problem.waitFor();
    t.match(await problem.textContent(), /line 2/);
  });

  await t.test('a dropped list shows how it was read, and its proof appears', async (t) => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob('${list.toString('base64')}'), (each) => each.charCodeAt(0));
      transfer.items.add(new File([bytes], 'kunden.csv', { type: 'text/csv' }));
      return transfer;
    })()`);
    await page.dispatchEvent('.drop-list', 'drop', { dataTransfer });
    await page.getByRole('heading', { name: 'kunden.csv' }).waitFor();
    const facts = page.locator('.list-facts');
    t.match(await facts.textContent(), /Windows-1252.*Semicolon.*Columns3.*E-Mail/);
    t.match(await page.getByLabel('First rows of the list').textContent(), 'fine0@example.comZoë');
    await verdict.waitFor();
    // "Kosename" is no known word for a name: the proposal has the city alone.
    t.equal(await page.getByLabel('Variable of the column Kosename').inputValue(), '');
    t.equal(await page.getByLabel('Variable of the column Ort').inputValue(), 'city');
    t.match(await page.textContent('.campaigns'), /drawn with its default in all rows: name/);
  });

  await t.test('another encoding reads the same file again', async (t) => {
    await page.getByText('Read it in another way').click();
    await page.getByLabel('Encoding').selectOption('windows-1251');
    await page.getByRole('button', { name: 'Read the list again' }).click();
    await page.locator('.list-facts', { hasText: 'Windows-1251' }).waitFor();
    t.match(await page.getByLabel('First rows of the list').textContent(), 'Zoл');
    await page.getByText('Read it in another way').click();
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await page.getByRole('button', { name: 'Read the list again' }).click();
    await page.locator('.list-facts', { hasText: 'Windows-1252' }).waitFor();
    const isAlone = await eventually(async () => {
      const headers = { 'X-API-Key': testOrganization.key };
      const answer = await service.get('/v1/campaigns', { headers, agent: false });
      return (answer.json() as { total: number }).total === 1;
    });
    t.ok(isAlone, 'the campaigns before it are deleted');
  });

  await t.test('the changed mapping is proved, and the verdict names the faults', async (t) => {
    await page.getByLabel('Variable of the column Kosename').selectOption('name');
    await page.getByRole('button', { name: 'Prove with these columns' }).click();
    await page
      .locator('.proof[data-state="finished"] .verdict', { hasText: 'falls back' })
      .waitFor();
    t.equal(await verdict.textContent(), '180 fine, 1 falls back to a default, 4 need you.');
    const filters = page.getByRole('group', { name: 'Which rows' });
    t.match(await filters.textContent(), /Cannot be read 1/);
    const table = page.getByLabel('Rows with problems');
    await table.getByRole('button', { name: 'Show row 181' }).waitFor();
    t.equal(await table.locator('tbody tr').count(), 5);
    t.same(await accessibilityProblems(page), []);

    await filters.getByRole('button', { name: 'Text cut' }).click();
    await page.locator('.problem-table tbody tr:only-child').waitFor();
    t.match(await table.textContent(), /182.*Text cut.*Featherstonehaugh/s);
    const image = page.getByAltText('Row 182 as it is drawn');
    await image.waitFor();
    t.equal(await widthOf(image), 1200, 'twice its width in the email');

    const sheet = page.getByAltText('Rows of the list as they are drawn');
    await sheet.waitFor();
    t.ok((await widthOf(sheet)) > 600);
  });

  await t.test('a template that is corrected in the editor is proved again', async (t) => {
    await page.getByRole('button', { name: 'Open in the editor' }).click();
    await page.locator('.values-note').waitFor();
    await page.locator('.canvas-sheet img').waitFor();
    t.match(await page.textContent('.values-note'), '2 sample values');
    await page.getByRole('tab', { name: 'Layers' }).click();
    const name = page.getByText('Hello {{name}}').first();
    await name.click();
    await page.getByLabel('Overflow', { exact: true }).selectOption('shrink');
    await page.locator('.save-note[data-state="saved"]').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await publishDraft(page);
    await page.locator('.news', { hasText: 'Version 2 is public' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Campaign' }).click();
    await page.getByText('Version 2 is public: prove the list again with it.').waitFor();
    await page.getByRole('button', { name: 'Prove again' }).click();
    await page.getByText('Proved with version 2').waitFor();
    await verdict.waitFor();
    t.notMatch(await page.textContent('.problem-filters'), 'Text cut');
  });

  let shortLink = '';
  await t.test('the list is downloaded with links, and a link is answered', async (t) => {
    await page.getByRole('checkbox', { name: 'Short links' }).check();
    await page.getByRole('button', { name: 'Get links' }).click();
    const button = page.getByRole('button', { name: 'Download links.csv' });
    await button.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    t.equal(download.suggestedFilename(), 'kunden-links.csv');
    const text = await readFile(await download.path(), 'utf8');
    const [head = '', first = ''] = text.replace('\uFEFF', '').split('\r\n');
    t.equal(head, 'E-Mail;Kosename;Ort;platen_url;platen_alt');
    const [, , city, url = '', alt] = first.split(';');
    t.equal(city, 'München');
    t.match(url, new RegExp(`^${base}/r/\\w{20}\\.png$`));
    t.equal(alt, 'Hello Zoë, News from München');
    shortLink = new URL(url).pathname;
    const answer = await request(port, shortLink, { agent: false });
    t.equal(answer.headers['content-type'], 'image/png');
    t.equal(answer.body.readUInt32BE(16), 1200, 'twice the pixels of the email');
  });

  await t.test('the snippet of an email service is copied', async (t) => {
    await page.getByLabel('Email service').selectOption('Mailchimp');
    await page.getByLabel('A click opens').fill('https://shop.example/');
    t.match(
      await page.textContent('.import-steps'),
      /audience field of type Website.*\*\|PLATEN_URL\|\*/s,
    );
    await page.getByRole('button', { name: 'Copy HTML' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    t.match(copied, '<a href="https://shop.example/"');
    t.match(copied, 'src="*|PLATEN_URL|*"');
    t.match(copied, 'width="600" height="200" alt="*|PLATEN_ALT|*"');
    t.same(await accessibilityProblems(page), []);
  });

  await t.test('another size is proved, made before sending, and as files', async (t) => {
    await page.getByLabel('Size').selectOption('square');
    t.equal(await page.getByLabel('Pixels').inputValue(), '0', 'as the email needs');
    await page.getByRole('button', { name: 'Prove this image' }).click();
    const image = page.getByAltText('Row 181 as it is drawn');
    await verdict.waitFor();
    await eventually(async () => (await widthOf(image)) === 800);
    t.equal(await widthOf(image), 800, 'twice its width in the email');
    await page.getByText('The links show another size').waitFor();

    await page.getByRole('button', { name: 'Make the images' }).click();
    await page.getByText('184 of 185 warm').waitFor();
    const warm = page.locator('[aria-labelledby="warm-title"]');
    t.match(await warm.textContent(), /KB on the disk, version 2.*1 that cannot be read/);

    await page.getByLabel('Name of each file').fill('{{row}}-{{Ort}}');
    await page.getByRole('button', { name: 'Make the files' }).click();
    const button = page.getByRole('button', { name: 'Download files.zip' });
    await button.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    t.equal(download.suggestedFilename(), 'kunden-files.zip');
    t.match(await readFile(await download.path(), 'latin1'), /^PK.*1-M/s);
    t.same(await accessibilityProblems(page), []);
  });

  await t.test('the page shows what the links were answered with', async (t) => {
    const after = page.locator('[aria-labelledby="after-title"]');
    await after.getByText('No link of this template was opened yet.').waitFor();
    // The link above was opened once; a page that is looked at again says so.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await after.getByText('1 image, 1 of them drawn. Nothing failed.').waitFor();
    t.match(await after.textContent(), /Version 2/);
  });

  await t.test(
    'a workbook of LibreOffice is read sheet by sheet, on a narrow window',
    async (t) => {
      await page.setViewportSize({ width: 768, height: 1024 });
      await page.goto(`${base}/studio#/t/greeting/campaign`);
      await page.locator('.campaign-list a', { hasText: 'kunden.csv' }).waitFor();
      await page.setInputFiles('.drop-list input:enabled', members);
      await page.getByRole('heading', { name: 'members.xlsx' }).waitFor();
      t.match(await page.textContent('.list-facts'), 'Excel (.xlsx)');
      await page.locator('.proof .verdict').waitFor();
      await verdict.waitFor();
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      t.equal(overflow, 0, 'nothing is wider than the window');
      t.same(await accessibilityProblems(page), []);
    },
  );

  await t.test('a campaign is deleted, and nothing of it stays in the browser', async (t) => {
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.locator('.campaign-list li').nth(1).waitFor();
    t.same(await accessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Delete kunden.csv' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Delete its short links too' }).check();
    t.same(await accessibilityProblems(page), []);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.campaign-list li:only-child').waitFor();
    t.notMatch(await page.textContent('.campaign-list'), 'kunden.csv');
    t.equal((await request(port, shortLink, { agent: false })).status, 404);
    t.equal(await page.evaluate('JSON.stringify(localStorage)'), '{}');
  });
  // A broken list is refused with 400. The page may still ask for a campaign that it deletes: 404.
  t.same(
    complaints.filter((each) => !/status of 40[04] .*\/v1\/campaigns/.test(each)),
    [],
  );
});

/** Pixels of an image. */
async function widthOf(image: Locator): Promise<number> {
  return image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth);
}
