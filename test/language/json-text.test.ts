import fc from 'fast-check';
import t from 'tap';
import { findJsonMistake, isTooMuchJson } from '#language/check/json-text.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

t.test('a mistake is reported by its line and column', async (t) => {
  const cases: [text: string, line: number, column: number, message: RegExp][] = [
    ['', 1, 1, /^expected a value/],
    ['{"a": 1,}', 1, 9, /^expected the name of a property/],
    ['[1,]', 1, 4, /^expected a value/],
    ['[1 2]', 1, 4, /^expected a comma, or the end/],
    ['{"a" 1}', 1, 6, /^expected a colon/],
    ['{a: 1}', 1, 2, /^an unknown word; names and texts stand in double quotes/],
    ['{"a":\r\n\t"b\r\n"}', 2, 2, /^a text without its closing double quote/],
    ['{"a": "b\tc"}', 1, 7, /^a control character/],
    ['["\\x"]', 1, 2, /^an escape that JSON does not have/],
    ['["\\u12"]', 1, 2, /^an escape that is not finished/],
    ['["abc', 1, 2, /closing double quote/],
    ['{"a": 01}', 1, 8, /^expected a comma, or the end/],
    ['[1.]', 1, 2, /^a number that is not finished/],
    ['[True]', 1, 2, /^an unknown word/],
    ['[-]', 1, 2, /^an unknown word/],
    ["{'a': 1}", 1, 2, /^an unknown word/],
    ['{}\n{}', 2, 1, /^expected nothing more/],
    ['[1}', 1, 3, /^expected a comma, or the end/],
    ['[1', 1, 3, /^expected \] here/],
    ['{"a": {"b": 1}\n', 2, 1, /^expected \} here/],
    ['[1, // one\n2]', 1, 5, /^a comment/],
  ];
  for (const [text, line, column, message] of cases) {
    t.match(findJsonMistake(text), { line, column, message }, text);
  }
});

t.test('exactly what the runtime refuses has a mistake', async () => {
  const agrees = (text: string): boolean => (findJsonMistake(text) === undefined) === isJson(text);
  const symbol = fc.constantFrom(
    ...'{ } [ ] , : " "a" \\ 1 - 0 .5 e3 true nul \\u00e9 é'.split(' '),
    ...Array.from(' \n\t\u00a0\u0000\u2028\ufeff'),
  );
  const symbols = fc.array(symbol, { maxLength: 12 }).map((all) => all.join(''));
  fc.assert(fc.property(symbols, agrees));
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
    .map(([text, at, more]) => {
      const position = at % (text.length + 1);
      return text.slice(0, position) + more + text.slice(position + 1);
    });
  fc.assert(fc.property(fc.json(), agrees));
  fc.assert(fc.property(damaged, agrees), { numRuns: 1000 });
});

t.test('a text as large as a body may be takes no stack and little CPU time', async (t) => {
  const megabyte = (part: string): string => part.repeat(2 ** 20 / part.length);
  const cases: [text: string, message: RegExp][] = [
    [megabyte('['), /^nested deeper than 500 levels/],
    [megabyte('{"a":'), /^nested deeper than 500 levels/],
    [`{${megabyte('"a":1,')}`, /^an object with more than 20000 properties/],
    [`"${megabyte('x')}`, /closing double quote/],
    [`"${megabyte('\\n')}`, /closing double quote/],
    [`[${megabyte('1,\n')}`, /^expected a value/],
    [`/*${megabyte('*')}`, /^a comment/],
    [megabyte('a'), /^an unknown word/],
    [`${megabyte(' \n')}x`, /^an unknown word/],
  ];
  for (const [text, message] of cases) {
    const started = process.cpuUsage();
    t.match(findJsonMistake(text), { message });
    t.ok(process.cpuUsage(started).user < 1_000_000, text.slice(0, 10));
  }
});

t.test('depth and properties are bounded before a text is parsed', async (t) => {
  const object = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":":{"`).join(',')}}`;
  const cases: [text: string, isTooMuch: boolean][] = [
    [object(20_000), false],
    [object(20_001), true],
    [`[${object(20_000)},{"a":${object(20_000)},"b":1}]`, false],
    [`[{"a":${object(20_001)}}]`, true],
    ['['.repeat(500), false],
    ['['.repeat(501), true],
    [`}}}${object(3)}`, false],
  ];
  for (const [text, isTooMuch] of cases) {
    t.equal(isTooMuchJson(Buffer.from(text)), isTooMuch, text.slice(0, 20));
  }
});
