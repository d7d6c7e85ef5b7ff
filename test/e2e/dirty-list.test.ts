/** A marketer and a dirty list: from the drop to the rows that need a person, to a corrected list and its links. */
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { choose, download, drop } from './campaign-page.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { eventually, startService } from './service.ts';

t.setTimeout(240_000);

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const line = { x: 30, y: 30, width: 400, height: 60, fontSize: 40 };
  publish('offer', {
    name: 'Offer',
    width: 600,
    height: 200,
    background: '#fff4e6',
    variables: [
      textVariable('name', 'friend'),
      textVariable('city', ''),
      textVariable('photo', 'no photo'),
      { name: 'price', type: 'number', value: '10' },
    ],
    layers: [
      textLayer('Hello {{name}}', { ...line, overflow: 'ellipsis', maxLines: 1 }),
      textLayer('{{city}} {{photo}} {{price}}', { ...line, id: 'city', y: 110, width: 540 }),
    ],
  });
});

const header = ['E-Mail', 'Vorname', 'Stadt', 'Foto', 'Price', 'Notiz'];

/** The row that a careful person would have written. */
function cleanRow(row: number): string[] {
  return [`p${row}@example.com`, row % 2 === 0 ? 'Zoë' : 'Jürgen', 'München', '', '19,90', ''];
}

const longName = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh';
const emptyNames = Array.from({ length: 11 }, (_, index) => 100 + index);
/** What is wrong with some rows, by row. "Notiz" has formulas, which a download neutralizes. */
const dirt: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  20: { 1: '{{first_name}}', 5: '=1+1' },
  40: { 1: '*|FNAME|*', 5: "'=kept" },
  60: { 1: longName, 5: 'a;=b' },
  80: { 2: '', 5: 'O\'Brien says "hi"' },
  120: { 0: 'p1@example.com' },
  150: { 4: 'free' },
  160: { 1: 'J\uFFFDrgen' },
  ...Object.fromEntries(emptyNames.map((row) => [row, { 1: '' }])),
};
/** The rows that need a person: row 140 has too few cells. */
const needing = [20, 40, 60, 80, 120, 140, 150, 160];

