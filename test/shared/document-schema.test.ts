import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { annotatedSchema, documentSchema } from '#language/schema/document.ts';
import { layerSchemas } from '#language/schema/layers.ts';
import { TemplateShell } from '#language/schema/template.ts';
import t from 'tap';
import { Compile } from 'typebox/compile';
import { listCases, readCase } from '../golden/cases.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';

t.test('docs/template.schema.json is current', (t) => {
  const path = join(import.meta.dirname, '../../docs/template.schema.json');
  t.same(JSON.parse(readFileSync(path, 'utf8')), documentSchema(), 'else run `npm run docs`');
  t.end();
});

t.test('the JSON schema takes what a template is and refuses what it is not', (t) => {
  const validator = Compile(documentSchema());
  for (const name of listCases()) t.ok(validator.Check(readCase(name).template), name);
  t.notOk(validator.Check(aTemplate({ width: 0 })));
  t.notOk(validator.Check(aTemplate({ layers: [aLayer('rect', { fill: 'red' })] })));
  t.notOk(
    validator.Check(aTemplate({ layers: [aLayer('group', { layers: [aLayer('circle')] })] })),
  );
  t.end();
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

/** Keywords of draft 2020-12 by what they hold: nothing but data, one schema, a list of them, or some by name. */
const data = 'data';
const keywords: Record<string, 'data' | 'schema' | 'list' | 'names'> = {
  ...Object.fromEntries(
    [
      '$schema',
      '$id',
      '$ref',
      'title',
      'description',
      'default',
      'const',
      'enum',
      'type',
      'required',
    ].map((word) => [word, data]),
  ),
  ...Object.fromEntries(
    [
      'minimum',
      'maximum',
      'minLength',
      'maxLength',
      'pattern',
      'minItems',
      'maxItems',
      'maxProperties',
    ].map((word) => [word, data]),
  ),
  items: 'schema',
  additionalProperties: 'schema',
  anyOf: 'list',
  prefixItems: 'list',
  properties: 'names',
  patternProperties: 'names',
  $defs: 'names',
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
    if (
      holds === undefined ||
      Array.isArray(value) !== (holds === 'list' || ['enum', 'required'].includes(keyword))
    ) {
      if (!(keyword === 'default' && holds === data)) yield here;
      continue;
    }
    if (holds === data) continue;
    if (holds === 'schema') yield* strangersIn(value, here);
    else
      for (const [name, child] of Object.entries(value))
        yield* strangersIn(child, `${here}/${name}`);
  }
}

t.test('the JSON schema is one of draft 2020-12', (t) => {
  const schema = documentSchema();
  t.same([...strangersIn(schema, '#')], []);
  const older = { items: [{ type: 'number' }], additionalItems: false };
  t.same([...strangersIn(older, '#')], ['#/items', '#/additionalItems'], 'older ones are reported');
  const text = JSON.stringify(schema);
  for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
    t.ok(Object.hasOwn(schema['$defs'] as object, reference), `${reference} is defined`);
  }
  t.end();
});

t.test('an editor can tell what each property is, its bounds and its default', (t) => {
  const schema = documentSchema();
  const nodes = resolvedProperties(schema);
  t.ok(nodes.length > 300, 'the schema was read');
  const described = ({ description }: Node): string =>
    typeof description === 'string' ? description : '';
  t.same(
    nodes.filter(([, node]) => described(node) === '').map(([name]) => name),
    [],
    'each has a description',
  );
  const numbers = ({ anyOf, ...node }: Node): Node =>
    (Array.isArray(anyOf) ? anyOf[0] : node) as Node;
  const bounded = nodes.filter(([, node]) => typeof numbers(node)['minimum'] === 'number');
  t.ok(bounded.length > 100, `${bounded.length} have bounds`);
  t.same(
    bounded.filter(([, node]) => !/\d/.test(described(node))).map(([name]) => name),
    [],
    'with its bounds',
  );
  const standards = nodes.filter(([, node]) => 'default' in node);
  t.ok(standards.length > 100);
  for (const [name, node] of standards) {
    t.ok(described(node).endsWith(`; default ${JSON.stringify(node['default'])}`), name);
  }
  t.end();
});

t.test('the description of a number says its unit, and no other', (t) => {
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
  t.end();
});

t.test('a default is a value that its property takes', (t) => {
  for (const [type, schema] of Object.entries({ ...layerSchemas, document: TemplateShell })) {
    for (const [name, node] of propertiesIn(JSON.parse(JSON.stringify(schema)))) {
      if ('default' in node) t.ok(Compile(node).Check(node['default']), `${type} ${name}`);
    }
  }
  t.end();
});
