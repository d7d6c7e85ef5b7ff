/** Documents with very many mistakes: each is refused, with as many problems as a designer can use. */
import t from 'tap';
import { checkTemplate } from '#language/template.ts';
import { checkMeaning } from '#language/check/template-meaning.ts';
import { problemsMax } from '#language/check/template-problems.ts';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

/** More than the errors that a schema's check reports. */
const counts = [499, 501, 5000];

function unknownProperties(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`z${index}`, 1]));
}

t.test('any number of unknown properties leaves the schema in force', async (t) => {
  for (const count of counts) {
    const unknown = unknownProperties(count);
    const animation = { ...unknown, type: 'countdown', frames: 4_000_000_000 };
    for (const [subject, document] of [
      ['a document', { ...unknown, ...aTemplate({}) }],
      ['a document with a wrong width', { ...unknown, ...aTemplate({ width: -1 }) }],
      ['a layer', aTemplate({ layers: [aLayer('rect', { ...unknown, blur: 'abc' })] })],
      ['a variable', aTemplate({ variables: [aVariable('a', 'text', '', unknown)] })],
      ['an animation', aTemplate({ animation })],
    ] as const) {
      const { length } = problemsOf(document);
      t.ok(length > 0 && length <= problemsMax, `${subject} with ${count}: ${length} problems`);
    }
  }
});

t.test('a default of the wrong kind is a problem of its variable', async (t) => {
  const problem = 'variables[0].value is an array of 1, expected a text';
  for (const type of ['text', 'image', 'color', 'number', 'boolean', 'date']) {
    const variables = [{ name: 'a', type, value: [{ a: '1' }] }];
    t.strictSame(problemsOf(aTemplate({ variables })), [problem], type);
  }
  const list = { name: 'a', type: 'list', value: 'x', fields: [] };
  t.ok(problemsOf(aTemplate({ variables: [list] })).length > 0, 'a list');
});

/** 40 characters, the most that are compared with other names. */
function nameOf(index: number): string {
  return `${index}`.padEnd(40, 'w');
}

const indices = Array.from({ length: 400 }, (_, index) => index);
const variables = indices
  .slice(0, 200)
  .map((index) => aVariable(`${index}`.padEnd(36, 'q'), 'text', ''));

const layersOf = (type: string, propertiesOf: (index: number) => object): unknown[] =>
  indices.map((index) => aLayer(type, { id: `l${index}`, ...propertiesOf(index) }));
const known = '0'.padEnd(36, 'q');
const visibleWhen = indices.slice(0, 8).map((at) => ({ variable: nameOf(at), equals: '1' }));

/** In each, thousands of names are wrong, and finding what was meant by one takes a millisecond. */
const wrongNames: Record<string, Record<string, unknown>> = {
  bindings: {
    layers: layersOf('text', (index) => ({ text: `{{${nameOf(index)}}}`.repeat(5) })),
  },
  formats: {
    layers: layersOf('text', (index) => ({
      text: `{{${known} | currency:${nameOf(index)}}}`.repeat(5),
    })),
  },
  conditions: { layers: layersOf('rect', () => ({ visibleWhen })) },
  'values of an animation': {
    animation: {
      type: 'values',
      frames: indices.slice(0, 60).map((index) => ({
        seconds: 1,
        values: Object.fromEntries(
          indices.slice(0, 20).map((at) => [nameOf(index * 100 + at), '1']),
        ),
      })),
    },
  },
};

t.test('a check ends with the last problem that it reports', async (t) => {
  for (const [what, parts] of Object.entries(wrongNames)) {
    const document = aTemplate({ variables, ...parts });
    const problems: TemplateProblem[] = [];
    Array.from(checkMeaning(document as unknown as Template, problems));
    t.ok(problems.length >= problemsMax, `${what}: ${problems.length} problems`);
    t.ok(problems.length < 2 * problemsMax, `${what} ends`);
    const parsed = checkTemplate(document);
    t.equal(parsed.ok ? 0 : parsed.problems.length, problemsMax, `${what} in the answer`);
  }
});
