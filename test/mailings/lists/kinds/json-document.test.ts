import t from 'tap';
import { listFile, readList, refusal, valuesOf } from '../list-files.ts';
import { openList } from '../../../../src/mailings/lists/open-list.ts';

t.test('the keys of all objects of an array are the columns', async (t) => {
  const list = await readList(
    '\uFEFF[\n  {"name": "Anna",\n   "price": 19.90},\n  {"name": "Bob", "items": [{"n": 1}], "__proto__": "p"},\n\n  {"late": null, "ok": true}\n]\n',
  );
  t.same(list.format, { kind: 'json', encoding: 'utf-8' });
  t.same(list.columns, ['name', 'price', 'items', '__proto__', 'late', 'ok']);
  t.same(list.rows, [
    { row: 1, line: 2, values: ['Anna', '19.90', '', '', '', ''] },
    { row: 2, line: 4, values: ['Bob', '', '[{"n":1}]', 'p', '', ''] },
    { row: 3, line: 6, values: ['', '', '', '', '', 'true'] },
  ]);
  t.same([list.headerRow, list.numberColumns?.size], [0, 6]);
});

t.test('an array of arrays has its header first', async (t) => {
  const list = await readList('[["name","n"],["Anna",1],[],["Bob"],[null,2.50]]');
  t.same(list.format, { kind: 'json', encoding: 'utf-8', hasHeader: true });
  t.same(list.columns, ['name', 'n']);
  t.same(list.rows, [
    { row: 1, line: 1, values: ['Anna', '1'] },
    { row: 3, line: 1, values: ['Bob', ''] },
    { row: 4, line: 1, values: ['', '2.50'] },
  ]);
  const data = await readList('[["anna@example.com",1]]');
  t.same([data.columns, valuesOf(data)], [['Column A', 'Column B'], [['anna@example.com', '1']]]);
  const wide = await readList('[["a"],[1,2],{"a":1}]');
  t.match(wide.problems, [
    { row: 1, cause: 'too-many-cells' },
    { row: 2, cause: 'not-json', message: /no JSON array/ },
  ]);
});

t.test('an element that is no object is a problem of this row alone', async (t) => {
  const deep = `{"a":1.5,"b":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const list = await readList(`[{"a":1},null,"x, ] }",[1],-1e5 ,${deep},{"a":2}]`);
  t.same(valuesOf(list).at(-1), list.columns.length === 1 ? ['2'] : ['2', '']);
  t.match(
    list.problems.slice(0, 4),
    [2, 3, 4, 5].map((row) => ({ row, line: 1, cause: 'not-json', message: /no JSON object/ })),
  );
  t.equal(list.rows.length + list.problems.length, 7);
});

t.test('elements are found wherever a chunk of the file ends', async (t) => {
  const rows = Array.from({ length: 4000 }, (_, index) => ({
    n: String(index),
    text: `a "quoted" \\ ]},{[ Änne 日本 ${'\\"'.repeat(index % 7)}\n`,
  }));
  for (const space of [0, 1]) {
    const list = await readList(JSON.stringify(rows, null, space));
    t.same(
      valuesOf(list),
      rows.map(({ n, text }) => [n, text]),
    );
  }
});

t.test('broken JSON is refused with line and byte, and none of its rows is kept', async (t) => {
  const cases: [text: string, message: RegExp][] = [
    ['[{"a":1}\n{"a":2}]', /has "\{" at line 2 \(byte 9\), expected "," or "\]"/],
    ['[{"ä":1},\n x:2}]', /broken in the element that starts at line 2 \(byte 12\)/],
    ['[{"a":1},\n\n{"a":1,}]', /broken at line 3 \(byte 18\)\. .*comma, quote or bracket/],
    ['[{"a":1},]', /has "\]" at line 1 \(byte 9\), expected an object/],
    ['[{"a":1}] x', /has "x" at line 1 \(byte 10\), expected the end of the file/],
    [
      '[{"a":1},\n{"a":"2',
      /ends too early, at line 2 \(byte 17\): expected the end of the element/,
    ],
    ['[{"a":1}\n', /ends too early, at line 2 \(byte 9\): expected "," or "\]"/],
    ['[]', /The list is empty/],
    ['[[],[""]]', /The list is empty/],
    [`[{"a":"${'x'.repeat(300_000)}`, /element at line 1 \(byte 1\) has more than 262,144/],
    [`[{"a":"${'x'.repeat(33_000)}"}]`, /"a" on line 1 has more than 32,767 characters/],
  ];
  for (const [text, message] of cases)
    t.match((await refusal(text)).message, message, text.slice(0, 40));
  const secret = await refusal('[{"name":"Amanda" "x"}]');
  t.notMatch(secret.message, 'Amanda', 'a message has no value');
  t.match(await refusal('["a"]', { contentType: 'application/json' }), {
    message: /has no object/,
  });
});

t.test('an object around a list is refused with the key of the list', async (t) => {
  const lines = '{\n  "meta": {"data": [1]},\n  "the \\"rows\\"": [\n    {"a": 1}\n  ]\n}';
  t.match(
    (await refusal(lines)).message,
    /one JSON object\. Its key "the \\"rows\\"" has an array/,
  );
  t.match((await refusal('{\n  "a": 1\n}')).message, /one JSON object\. Expected an array/);
  const one = '{"data":[{"a":1},{"a":2}]}';
  t.match((await refusal(one)).message, /Its key "data" has an array: send that alone.*jq/);
  const answer = '{"total":2,"data":[{"a":1},{"a":2}]}';
  t.match((await refusal(answer, { contentType: 'application/json' })).message, /key "data"/);
  t.same((await readList(answer)).columns, ['total', 'data'], 'a line of JSON lines may be a row');
  const long = `{"data":[${'{"a":1},'.repeat(40_000)}{"a":1}]}`;
  t.match((await refusal(long)).message, /Line 1 has more than 262,144 .* Its key "data"/);
});

t.test('a large document is read in short batches', async (t) => {
  const list = await openList(listFile(`[${'{"name":"Amanda","n":1},\n'.repeat(300_000)}{"n":2}]`));
  let count = 0;
  for await (const { rows, bytesRead } of list.batches()) {
    count += rows.length;
    if (rows.length > 500 || bytesRead > list.bytes) t.fail('a batch is too long');
  }
  t.equal(count, 300_001);
});
