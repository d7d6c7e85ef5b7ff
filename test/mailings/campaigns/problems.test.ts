/** From a verdict to the rows that need a person, page by page, and to a list that is corrected and sent again. */
import { join } from 'node:path';
import t from 'tap';
import { openAsItIs } from '../../../src/store/database/database.ts';
import { fillDataDirectory, textLayer, textVariable } from '../../e2e/published.ts';
import { startService } from '../../e2e/service.ts';
import {
  call,
  createCampaign,
  download,
  key,
  rowsOf,
  runCampaign,
  startRun,
  waitForRun,
} from './campaign-client.ts';
import type { RowBody } from './campaign-client.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const variables = [
    textVariable('name', 'friend'),
    textVariable('city', ''),
    textVariable('photo', 'none'),
    textVariable('note', '', { whenEmpty: 'empty' }),
  ];
  publish('card', { variables, layers: [textLayer('{{name}} {{city}} {{photo}} {{note}}')] });
});
const service = await startService(t, { dataDirectory, threadCount: 2 });

const prove = (list: string, template = 'card') => runCampaign(service, template, 'proof', list);

/** Rows in turns: fine, without a name, with a merge tag in the city, without a city. */
function mixedList(length: number): string {
  const kinds = ['Ann;Ulm', ';Ulm', 'Bo;{{city}}', 'Cy;'];
  const rows = Array.from({ length }, (_, row) => `r${row + 1}@x.de;${kinds[row % 4]};p`);
  return ['email;Vorname;city;photo', ...rows, ''].join('\r\n');
}
/** More rows than one read has. */
const rowCount = 240;
const mapped = { map: { Vorname: 'name', city: 'city', photo: 'photo' } };
const mixed = await runCampaign(service, 'card', 'proof', mixedList(rowCount), mapped);
const needing = Array.from({ length: rowCount }, (_, index) => index + 1).filter(
  (row) => row % 4 === 3 || row % 4 === 0,
);
const falling = Array.from({ length: rowCount / 4 }, (_, index) => index * 4 + 2);
const numbers = (rows: readonly RowBody[]): number[] => rows.map(({ row }) => row);

t.test(
  'clients that page by the last row get each row once, those that need a person first',
  async (t) => {
    const found: RowBody[] = [];
    for (let after = 0; ;) {
      const page = await rowsOf(service, mixed.id, { after: String(after), limit: '7' });
      if (page.length === 0) break;
      found.push(...page);
      after = page.at(-1)?.row ?? 0;
    }
    t.same(numbers(found), [...needing, ...falling]);
    t.same(
      found.map((each) => each.needs_you),
      found.map(({ row }) => needing.includes(row)),
    );
    t.same(numbers(await rowsOf(service, mixed.id)), [...needing, ...falling], 'as in one answer');
    const gone = await call(service, 'GET', `/${mixed.id}/rows?after=1`);
    t.equal(gone.status, 400, 'a fine row is no position');
    t.match(gone.text, /no row with a problem: expected 0, or the row of the last line/);
    t.same(
      numbers(await rowsOf(service, mixed.id, { needs_you: 'true', after: '230' })),
      [231, 232, 235, 236, 239, 240],
    );
  },
);

t.test('rows are filtered by code, column and need', async (t) => {
  const { id } = mixed;
  const byName = await rowsOf(service, id, { column: 'Vorname' });
  t.same(numbers(byName), falling, 'a column is known by its name in the list');
  t.same(numbers(await rowsOf(service, id, { column: 'name' })), falling, 'and by its variable');
  const empty = await rowsOf(service, id, { problem: 'EMPTY', column: 'city' });
  t.same(
    numbers(empty),
    needing.filter((row) => row % 4 === 0),
  );
  t.same(numbers(await rowsOf(service, id, { needs_you: 'false' })), falling);
  for (const [query, message] of [
    ['problem=UNKNOWN', /expected one of BAD_ROW/],
    ['column=Nachname', /no column of the list; expected one of email, Vorname/],
    ['needs_you=maybe', /needs_you/],
  ] as const) {
    const { status, text } = await call(service, 'GET', `/${id}/rows?${query}`);
    t.equal(status, 400, query);
    t.match(text, message);
  }
});

