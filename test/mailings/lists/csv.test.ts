import t from 'tap';
import { readList, refusal, valuesOf } from './list-files.ts';

t.test('a row has its number below the header and its line in the file', async (t) => {
  const list = await readList('name,note\r\nAnna,"two\r\nlines"\r\n\r\nBob,x\r\n');
  t.same(list.columns, ['name', 'note']);
  t.equal(list.headerRow, 1);
  t.same(list.rows, [
    { row: 1, line: 2, values: ['Anna', 'two\r\nlines'] },
    { row: 3, line: 5, values: ['Bob', 'x'] },
  ]);
});

t.test('separator, quote and line break are detected and shown', async (t) => {
  const cases: [text: string, format: object, values: string[]][] = [
    ['a,b\n1,2\n', { separator: ',', quote: '"', newline: '\n' }, ['1', '2']],
    ['Name;Betrag\r\nMüller;1,50\r\n', { separator: ';', newline: '\r\n' }, ['Müller', '1,50']],
    ['name\tcity\rAnna\tKöln\r', { separator: '\t', newline: '\r' }, ['Anna', 'Köln']],
    ['name|city\nAnna|Köln\n', { separator: '|' }, ['Anna', 'Köln']],
    ["'name','city'\n'Anna, B.','O\nX'\n", { quote: "'" }, ['Anna, B.', 'O\nX']],
    ["name,city\n'Anna','Oslo'\n", { quote: '"' }, ["'Anna'", "'Oslo'"]],
    ['sep=;\r\nname;city\r\nAnna;Köln\r\n', { separator: ';' }, ['Anna', 'Köln']],
    ['Name, Vorname;Ort\nMüller, Anna;Köln\n', { separator: ';' }, ['Müller, Anna', 'Köln']],
    ['name\nAnna\n', { separator: ',' }, ['Anna']],
  ];
  for (const [text, format, values] of cases) {
    const list = await readList(text);
    t.match(list.format, { kind: 'csv', encoding: 'utf-8', ...format }, text);
    t.same(valuesOf(list), [values], text);
  }
});

t.test('a row with another number of cells is a problem of this row alone', async (t) => {
  const list = await readList('a,b\n1,2\n3\n4,5,6\n7,8,,\n9,10\n');
  const rows = valuesOf(list).map((row) => row.join('|'));
  t.same(rows, ['1|2', '7|8', '9|10']);
  const message = 'The row has 1 cell, and the list has 2 columns.';
  t.match(list.problems, [
    { row: 2, line: 3, cause: 'too-few-cells', message },
    { row: 3, line: 4, cause: 'too-many-cells' },
  ]);
});

t.test('a backslash escapes where doubled quotes leave the rows broken', async (t) => {
  const escaped = String.raw`"a","b"
"says \"hi\"; C:\\new","x\
y"
"z\\",\N
`;
  const list = await readList(escaped);
  t.match(list.format, { separator: ',', quote: '"' });
  t.same(valuesOf(list), [
    [String.raw`says "hi"; C:\new`, 'x\ny'],
    ['z\\', ''],
  ]);
  t.same(list.problems, []);
  // Rows that are whole keep their backslashes.
  const plain = await readList('a,b\n"C:\\",x\n"C:\\""new""",\\N\n');
  t.same(valuesOf(plain), [
    ['C:\\', 'x'],
    ['C:\\"new"', '\\N'],
  ]);
});

t.test('a broken quote ends the list with its line and byte', async (t) => {
  t.same(await refusal('a,b\n1,"open\n2,3\n'), {
    code: 'BAD_REQUEST',
    message: 'The quote " that opens at line 2 (byte 6) is never closed. Close it, or remove it.',
  });
  t.same(await refusal('ä,b\r\n1,"open\r\n2,"x"\r\n'), {
    code: 'BAD_REQUEST',
    message:
      '"x" follows the closing quote at line 3 (byte 18); the quote opens at line 2 (byte 8). ' +
      'Expected a separator or a line end: close the cell before, or double a " inside a cell.',
  });
});
