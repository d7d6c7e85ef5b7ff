import { annotatedSchema, documentSchema } from '#language/schema/document.ts';
import { layerSchemas } from '#language/schema/layers.ts';
import { TemplateShell } from '#language/schema/template.ts';
import t from 'tap';
import { Compile } from 'typebox/compile';
import { listCases, readCase } from '../golden/cases.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';

t.test('the JSON schema takes what a template is and refuses what it is not', async (t) => {
  const validator = Compile(documentSchema());
  for (const name of listCases()) t.ok(validator.Check(readCase(name).template), name);
  t.notOk(validator.Check(aTemplate({ width: 0 })));
  t.notOk(validator.Check(aTemplate({ layers: [aLayer('rect', { fill: 'red' })] })));
  t.notOk(
    validator.Check(aTemplate({ layers: [aLayer('group', { layers: [aLayer('circle')] })] })),
  );
});

type Node = Record<string, unknown>;

/** Every property's schema inside a value, by its name. */
function* propertiesIn(value: unknown): Generator<[name: string, node: Node]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'properties') yield* Object.entries(child as Record<string, Node>);
    yield* propertiesIn(child);
  }
}

/** The same with the definitions that they refer to. */
function resolvedProperties(schema: Node): [name: string, node: Node][] {
  const definitions = schema['$defs'] as Record<string, Node>;
  return [...propertiesIn(schema)].map(([name, node]) => {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return [name, node];
    return [name, definitions[reference.replace('#/$defs/', '')] ?? {}];
  });
}

const wordsOf = (holds: 'data' | 'schema' | 'list' | 'names', words: string) =>
  Object.fromEntries(words.split(' ').map((word) => [word, holds] as const));

/** Keywords of draft 2020-12 by what they hold: nothing but data, one schema, a list of them, or some by name. */
const keywords = {
  ...wordsOf('data', '$schema $id $ref title description default const enum type required'),
  ...wordsOf('data', 'minimum maximum minLength maxLength pattern minItems maxItems maxProperties'),
  ...wordsOf('schema', 'items additionalProperties'),
  ...wordsOf('list', 'anyOf prefixItems'),
  ...wordsOf('names', 'properties patternProperties $defs'),
};

/** Positions of nodes that are not schemas of draft 2020-12. */
function* strangersIn(schema: unknown, path: string): Generator<string> {
  if (typeof schema === 'boolean') return;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    yield path;
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const here = `${path}/${keyword}`;
    const holds = keywords[keyword];
    const isList = holds === 'list' || ['enum', 'required'].includes(keyword);
    if (keyword === 'default') continue;
    if (holds === undefined || Array.isArray(value) !== isList) yield here;
    else if (holds === 'schema') yield* strangersIn(value, here);
    else if (holds !== 'data')
      for (const [name, child] of Object.entries(value))
        yield* strangersIn(child, `${here}/${name}`);
  }
}

t.test('the JSON schema is one of draft 2020-12', async (t) => {
  const schema = documentSchema();
  t.same([...strangersIn(schema, '#')], []);
  const older = { items: [{ type: 'number' }], additionalItems: false };
  t.same([...strangersIn(older, '#')], ['#/items', '#/additionalItems'], 'older ones are reported');
  const text = JSON.stringify(schema);
  for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
    t.ok(Object.hasOwn(schema['$defs'] as object, reference), `${reference} is defined`);
  }
});

t.test('an editor can tell what each property is, its bounds and its default', async (t) => {
  const schema = documentSchema();
  const nodes = resolvedProperties(schema);
  t.ok(nodes.length > 300, 'the schema was read');
  let [bounded, standards] = [0, 0];
  for (const [name, node] of nodes) {
    const { description = '', anyOf = [node] } = node as { description?: string; anyOf?: Node[] };
    t.not(description, '', name);
    if (typeof anyOf[0]?.['minimum'] === 'number') {
      bounded += 1;
      t.match(description, /\d/, `${name} with its bounds`);
    }
    if (!('default' in node)) continue;
    standards += 1;
    t.ok(description.endsWith(`; default ${JSON.stringify(node['default'])}`), name);
  }
  t.ok(bounded > 100 && standards > 100, `${bounded} have bounds, ${standards} a default`);
});

t.test('the description of a number says its unit, and no other', async (t) => {
  const words = { px: /design pixels/, '°': /degrees/, s: /seconds/ };
  const numbers = resolvedProperties(annotatedSchema()).filter(([, { type, anyOf }]) => {
    const types = ((anyOf ?? []) as Node[]).map((branch) => branch['type']);
    if (types.includes('array')) return false;
    return ['integer', 'number'].includes(String(types[0] ?? type));
  });
  t.ok(numbers.length > 100, `${numbers.length} numbers`);
  for (const [name, { description, unit }] of numbers) {
    for (const [each, pattern] of Object.entries(words)) {
      t.equal(pattern.test(String(description)), each === unit, `${name}: ${String(description)}`);
    }
  }
});

t.test('a default is a value that its property takes', async (t) => {
  for (const [type, schema] of Object.entries({ ...layerSchemas, document: TemplateShell })) {
    for (const [name, node] of propertiesIn(JSON.parse(JSON.stringify(schema)))) {
      if ('default' in node) t.ok(Compile(node).Check(node['default']), `${type} ${name}`);
    }
  }
});