t.test('a proof counts its rows by code and column, and says what to do first', (t) => {
  t.match(mixed.counts, { fine: 60, defaults: 60, problems: 120 });
  t.same(mixed.counts['by_column'], [
    { column: 'city', variable: 'city', code: 'UNMERGED', rows: 60, needs_you: 60 },
    { column: 'city', variable: 'city', code: 'EMPTY', rows: 60, needs_you: 60 },
    { column: 'Vorname', variable: 'name', code: 'EMPTY', rows: 60, needs_you: 0 },
  ]);
  t.equal(
    mixed.counts['verdict'],
    '60 fine, 60 fall back to a default, 120 need you. First see to the merge tags in "city" (60 rows): export the list with its values. No column gives "note": every row has the default.',
  );
  t.end();
});

t.test('a column without a value is one sentence, and its rows are fine', async (t) => {
  const list =
    'name,city,photo,note\nAnn,Ulm,,\n{{name}},Ulm, ,\nCy,\u200B,,\n,Bonn,,\nx,too,many,cells,here\n';
  const { id, counts } = await prove(list);
  t.match(counts, { fine: 1, defaults: 1, problems: 3, EMPTY: 2 });
  t.equal(
    counts['verdict'],
    '1 fine, 1 falls back to a default, 3 need you. First see to the merge tags in "name" (1 row): export the list with its values. No column gives "photo" (the column "photo" is empty): every row has the default.',
  );
  t.same(numbers(await rowsOf(service, id)), [2, 3, 5, 4]);
  const { counts: whole } = await prove('name,city\nAnn,\nBo,\n');
  t.match(whole, { fine: 2, verdict: /"city" \(the column "city" is empty\)/ });
  const { counts: bad } = await prove('name,city\nx,too,many\n');
  t.match(bad, {
    fine: 0,
    problems: 1,
    verdict: /^0 fine, 1 needs you\. First see to the rows that/,
  });
});

