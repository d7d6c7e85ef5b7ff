import t from 'tap';
import { readList, refusal, valuesOf } from '../list-files.ts';

const contentType = 'text/tab-separated-values';

t.test('tab-separated values have one separator, also in a list of one column', async (t) => {
  const list = await readList('name\nMüller, Anna\n', { contentType });
  t.match(list.format, { kind: 'csv', separator: '\t', quote: '"', hasHeader: true });
  t.same([list.columns, valuesOf(list)], [['name'], [['Müller, Anna']]]);
  const data = await readList('Anna\t1\n', { contentType: `${contentType}; header=absent` });
  t.same([data.columns, valuesOf(data)], [['Column A', 'Column B'], [['Anna', '1']]]);
});

t.test('cells of a spreadsheet come as its clipboard has them', async (t) => {
  // Excel, LibreOffice and Google Sheets quote a cell with a tab or a line break, and no other one.
  const pasted =
    'name\tnote\tsize\r\nAnna\t"two\nlines, a ""quote"" and a\ttab"\t5" nail\r\n"Best" Ltd\tsays "hi"\t"M"\r\nZoé\t"\topen\r\n';
  const list = await readList(pasted, { contentType });
  t.same(list.problems, []);
  t.same(list.rows, [
    { row: 1, line: 2, values: ['Anna', 'two\nlines, a "quote" and a\ttab', '5" nail'] },
    { row: 2, line: 4, values: ['"Best" Ltd', 'says "hi"', 'M'] },
    { row: 3, line: 5, values: ['Zoé', '"', 'open'] },
  ]);
});

t.test('an open quote takes no row with it, however far the file goes on', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `r${index}\t"${index}`);
  const list = await readList(['a\tb', ...rows].join('\n'), { contentType });
  t.same([list.rows.length, list.problems], [20_000, []]);
  t.same(list.rows.at(-1)?.values, ['r19999', '"19999']);
  t.match(await refusal(`a\tb\n1\t${'x'.repeat(33_000)}\n`, { contentType }), {
    message: /cell at line 2 \(byte 6\) has more than 32,767/,
  });
});

t.test('a named separator goes before the type', async (t) => {
  const list = await readList('a;b\n1;"x" y\n'.replace('"x" y', 'x'), {
    contentType,
    separator: ';',
  });
  t.same([list.columns, valuesOf(list)], [['a', 'b'], [['1', 'x']]]);
});
