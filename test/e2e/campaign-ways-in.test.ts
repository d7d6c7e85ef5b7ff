/** Lists that are pasted, sheets that are asked for, and a proxy that refuses a list, in the studio. */
import { join } from 'node:path';
import t from 'tap';
import { needs, runNginx } from '../deploy/start-proxies.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { choose, chooseSheet, drop } from './campaign-page.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { freePort, startService } from './service.ts';

const members = join(import.meta.dirname, '../mailings/lists/fixtures/members.ods');

t.setTimeout(240_000);

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', {
    name: 'Card',
    variables: [textVariable('name', 'friend'), textVariable('ort', '')],
    layers: [textLayer('{{name}} {{ort}}')],
  });
});

t.test(
  'a list comes in by the clipboard, and by the sheet of a workbook',
  { skip: skipsPages },
  async (t) => {
    const { base } = await startService(t, { dataDirectory });
    const browser = await startBrowser(t);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    await context.addInitScript(
      `sessionStorage.setItem('platen-studio-key', '${testOrganization.key}')`,
    );
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    const verdict = page.locator('.proof[data-state="finished"] .verdict');
    const start = async (): Promise<void> => {
      await page.goto(`${base}/studio#/t/card/campaign`);
      await page.getByText('Drop a list here, or choose a file').waitFor();
    };
    const copy = (text: string): Promise<void> =>
      page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);

    await t.test('cells are pasted on the page', async (t) => {
      await start();
      await copy('Name\tOrt\r\n"Anna\tMaria"\t"two\r\nlines"\r\n"Best" Ltd\tUlm\r\n');
      await page.locator('.drop-list input').focus();
      await page.keyboard.press('Control+V');
      await page.getByRole('heading', { name: 'Pasted cells.tsv' }).waitFor();
      await verdict.waitFor();
      t.match(await page.locator('.list-facts').textContent(), /Separator\s*Tab.*Columns2/);
      const first = await page.getByLabel('First rows of the list').textContent();
      t.match(first, /Anna\tMariatwo\s+lines"Best" LtdUlm/);
    });

    await t.test('cells are pasted into a field', async (t) => {
      await start();
      await page.getByText('Paste cells of a spreadsheet').click();
      t.equal(await page.getByRole('button', { name: 'Use these cells' }).isDisabled(), true);
      await page.getByRole('textbox', { name: 'Cells' }).focus();
      await copy('Name\tOrt\nZoé\tKöln\n');
      await page.keyboard.press('Control+V');
      t.equal(
        await page.getByRole('textbox', { name: 'Cells' }).inputValue(),
        'Name\tOrt\nZoé\tKöln\n',
      );
      t.same(await accessibilityProblems(page), []);
      await page.getByRole('button', { name: 'Use these cells' }).click();
      await verdict.waitFor();
      t.equal(await verdict.textContent(), '1 fine, none need you.');
    });

    await t.test('a list in a doubtful encoding is no proof until one is chosen', async (t) => {
      await start();
      const rows = Buffer.from('email,name\na@example.com,Ren\u008ee\n', 'latin1');
      await drop(page, 'macintosh.csv', rows);
      const question = page.getByRole('heading', { name: 'Which column is right?' });
      await question.waitFor();
      t.equal(await page.locator('.proof').count(), 0);
      const cells = await page.getByLabel('Cells in each encoding').textContent();
      t.match(cells, /Mac OS Roman.*Windows-1252.*Renée.*RenŽe/s);
      t.same(await accessibilityProblems(page), []);
      await page.getByRole('button', { name: 'Read as Windows-1252, Western Europe' }).click();
      const first = page.getByLabel('First rows of the list');
      await first.getByText('RenŽe').waitFor();
      t.equal(await question.count(), 0, 'a named encoding is sure');
      await start();
      await drop(page, 'macintosh.csv', rows);
      await page.getByRole('button', { name: 'Read as Mac OS Roman' }).click();
      await first.getByText('Renée').waitFor();
      await verdict.waitFor();
    });

    await t.test('a workbook with several sheets is no proof until one is chosen', async (t) => {
      await start();
      await page.setInputFiles('.drop-list input:enabled', members);
      await page.getByRole('heading', { name: 'Which sheet is the list?' }).waitFor();
      t.equal(await page.locator('.proof').count(), 0);
      t.same(
        await page.getByRole('combobox', { name: 'Sheet' }).locator('option').allTextContents(),
        ['Choose a sheet', 'Mitglieder 2026', 'Orte'],
      );
      t.same(await accessibilityProblems(page), []);
      await chooseSheet(page, 'members.ods', 'Orte');
      await page.getByRole('heading', { name: 'The list' }).waitFor();
      t.match(await page.locator('.list-facts').textContent(), /LibreOffice \(\.ods\).*SheetOrte/);
      await start();
      await page.setInputFiles('.drop-list input:enabled', members);
      await chooseSheet(page, 'members.ods', 'Mitglieder 2026');
      t.match(await page.locator('.list-facts').textContent(), 'SheetMitglieder 2026');
      await verdict.waitFor();
      await page.setViewportSize({ width: 390, height: 800 });
      t.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    });
    t.same(complaints, []);
  },
);

t.test(
  'a list that a proxy refuses says so',
  { ...needs('nginx', '-v'), ...(skipsPages !== false && { skip: skipsPages }) },
  async (t) => {
    const { port } = await startService(t, { dataDirectory: join(t.testdir(), 'data') });
    const folder = t.testdir();
    const proxyPort = await freePort();
    const base = `http://127.0.0.1:${proxyPort}`;
    await runNginx(
      t,
      proxyPort,
      folder,
      `server { listen 127.0.0.1:${proxyPort}; client_max_body_size 1m; proxy_http_version 1.1; location / { proxy_pass http://127.0.0.1:${port}; } }`,
    );
    const browser = await startBrowser(t);
    const context = await browser.newContext();
    await context.addInitScript(
      `sessionStorage.setItem('platen-studio-key', 'demo-key-of-the-tests')`,
    );
    const page = await context.newPage();
    await page.goto(`${base}/studio#/t/hello/campaign`);
    await choose(page, 'large.csv', `name\n${'Amanda\n'.repeat(300_000)}`);
    t.match(
      await page.getByRole('alert').textContent(),
      /^A proxy in front of the service \(nginx\/[\d.]+\) refused the list of 2\.0 MiB with 413, and nothing of it is kept\. The proxy takes less than the service does\. Ask its operator to let lists of 512 MiB pass/,
    );
  },
);
