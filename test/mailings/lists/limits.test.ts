import { truncateSync } from 'node:fs';
import t from 'tap';
import { listLimits } from '../../../src/mailings/lists/list-limits.ts';
import { RowCollector } from '../../../src/mailings/lists/row-collector.ts';
import { openList } from '../../../src/mailings/lists/open-list.ts';
import { listFile, readList, refusal } from './list-files.ts';

t.test('a list over a limit is refused with the limit and the line', async (t) => {
  const [long, word] = ['x'.repeat(32_768), 'n'.repeat(201)];
  const names = Array.from({ length: 201 }, (_, index) => `c${index}`);
  const keys = names.slice(1).map((name) => `"${name}":1`);
  const line = `{"a":1}\n{"b":"${'x'.repeat(300_000)}`;
  const cases: [name: string, text: string, message: RegExp][] = [
    ['columns', `${names.join(',')}\n`, /^The list has 201 columns on line 1, at most 200\./],
    [
      'keys',
      `{"a":1}\n{${keys.join(',')}}\n`,
      /^The list has 201 columns on line 2, at most 200\./,
    ],
    ['name', `a,${word}\n`, /^The name of column 2 on line 1 has 201 characters, at most 200\./],
    ['key', `{"${word}":1}\n`, /^A key on line 1 has 201 characters, at most 200\./],
    ['cell', `a,b\nä,${long}\n`, /^The cell at line 2 \(byte 7\) has more than 32,767 characters/],
    [
      'quoted cell',
      `a,b\n"x\ny","${long}"\n`,
      /^The cell at line 3 \(byte 10\) has more than 32,767 characters, the limit of a cell\. Its quote/,
    ],
    [
      'unclosed quote',
      `a,b\n1,"open\n${'some,row\n'.repeat(100_000)}`,
      /^The cell at line 2 \(byte 6\) has more than 32,767 characters.*quote is perhaps not closed/,
    ],
    ['JSON value', `{"a":"${long}"}\n`, /^"a" on line 1 has more than 32,767 characters/],
    [
      'row',
      `a,b\n${`${'x'.repeat(30_000)},`.repeat(10)}\n`,
      /^The row at line 2 \(byte 4\) has more than 262,144 characters/,
    ],
    ['JSON line', line, /^Line 2 has more than 262,144 characters/],
  ];
  for (const [name, text, message] of cases) {
    t.match(await refusal(text), { code: 'PAYLOAD_TOO_LARGE', message }, name);
  }
});

t.test('rows that cannot be used are limited together', async (t) => {
  const collector = new RowCollector(['a'], { needsAllCells: false });
  const [cells, rows] = [Array.from({ length: 8 }, () => 'x'.repeat(32_767)), 2048];
  for (let row = 1; row <= rows; row += 1) collector.add([...cells], row, row);
  const message = /cannot be used have more than 536,870,912 characters/;
  t.throws(() => collector.add(cells.concat(cells), rows + 1, rows + 1), { message });
});

t.test('a list at its limits is read', async (t) => {
  const cell = 'x'.repeat(32_767);
  const list = await readList(`a,b\n${cell},"${cell}"\n`);
  t.same(list.rows[0]?.values, [cell, cell]);
});

t.test('a million rows are read, and one more is refused', async (t) => {
  const rows = 'x,y\n'.repeat(listLimits.rowsMax);
  const list = await openList(listFile(`a,b\n${rows}`));
  let count = 0;
  let last = 0;
  for await (const batch of list.batches()) {
    count += batch.rows.length;
    last = batch.rows.at(-1)?.row ?? 0;
    if (batch.rows.length > listLimits.batchRowsMax) t.fail('a batch is too long');
  }
  t.same([count, last], [1_000_000, 1_000_000]);
  t.match(await refusal(`a,b\n${rows}x,y\n`), {
    code: 'PAYLOAD_TOO_LARGE',
    message: /more than 1,000,000 rows: line 1,000,002 is one too many/,
  });
});

t.test('a file over the limit is refused before it is read', async (t) => {
  const path = listFile('a,b\n');
  truncateSync(path, listLimits.fileBytesMax + 1);
  await t.rejects(openList(path), {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The list has 536,870,913 bytes, at most 536,870,912. Split the list.',
  });
});

t.test('batches of long rows are short', async (t) => {
  const row = `${'x'.repeat(30_000)},y\n`;
  const list = await openList(listFile(`a,b\n${row.repeat(100)}`));
  for await (const { rows } of list.batches()) t.ok(rows.length <= 9);
});

t.test('a file of another kind is refused with what to do', async (t) => {
  const zero = Buffer.from(`a,b\n${'x,y\n'.repeat(2000)}x,\0\n`);
  const cases: [bytes: string, message: RegExp][] = [
    ['d0cf11e0a1b11ae1', /old format \(\.xls\), or one with a password/],
    ['1f8b0800', /compressed with gzip/],
    ['255044462d31', /a PDF/],
    [Buffer.from('<html><table><tr><td>a').toString('hex'), /XML or a web page.*\.xls/],
    ['89504e470d0a1a0a0000000d49484452', /a binary file/],
    [zero.toString('hex'), /zero byte at line 2,002 \(byte 8,006\)/],
  ];
  for (const [bytes, message] of cases) {
    t.match(await refusal(Buffer.from(bytes, 'hex')), { code: 'BAD_REQUEST', message });
  }
});
