import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { documentText, parseJsonDocument } from '../../src/cli/templates/json-document.ts';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { repository } from './run-platen.ts';

const samples = join(repository, 'data/templates');
const documents = readdirSync(samples)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(samples, name), 'utf8')) as Template);

t.test('a text equals its document, and does not depend on the order of properties', async (t) => {
  t.ok(documents.length > 0);
  for (const document of documents) {
    const text = documentText(document);
    t.same(JSON.parse(text), document);
    t.equal(documentText(reversed(document) as Template), text);
    t.equal(documentText(JSON.parse(text) as Template), text);
    t.ok(checkTemplate(JSON.parse(text)).ok);
    t.match(text, /^\{\n(?: {2}"\$schema": .*\n)? {2}"format": 1,\n {2}"name": /);
    t.ok(text.endsWith('}\n'));
  }
});

t.test('names like __proto__ are names, and unknown ones come last', async (t) => {
  const json = '{"zzz":1,"__proto__":{"b":1,"a":2},"layers":[],"name":"x","format":1}';
  const text = documentText(JSON.parse(json) as Template);
  t.match(
    text,
    /"format": 1,\n {2}"name": "x",\n {2}"layers": \[\],\n {2}"__proto__": \{ "a": 2, "b": 1 \},\n {2}"zzz": 1/,
  );
});

t.test('every mistake of JSON is reported at its position', async (t) => {
  const cases: [text: string, line: number, column: number, message: RegExp][] = [
    ['', 1, 1, /is empty/],
    ['\ufeff{}', 1, 1, /byte order mark/],
    ['{\n  "a": 1,\n}', 3, 1, /name of a property/],
    ['{\r\n  "a" 1}', 2, 7, /colon/],
    ['[1\n 2]', 2, 2, /comma/],
    ['{"a": tru}', 1, 7, /unknown word/],
    ['{"a": "x\n"}', 1, 7, /closing double quote/],
    ['{} // no', 1, 4, /comment/],
    ['{"a": "\\x"}', 1, 7, /escape/],
  ];
  for (const [text, line, column, message] of cases) {
    const parsed = parseJsonDocument(text);
    if (parsed.ok) t.fail(`${text} is no JSON`);
    else t.match(parsed, { line, column, message }, text);
  }
});

t.test('a path leads to its value, also through names that look like paths', (t) => {
  const text = '{"a":{"b.c":[1,{"d":2}],"5":3},\n"a.b":4}';
  const parsed = parseJsonDocument(text);
  if (!parsed.ok) return t.fail('it is JSON');
  for (const [path, value] of [
    ['a.b.c[1].d', '2'],
    ['a[5]', '3'],
    ['a.b', '4'],
    ['a.b.c[0]', '1'],
  ] as const) {
    const { line, column } = parsed.locate(path);
    t.equal(text.split('\n')[line - 1]?.slice(column - 1, column), value, path);
  }
  t.same(parsed.locate('a.none'), { line: 1, column: 6 }, 'the deepest part that there is');
  t.same(parsed.locate('(document)'), { line: 1, column: 1 });
  return t.end();
});

/** The same values, all properties in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const children = Object.entries(value).map(([name, child]) => [name, reversed(child)] as const);
  return Object.fromEntries(children.toReversed());
}
