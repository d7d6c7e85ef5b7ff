/** A list that comes back with columns for its problems is the list again, cell by cell. */
import fc from 'fast-check';
import t from 'tap';
import { formatCsvRow, neutralizeFormula } from '../../../src/mailings/lists/csv/write-csv.ts';
import {
  problemColumn,
  protectCell,
  restoreCell,
  rowColumn,
  withoutProblemColumns,
} from '../../../src/mailings/lists/problem-columns.ts';
import type { List, ListBatch } from '../../../src/mailings/lists/list.ts';
import { openList } from '../../../src/mailings/lists/open-list.ts';
import { extent } from '../../helpers/extent.ts';
import { listFile } from './list-files.ts';
import { xlsx } from './xlsx-file.ts';

/** Texts of the signs that formulas begin with, of separators and quotes. */
const cell = fc.string({
  unit: fc.constantFrom(
    'a',
    '1',
    ' ',
    '"',
    "'",
    ',',
    ';',
    '\t',
    '|',
    '=',
    '+',
    '-',
    '@',
    '＝',
    '\n',
  ),
  maxLength: 12,
});

async function readBatches(list: List): Promise<Pick<ListBatch, 'rows' | 'problems'>> {
  const all: Pick<ListBatch, 'rows' | 'problems'> = { rows: [], problems: [] };
  for await (const { rows, problems } of list.batches()) {
    all.rows.push(...rows);
    all.problems.push(...problems);
  }
  return all;
}

t.test('a cell is no formula in the download, and the same after it', (t) => {
  const law = fc.property(cell, (text) => {
    const written = neutralizeFormula(protectCell(text));
    return (
      restoreCell(written) === text &&
      neutralizeFormula(written) === written &&
      // A formula of the cell stays neutralized; only what the download added goes.
      (neutralizeFormula(text) === text || written !== text)
    );
  });
  fc.assert(law, { numRuns: extent(5000, 100_000) });
  for (const text of ["'=1+1", "''=1+1", '=1+1', "a;'=1", '-5', "O'Brien", "'tis", '\t=1']) {
    t.equal(restoreCell(neutralizeFormula(protectCell(text))), text, JSON.stringify(text));
  }
  t.end();
});

t.test('added columns are left out, wherever they stand', async (t) => {
  const names = [rowColumn, '=email', 'name', problemColumn('EMPTY'), 'Platen_Problem_UNMERGED'];
  const dialect = { separator: ';', quote: '"', newline: '\r\n' } as const;
  const rows = [
    ['7', '=a@example.com', "'=Anna", '"name" is empty', ''],
    ['9', '', '', '', ''],
    ['12', 'b@example.com', 'Bo', '', 'a tag'],
  ];
  const text = [names, ...rows].map((row) => formatCsvRow(row.map(protectCell), dialect)).join('');
  const list = withoutProblemColumns(await openList(listFile(`\uFEFF${text}`)));
  t.same(list.columns, ['=email', 'name']);
  const { rows: read, problems } = await readBatches(list);
  t.same(read, [
    { row: 1, line: 2, values: ['=a@example.com', "'=Anna"] },
    { row: 3, line: 4, values: ['b@example.com', 'Bo'] },
  ]);
  t.match(problems, [{ row: 2, line: 3, message: /no values: it could not be read before/ }]);
});

t.test('a list without such columns is left as it is', async (t) => {
  const list = await openList(listFile("name,platen_url\n'=1,x\n"));
  t.equal(withoutProblemColumns(list), list);
});

t.test('a list of such columns alone is refused', async (t) => {
  const list = await openList(listFile(`${rowColumn},${problemColumn('EMPTY')}\n1,x\n`));
  t.throws(() => withoutProblemColumns(list), { code: 'BAD_REQUEST', message: /no columns/ });
});

t.test('a workbook that a spreadsheet saved of the download is the list too', async (t) => {
  const text = (at: string, value: string): string =>
    `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const head = [rowColumn, 'name', 'price', problemColumn('EMPTY')];
  const rows = [
    `<row r="1">${head.map((name, index) => text(`${'ABCD'[index]}1`, name)).join('')}</row>`,
    `<row r="2"><c r="A2"><v>7</v></c>${text('B2', "'=Anna")}<c r="C2"><v>19.9</v></c>${text('D2', 'x')}</row>`,
  ];
  const list = withoutProblemColumns(await openList(listFile(xlsx({ rows: rows.join('') }))));
  t.same((await readBatches(list)).rows, [{ row: 1, line: 2, values: ['=Anna', '19.9'] }]);
  t.same(list.columns, ['name', 'price']);
  t.same(list.numberColumns, new Set([1]), 'the column of numbers, once its rows are read');
});