function dirtyList(): Buffer {
  const lines = Array.from({ length: 200 }, (_, index) => {
    const row = index + 1;
    if (row === 140) return 'p140@example.com;Zoë';
    const cells = cleanRow(row).map((cell, at) => dirt[row]?.[at] ?? cell);
    return cells
      .map((cell) => (/[;"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(';');
  });
  return Buffer.from([header.join(';'), ...lines, ''].join('\r\n'));
}

t.test('a dirty list becomes links, by way of its problems', { skip: skipsPages }, async (t) => {
  const environment = { PLATEN_PUBLIC_URL: '' };
  const { base } = await startService(t, { dataDirectory, environment });
  const browser = await startBrowser(t);
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ viewport, acceptDownloads: true });
  await context.addInitScript(
    `sessionStorage.setItem('platen-studio-key', '${testOrganization.key}')`,
  );
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const verdict = page.locator('.proof[data-state="finished"] [role="status"]');
  const table = page.getByLabel('Rows with problems');
  const filters = page.getByRole('group', { name: 'Which rows' });
  const filter = (name: string) => filters.getByRole('button', { name });
  /** Whether the table gets these rows. */
  const shows = (rows: readonly number[]): Promise<boolean> =>
    eventually(async () => {
      const buttons = await table.getByRole('button').allTextContents();
      return buttons.join() === rows.join();
    }, 30_000);

  await t.test('the verdict says what to do first, and an empty column once', async (t) => {
    await page.goto(`${base}/studio#/t/offer/campaign`);
    await page.locator('.drop-list input:enabled').waitFor();
    await drop(page, 'kunden.csv', dirtyList());
    await verdict.waitFor();
    const text = (await verdict.textContent()) ?? '';
    t.match(text, /^181 fine, 11 fall back to a default, 8 need you\./);
    t.match(
      text,
      'First see to the merge tags in "Vorname" (2 rows): export the list with its values.',
    );
    t.match(text, 'No column gives "photo" (the column "Foto" is empty)');
  });

  await t.test('rows that need a person come first, below their heading', async (t) => {
    t.ok(await shows([...needing, ...emptyNames]));
    t.same(await table.locator('.problem-part').allTextContents(), [
      'These rows need you',
      'These rows fall back to a default',
    ]);
    t.same(await accessibilityProblems(page), []);
  });

  await t.test('buttons and a column choose the rows, with the keyboard too', async (t) => {
    t.match(await filters.textContent(), /All problems 19Need you 8Fall back 11/);
    await filter('Need you').press('Enter');
    t.ok(await shows(needing));
    t.equal(await filter('Need you').getAttribute('aria-pressed'), 'true');
    await filter('Merge tag left').press('Enter');
    t.ok(await shows([20, 40]));
    await filter('Merge tag left').press('Enter');
    await filters.getByRole('combobox').selectOption('Stadt');
    t.ok(await shows([80]));
    await filter('All problems').press('Enter');
    t.ok(await shows([...needing, ...emptyNames]));
    t.equal(await filters.getByRole('combobox').inputValue(), '');
    await filter('Fall back').click();
    t.ok(await shows(emptyNames));
    await filter('Need you').click();
    t.ok(await shows(needing));
  });

  let problems = '';
  await t.test('the problems are downloaded as a list', async (t) => {
    problems = String(await download(page, 'the problems', 'kunden-problems.csv'));
    const [names, ...rows] = parse(problems, { bom: true, delimiter: ';' });
    t.same(names?.slice(0, 7), ['platen_row', ...header]);
    t.ok(names?.slice(7).every((name) => name.startsWith('platen_problem_')));
    t.same(
      rows.map(([row]) => Number(row)),
      needing,
    );
    t.match(rows[0]?.join('\n'), /"name" has the merge tag \{\{first_name\}\}/);
    t.equal(rows[0]?.[6], "'=1+1", 'no formula for a spreadsheet');
    const all = await download(page, 'all rows', 'kunden-problems.csv');
    t.equal(parse(all, { bom: true, delimiter: ';' }).length, 201);
  });

  await t.test(
    'the corrected list is fine, and its links have the columns of the first',
    async (t) => {
      const [names = [], ...rows] = parse(problems, { bom: true, delimiter: ';' });
      const corrected = rows.map(([row = '', ...cells]) => {
        const clean = cleanRow(Number(row));
        return [row, ...clean.slice(0, 5), ...cells.slice(5)];
      });
      const cellText = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
      const text = [names, ...corrected].map((row) => row.map(cellText).join(';')).join('\r\n');
      await page.goto(`${base}/studio#/t/offer/campaign`);
      await choose(page, 'kunden-problems.csv', `\uFEFF${text}\r\n`);
      await page.getByRole('heading', { name: 'kunden-problems.csv' }).waitFor();
      await verdict.waitFor();
      t.match(await verdict.textContent(), /^8 fine, none need you\.No column gives "photo"/);
      await page.getByRole('button', { name: 'Get links', exact: true }).click();
      const links = await download(page, 'links.csv', 'kunden-problems-links.csv');
      const [head, ...linked] = parse(links, { bom: true, delimiter: ';' });
      t.same(head, [...header, 'platen_url', 'platen_alt']);
      t.same(
        linked.map(([email]) => email),
        needing.map((row) => `p${row}@example.com`),
      );
      t.same(
        linked.slice(0, 4).map((cells) => cells[5]),
        ["'=1+1", "'=kept", "a;'=b", 'O\'Brien says "hi"'],
        'cells are those of the first list, neutralized once',
      );
    },
  );

  await t.test('on a phone nothing is wider than its window', async (t) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${base}/studio#/t/offer/campaign`);
    await page.locator('.campaign-list a', { hasText: /^kunden\.csv/ }).click();
    t.ok(await shows([...needing, ...emptyNames]));
    t.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    t.same(await accessibilityProblems(page), []);
  });
  t.same(complaints, []);
});
