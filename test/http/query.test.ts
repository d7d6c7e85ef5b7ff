import * as fc from 'fast-check';
import t from 'tap';
import { firstValue, parametersMax, parseQuery } from '../../src/http/query.ts';

/** Name and value pairs of a query. */
function pairsOf(raw: string): [string, string][] {
  return parseQuery(raw).parameters.map(({ name, value }) => [name, value]);
}

const cases: [claim: string, raw: string, ...namesAndValues: string[]][] = [
  ['nothing is no parameter', ''],
  ['several are split at &', 'a=1&b=2', 'a', '1', 'b', '2'],
  ['empty segments and names are left out', '&&=x&a=1&', 'a', '1'],
  ['a name without a value is empty', 'a&b=', 'a', '', 'b', ''],
  ['only the first = splits', 'a=1=2==', 'a', '1=2=='],
  ['+ and %20 are a space, in names too', 'first+name=a+b%20c', 'first name', 'a b c'],
  ['%2B is a plus', 'a=1%2B1', 'a', '1+1'],
  ['%26 and %3D do not split', 'title=x%26body%3Dy', 'title', 'x&body=y'],
  ['UTF-8 is decoded', 'a=%C3%A9%E2%82%AC%F0%9F%8E%89', 'a', 'é€🎉'],
  ['letters that nobody encoded are taken as they are', 'a=é🎉', 'a', 'é🎉'],
  ['what is broken stays beside what is not', 'a=50%+off+%FF%C3%A9%80', 'a', '50% off %FFé%80'],
  ['lower-case digits are digits', 'a=%c3%a9', 'a', 'é'],
  ['&amp; is repaired', 'a=1&amp;b=2&amp;amp;c=3', 'a', '1', 'b', '2', 'c', '3'],
  ['an encoded amp; is a name', 'amp%3Bb=2', 'amp;b', '2'],
  ['a second ? is a letter', 'a=b?c', 'a', 'b?c'],
  ['equal names all appear, first first', 'a=1&a=2', 'a', '1', 'a', '2'],
  ['any name is a name', '__proto__=1&constructor=2', '__proto__', '1', 'constructor', '2'],
  ['a NUL is a character', 'a=%00', 'a', '\0'],
];

t.test('a query is read as email services send it', async (t) => {
  for (const [claim, raw, ...expected] of cases) {
    t.strictSame(pairsOf(raw).flat(), expected, claim);
  }
});

t.test('a nested URL and escapes that are not UTF-8 stay as they are written', async (t) => {
  const broken = '100% %zz %4 %C3';
  // Some begin with two hexadecimal digits.
  const tags = '%FIRSTNAME% %DATE% %FACE% %%email%%';
  const overlongFormsAndSurrogates = '%C0%AF %ED%A0%80 %F5%80%80%80 %E0%80%AF';
  const texts = ['https://example.com/a.png', broken, tags, overlongFormsAndSurrogates];
  for (const text of texts.join(' ').split(' ')) {
    t.same(pairsOf(`a=${text}`), [['a', text]], text);
  }
});

t.test('the first of equal names counts', async (t) => {
  t.equal(firstValue(parseQuery('a=1&a=2'), 'a'), '1');
  t.equal(firstValue(parseQuery('a=1'), 'b'), undefined);
});

t.test('a parameter keeps what was sent', async (t) => {
  t.same(parseQuery('x=1&amp;a=%41+b').parameters[1], { name: 'a', value: 'A b', raw: 'a=%41+b' });
});

t.test('parameters are bounded', async (t) => {
  const query = parseQuery('a&'.repeat(parametersMax + 1));
  t.equal(query.parameters.length, parametersMax);
  t.equal(query.isTruncated, true);
  t.equal(parseQuery('a&'.repeat(parametersMax)).isTruncated, false);
});

const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
const pairs = fc.array(
  fc.tuple(
    text.filter((name) => name !== ''),
    text,
  ),
  { maxLength: 20 },
);

t.test('what encodeURIComponent or a form wrote reads as the same names and values', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(pairs, (expected) => {
        const encoded = expected.map((pair) => pair.map(encodeURIComponent).join('='));
        t.strictSame(pairsOf(encoded.join('&')), expected);
        t.strictSame(pairsOf(new URLSearchParams(expected).toString()), expected);
      }),
      { numRuns: 200 },
    ),
  );
});

t.test('no query throws, whatever its bytes', async (t) => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((raw) => Buffer.from(raw).toString('utf8'));
  const escapes = fc
    .array(fc.constantFrom(...'% %F %FF %C3 %A9 %E2%82 %ED%A0%80 & = + amp; \u{d800} é'.split(' ')))
    .map((parts) => parts.join(''));
  t.doesNotThrow(() =>
    fc.assert(fc.property(fc.oneof(bytes, escapes), (raw) => void parseQuery(raw))),
  );
});

t.test('a megabyte of broken escapes is read in one pass', async (t) => {
  for (const unit of ['%FF', '%FFx', '%', '&', '=', '%C3&', 'amp;']) {
    // 64 times the longest link: a search that goes back would take longer than the test may.
    const { parameters } = parseQuery(unit.repeat(Math.ceil((1024 * 1024) / unit.length)));
    t.ok(Array.isArray(parameters), unit);
  }
});
