import t from 'tap';
import { columnLetters } from '../../../src/mailings/lists/header.ts';
import { readList, refusal, valuesOf } from './list-files.ts';

t.test('a first row with data is no header', async (t) => {
  const data = ['a@b.com,Anna', 'Anna,42', 'Anna,2026-11-27', 'Anna,https://a.test/', 'x,-1.50'];
  for (const row of data) {
    const list = await readList(`${row}\n`);
    t.match(list, { columns: ['Column A', 'Column B'], headerRow: 0 }, row);
    t.match(list.headerProblems, [{ cause: 'no-header' }]);
    t.same(list.rows, [{ row: 1, line: 1, values: row.split(',') }]);
  }
  for (const row of ['name,email', 'Name 2,Q1', '@handle,a', '{{email}},x', 'phone (1),50%']) {
    t.match(await readList(`${row}\n1,2\n`), { columns: row.split(','), headerRow: 1 }, row);
  }
});

t.test('a long cell of the first row is judged at once', async (t) => {
  const cell = `a@${'.'.repeat(32_000)}{`;
  t.match(await refusal(`${`${cell},`.repeat(8)}\n`), { message: /has 32,003 characters/ });
});

t.test('the user decides what is a header', async (t) => {
  t.same((await readList('2024,2025\n1,2\n', { hasHeader: true })).columns, ['2024', '2025']);
  t.same(valuesOf(await readList('a,b\n1,2\n', { hasHeader: false })), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  const contentType = 'text/csv; header=absent';
  t.same((await readList('a,b\n', { contentType })).columns, ['Column A', 'Column B']);
});

t.test('names become distinct, and none is empty', async (t) => {
  const list = await readList('\n a  b ,a b,,a b (2),,\n1,2,3,4,,\n');
  t.same(list.columns, ['a b', 'a b (2)', 'Column C', 'a b (2) (2)']);
  t.match(list.headerProblems, [
    {
      column: 2,
      cause: 'duplicate-name',
      message: 'Column 2 has the name "a b" of another column; it is called "a b (2)".',
    },
    { column: 3, cause: 'empty-name', message: 'Column 3 has no name; it is called "Column C".' },
    { column: 4, cause: 'duplicate-name' },
  ]);
  t.same([list.headerRow, list.rows], [2, [{ row: 1, line: 3, values: ['1', '2', '3', '4'] }]]);
});

t.test('a title above the names of the columns is pointed out', async (t) => {
  const titled = await readList('Customers of November;;\n;;\nemail;name;city\na@b.c;Anna;Ulm\n');
  t.match(titled, { columns: ['Customers of November'], headerProblems: [{ cause: 'title' }] });
  t.match(titled.headerProblems[0]?.message, /^Only the first of 3 cells on line 1 has a name\./);
  t.same((await readList('name\nAnna\n')).headerProblems, []);
});

t.test('columns have the letters of a spreadsheet', async (t) => {
  const letters = [0, 25, 26, 51, 701, 702, 16_383].map(columnLetters);
  t.equal(letters.join(' '), 'A Z AA AZ ZZ AAA XFD');
});

t.test('a list without a row or without content', async (t) => {
  t.match(await readList('name,city\n'), { columns: ['name', 'city'], rows: [] });
  for (const text of ['', '\n\n', ',,\n,', '\uFEFF', '  \n']) {
    const { code, message } = await refusal(text);
    t.match(`${code} ${message}`, /^BAD_REQUEST .*The list is empty/, JSON.stringify(text));
  }
});