t.test('the problems come back as a list, which is corrected and sent again', async (t) => {
  const cells = ['"=1+1;""x"""', "'=tag", "O'Brien", '-5', '"a;=b"', '{{name}}'];
  const good = 'g@x.de;Good;Ulm';
  const rows = cells.map(
    (cell, index) => `r${index}@x.de;${cell};${cell === '{{name}}' ? 'Ulm' : ''}`,
  );
  const list = ['E-Mail;name;city', good, ...rows, 'short@x.de;Cy', ''].join('\r\n');
  const { id, counts } = await prove(`${list}good@x.de;Good;Ulm\r\n`);
  t.match(counts, { fine: 2, problems: 7 });
  const csv = (await download(service, id, 'problems.csv')).toString();
  const [header = '', ...lines] = csv.split('\r\n');
  t.equal(
    header,
    '\uFEFFplaten_row;E-Mail;name;city;platen_problem_bad_row;platen_problem_empty;platen_problem_formula_left;platen_problem_name_case;platen_problem_not_a_name;platen_problem_unmerged',
  );
  t.same(
    lines.slice(0, -1).map((line) => line.split(';')[0]),
    ['2', '3', '4', '5', '6', '7', '8'],
    'in the order of the list',
  );
  t.match(lines[5], /^7;r5@x\.de;\{\{name\}\};Ulm;;;;;;"""name"" has /);
  t.match(lines[6], /^8;;;;"?line 9: The row has 2 cells/);
  const again = await createCampaign(service, 'card', 'proof', csv);
  t.match(again.body.list, {
    columns: ['E-Mail', 'name', 'city'],
    encoding: 'utf-8',
    separator: ';',
  });
  t.match(again.body.mapping, { name: 'name', city: 'city' });
  await waitForRun(service, again.body.id);
  const returned = new Map((await rowsOf(service, again.body.id)).map((each) => [each.row, each]));
  const first = await rowsOf(service, id);
  for (const { row, cells: before } of first.filter((each) => each.row < 8)) {
    t.same(returned.get(row - 1)?.cells, before, `the cells of row ${row} are the same`);
  }
  t.match(returned.get(7)?.problems, [{ code: 'BAD_ROW', message: /no values: .*delete the row/ }]);
  const corrected = csv
    .replaceAll(/^(\d;[^;]*;(?:"[^"]*(?:""[^"]*)*"|[^;]*));;/gm, '$1;Ulm;')
    .replace('{{name}}', 'Dee')
    .replace('8;;;;', '8;short@x.de;Cy;Ulm;');
  const links = await runCampaign(service, 'card', 'links', corrected);
  t.match(links.counts, { links: 7, bad_rows: 0, refused: 0 });
  const linked = (await download(service, links.id, 'links.csv')).toString();
  t.match(linked, /^\uFEFFE-Mail;name;city;platen_url;platen_alt\r\n/);
  t.notMatch(linked, /platen_problem|platen_row/);
});

t.test('a download has the rows of a filter, or all rows', async (t) => {
  const rowsIn = (csv: Buffer): number[] =>
    csv
      .toString()
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(';')[0]));
  const found = await download(service, mixed.id, 'problems.csv?needs_you=false');
  t.same(rowsIn(found), falling);
  t.match(found.toString(), /;platen_problem_empty\r\n/, 'with columns of its problems alone');
  const tags = await download(service, mixed.id, 'problems.csv?problem=UNMERGED&column=city');
  t.same(
    rowsIn(tags),
    needing.filter((row) => row % 4 === 3),
  );
  const all = await download(service, mixed.id, 'problems.csv?all=true');
  t.same(
    rowsIn(all),
    Array.from({ length: rowCount }, (_, index) => index + 1),
  );
  t.match(all.toString(), /\r\n1;r1@x\.de;Ann;Ulm;p;;\r\n/);
});

t.test('a download breaks off when a new proof begins, and never ends early', async (t) => {
  const long = 'x'.repeat(32_000);
  const rows = Array.from({ length: 800 }, (_, row) => `r${row}@x.de,{{name}},${long}`);
  const { id } = await prove(['email,name,text', ...rows, ''].join('\n'));
  const response = await fetch(`${service.base}/v1/campaigns/${id}/problems.csv`, { headers: key });
  const reader = response.body?.getReader();
  t.equal((await reader?.read())?.done, false);
  t.equal(await startRun(service, id, { mode: 'proof' }), 202);
  await waitForRun(service, id);
  const readAll = async (): Promise<void> => {
    while ((await reader?.read())?.done === false);
  };
  await t.rejects(readAll());
  const whole = await download(service, id, 'problems.csv');
  t.equal(whole.toString().split('\n').length, 802);
});

t.test('without a finished proof there is no download', async (t) => {
  const { id } = await runCampaign(service, 'card', 'links', 'name\nAnn\n');
  const { status, text } = await call(service, 'GET', `/${id}/problems.csv`);
  t.equal(status, 404);
  t.match(text, /no finished run of .*proof/);
});

t.test('the list of an earlier release answers in the same order', async (t) => {
  const { id } = await runCampaign(service, 'card', 'proof', mixedList(rowCount), mapped);
  const db = openAsItIs(join(dataDirectory, 'campaigns', id, 'list.db'));
  for (const name of ['need', 'code', 'variable', 'both'])
    db.exec(`DROP INDEX problems_of_${name}`);
  db.exec('ALTER TABLE problems DROP COLUMN needs_you');
  db.exec('CREATE INDEX problems_by_code ON problems (code, row)');
  db.close();
  t.match((await call(service, 'GET', `/${id}`)).json(), { first_rows: [['r1@x.de']] });
  t.same(numbers(await rowsOf(service, id)), [...needing, ...falling]);
  t.equal(await startRun(service, id, { mode: 'proof' }), 202);
  t.match((await waitForRun(service, id)).counts, { fine: 60, defaults: 60, problems: 120 });
  t.same(numbers(await rowsOf(service, id)), [...needing, ...falling]);
});
