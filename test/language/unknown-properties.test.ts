import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { checkTemplate } from '#language/template.ts';
import { sizedTemplates } from '../property/template-arbitrary.ts';

const runs = extent(200, 600);

/** Every object inside a document with its JSON path. */
function* objectsOf(value: unknown, path = ''): Generator<[path: string, object: object]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value];
  for (const [name, child] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : `${path === '' ? '' : '.'}${name}`;
    yield* objectsOf(child, `${path}${step}`);
  }
}

/** Names that no object of the language has, some of them near to one. */
const unknownNames = fc.oneof(
  fc.constantFrom(...'colour fontsize Width gradiant __proto__ constructor toString'.split(' ')),
  fc.stringMatching(/^[a-z]{3,12}_$/),
);

t.test('a property that nobody knows is refused with its path and nothing else', async (t) => {
  const seen = new Set<string>();
  const property = fc.property(
    sizedTemplates,
    unknownNames,
    fc.constantFrom<unknown>(1, 'a', null, {}, []),
    fc.nat(),
    (original, name, value, position) => {
      fc.pre(checkTemplate(original).ok);
      const document: unknown = JSON.parse(JSON.stringify(original));
      // The names of an item's values are those of the template's fields, and names of sizes are the template's.
      const objects = [...objectsOf(document)].filter(
        ([here]) => !/^variables.*value|bySize$/.test(here),
      );
      const [path, object] = objects[position % objects.length] ?? ['', {}];
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
      const check = checkTemplate(document);
      const problems = check.ok ? [] : check.problems;
      const expected = path === '' ? name : `${path}.${name}`;
      t.strictSame(
        problems.map((problem) => problem.path),
        [expected],
      );
      const unknown = /^is not a property of this object(; did you mean|; it has |, which takes )/;
      t.match(problems[0]?.message, unknown);
      seen.add(path.replaceAll(/\[\d+\]/g, '[]'));
    },
  );
  fc.assert(property, { numRuns: runs });
  t.ok(seen.size > 20, `${seen.size} kinds of positions were tried`);
});
