import t from 'tap';
import { readList, valuesOf } from './list-files.ts';

t.test('the keys of all lines are the columns', async (t) => {
  const list = await readList(
    '{"name":"Anna","age":3}\n\n{"name":"Bob","__proto__":"p"}\r\n{"late":true}',
  );
  t.match(list.format, { kind: 'json-lines', encoding: 'utf-8' });
  t.same(list.columns, ['name', 'age', '__proto__', 'late']);
  t.same(list.rows, [
    { row: 1, line: 1, values: ['Anna', '3', '', ''] },
    { row: 3, line: 3, values: ['Bob', '', 'p', ''] },
    { row: 4, line: 4, values: ['', '', '', 'true'] },
  ]);
});

t.test('a key is the same column in each normal form', async (t) => {
  const list = await readList(
    '{"name":"1","prénom":"Ana"}\n'.normalize('NFD') + '{"prénom":"Bob"}\n'.normalize('NFC'),
  );
  t.same(list.columns, ['name', 'prénom'.normalize('NFC')]);
  t.same(valuesOf(list), [
    ['1', 'Ana'],
    ['', 'Bob'],
  ]);
});

t.test('numbers keep their digits, and lists stay JSON', async (t) => {
  const list = await readList(
    '{"id":12345678901234567890,"price":19.90,"big":1e3,"n":null,"items":[{"title":"A, B","n":1}],"o":{"a":[]}}\n',
  );
  t.same(valuesOf(list), [
    ['12345678901234567890', '19.90', '1e3', '', '[{"title":"A, B","n":"1"}]', '{"a":[]}'],
  ]);
});

t.test('a line that is no object is a problem of this line alone', async (t) => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const list = await readList(`{"a":1}\n{"a":\n[1]\n"x"\nnull\n${deep}\n{"a":2}\n`);
  t.same(valuesOf(list), [['1'], ['2']]);
  t.same(
    list.problems.map(({ row, line, cause }) => [row, line, cause]),
    [2, 3, 4, 5, 6].map((line) => [line, line, 'not-json']),
  );
});

t.test('a media type decides where the first line is broken', async (t) => {
  const text = 'oops\n{"a":1}\n';
  t.match(await readList(text), { columns: ['oops'] });
  const list = await readList(text, { contentType: 'application/x-ndjson; charset=utf-8' });
  t.same([list.columns, list.problems.length, valuesOf(list)], [['a'], 1, [['1']]]);
});

t.test('a name in brackets is no JSON', async (t) => {
  t.same((await readList('[name],b\n1,2\n')).columns, ['[name]', 'b']);
  t.same((await readList('{{first_name}},b\n1,2\n')).columns, ['{{first_name}}', 'b']);
});
