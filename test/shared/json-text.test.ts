import fc from 'fast-check';
import t from 'tap';
import { findJsonMistake } from '#language/check/json-text.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

t.test('a mistake is told by its line and column', (t) => {
  const cases: [text: string, line: number, column: number, message: RegExp][] = [
    ['', 1, 1, /^ends too early: expected a value/],
    ['{"a": 1,}', 1, 9, /^expected a name/],
    ['[1,]', 1, 4, /^expected a value/],
    ['[1 2]', 1, 4, /^expected a comma or the end/],
    ['{"a" 1}', 1, 6, /^expected a colon/],
    ['{a: 1}', 1, 2, /^expected a name in double quotes or }/],
    ['{"a":\r\n\t"b\r\n"}', 2, 4, /control character/],
    ['["\\x"]', 1, 3, /escape that JSON has/],
    ['["\\u12"]', 1, 3, /escape that JSON has/],
    ['["abc', 1, 6, /closing double quote/],
    ['{"a": 01}', 1, 8, /^expected a comma or the end/],
    ['[True]', 1, 2, /^expected a value/],
    ['[-]', 1, 2, /^expected a value/],
    ["{'a': 1}", 1, 2, /^expected a name/],
    ['{}\n{}', 2, 1, /^expected nothing more/],
    ['[1}', 1, 3, /^expected a comma or the end/],
    ['[1, // one\n2]', 1, 5, /^expected a value/],
  ];
  for (const [text, line, column, message] of cases) {
    t.match(findJsonMistake(text), { line, column, message }, text);
  }
  t.end();
});

t.test('exactly what the runtime refuses has a mistake', (t) => {
  const agrees = (text: string): boolean => (findJsonMistake(text) === undefined) === isJson(text);
  const symbol = fc.constantFrom(
    ...'{ } [ ] , : " "a" \\ 1 - 0 .5 e3 true nul \\u00e9 é'.split(' '),
    ' ',
    '\n',
    '\t',
    '\u00a0',
    '\u0000',
    '\u2028',
    '\ufeff',
  );
  fc.assert(
    fc.property(
      fc.array(symbol, { maxLength: 12 }).map((all) => all.join('')),
      agrees,
    ),
  );
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
    .map(([text, at, more]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + more + text.slice(place + 1);
    });
  fc.assert(fc.property(fc.json(), agrees));
  fc.assert(fc.property(damaged, agrees), { numRuns: 1000 });
  t.end();
});

t.test('a text as large as a body may be takes no stack and little time', (t) => {
  const size = 1024 * 1024;
  for (const text of ['['.repeat(size), `"${'x'.repeat(size)}`, `"${'\\n'.repeat(size / 2)}`]) {
    const startedMs = performance.now();
    t.match(findJsonMistake(text), { line: 1 });
    t.ok(performance.now() - startedMs < 2000, `${performance.now() - startedMs} ms`);
  }
  t.end();
});
