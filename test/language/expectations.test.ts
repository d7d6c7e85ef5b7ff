import { bindingSource } from '#language/bind/bindings.ts';
import { bindableLayerSchemas } from '#language/schema/bindable.ts';
import { TemplateShell } from '#language/schema/template.ts';
import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  layerProblems,
  problemsOf,
} from '../fixtures/template-documents.ts';

type Node = Record<string, unknown>;

/** A position of the schema: its path in messages, and a document with some value there and all else right. */
interface SchemaPosition {
  path: string;
  node: Node;
  documentWith: (value: unknown) => unknown;
}

/** Branches of a union without the binding; a node that is no union is its only one. */
function branchesOf(node: Node): Node[] {
  const branches = (node['anyOf'] ?? [node]) as Node[];
  return branches.filter(({ pattern }) => pattern !== bindingSource);
}

/** A right value for a schema. */
function sample(schema: Node): unknown {
  const [node = {}] = branchesOf(schema);
  if ('const' in node) return node['const'];
  if (Array.isArray(node['enum'])) return node['enum'][0];
  const items = node['items'] as Node;
  switch (node['type']) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return node['minimum'] ?? 1;
    case 'array':
      if (Array.isArray(node['prefixItems'])) return node['prefixItems'].map(sample);
      return Array.from({ length: Number(node['minItems'] ?? 1) }, () => sample(items));
    case 'object': {
      const properties = (node['properties'] ?? {}) as Record<string, Node>;
      const names = (node['required'] ?? []) as string[];
      return Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {})]));
    }
    default: {
      const { pattern } = node;
      return typeof pattern === 'string' && pattern.startsWith('^#') ? '#123456' : 'a';
    }
  }
}

/** The position itself and every position inside it; groups' and documents' layers are checked by their own schemas. */
function* positionsIn(position: SchemaPosition): Generator<SchemaPosition> {
  yield position;
  if (/(^|\.)layers$/.test(position.path)) return;
  for (const node of branchesOf(position.node)) {
    const given = sample(node);
    const properties = (node['properties'] ?? {}) as Record<string, Node>;
    for (const [name, child] of Object.entries(properties)) {
      if ('const' in child && position.path !== '') continue;
      yield* positionsIn({
        path: position.path === '' ? name : `${position.path}.${name}`,
        node: child,
        documentWith: (value) => position.documentWith({ ...(given as Node), [name]: value }),
      });
    }
    const [item] = (node['prefixItems'] ?? [node['items']]) as (Node | undefined)[];
    if (node['type'] !== 'array' || typeof item !== 'object') continue;
    const rest = (given as unknown[]).slice(1);
    yield* positionsIn({
      path: `${position.path}[0]`,
      node: item,
      documentWith: (value) => position.documentWith([value, ...rest]),
    });
  }
}

function* allPositions(): Generator<SchemaPosition> {
  const shell = TemplateShell as unknown as { properties: Record<string, Node> };
  for (const [path, node] of Object.entries(shell.properties)) {
    const documentWith = (value: unknown): unknown => {
      const [first, ...others] = path === 'variables' && Array.isArray(value) ? value : [];
      return typeof first === 'object' && others.length === 0
        ? aTemplate({ variables: [{ ...aVariable('a', 'text', ''), ...first }] })
        : aTemplate({ [path]: value });
    };
    yield* positionsIn({ path, node, documentWith });
  }
  for (const [type, schema] of Object.entries(bindableLayerSchemas as Record<string, Node>)) {
    const layer = { ...(sample(schema) as Node), ...aLayer(type) };
    for (const [name, node] of Object.entries(schema['properties'] as Record<string, Node>)) {
      if (name === 'type') continue;
      const documentWith = (value: unknown): unknown =>
        aTemplate({ layers: [{ ...layer, [name]: value }] });
      yield* positionsIn({ path: `layers[0].${name}`, node, documentWith });
    }
  }
}

/** What a message must say of a schema. */
function wordsFor(schema: Node): (string | RegExp)[] {
  const branches = branchesOf(schema);
  if (branches.length > 1) return [/\w{4}/];
  const [node = {}] = branches;
  if ('const' in node) return [String(node['const'])];
  if (Array.isArray(node['enum'])) return node['enum'].map(String);
  const words: Record<string, string | RegExp> = {
    boolean: 'true or false',
    integer: 'a whole number',
    number: 'a number',
    string: /\b(a text|a colour|tag)\b/,
    array: 'a list',
    object: 'an object',
  };
  return [words[String(node['type'])] ?? /never/];
}

/** Values out of each bound, with the bound. */
function outOfBounds(schema: Node): [value: unknown, bound: number][] {
  return branchesOf(schema).flatMap((node): [unknown, number][] => {
    const bound = (name: string): number[] => (name in node ? [Number(node[name])] : []);
    const items = (count: number): unknown[] => {
      const first = (node['prefixItems'] as Node[] | undefined)?.[0] ?? (node['items'] as Node);
      return Array.from({ length: count }, () => sample(first));
    };
    return [
      ...bound('minimum').map((least): [unknown, number] => [least - 1, least]),
      ...bound('maximum').map((most): [unknown, number] => [most + 1, most]),
      ...bound('minLength').map((least): [unknown, number] => ['', least]),
      ...bound('maxLength').map((most): [unknown, number] => ['M'.repeat(most + 1), most]),
      ...bound('minItems').map((least): [unknown, number] => [items(least - 1), least]),
      ...bound('maxItems').map((most): [unknown, number] => [items(most + 1), most]),
      ...bound('maxProperties').map((most): [unknown, number] => {
        const [key = ''] = Object.keys(node['patternProperties'] as Node);
        const value = sample((node['patternProperties'] as Record<string, Node>)[key] ?? {});
        const names = Array.from({ length: most + 1 }, (_, index) =>
          key.startsWith('^(#') ? `#${1000 + index}` : String(1000 + index),
        );
        return [Object.fromEntries(names.map((name) => [name, value])), most];
      }),
    ];
  });
}

/** What the message at a position tells as expected. */
function expectedAt({ path, documentWith }: SchemaPosition, value: unknown): string {
  const here = problemsOf(documentWith(value)).find((problem) => problem.startsWith(`${path} `));
  return here?.split(', expected ')[1] ?? '';
}

const positions = [...allPositions()];

t.test('a value of a wrong type is reported with the type or the choices', async (t) => {
  t.ok(positions.length > 500, `${positions.length} positions`);
  for (const position of positions) {
    const isBoolean = branchesOf(position.node).some(({ type }) => type === 'boolean');
    const expected = expectedAt(position, isBoolean ? 3 : true);
    const missing = wordsFor(position.node).filter((word) =>
      typeof word === 'string' ? !expected.includes(word) : !word.test(expected),
    );
    if (missing.length > 0) t.fail(`${position.path}: "${expected}" lacks ${missing.join()}`);
  }
});

t.test('a value out of bounds is reported with the bound that it breaks', async (t) => {
  let count = 0;
  for (const position of positions) {
    for (const [value, bound] of outOfBounds(position.node)) {
      const expected = expectedAt(position, value).replaceAll(/(?<=\d),(?=\d{3})/g, '');
      count += 1;
      const says = new RegExp(`(?<![\\d.])${bound}(?!\\d)`).test(expected);
      if (!says) t.fail(`${position.path}: "${expected}" does not say ${bound}`);
    }
  }
  t.ok(count > 500, `${count} bounds`);
});

t.test('a misspelt word is reported with the word that was meant', async (t) => {
  const problems = layerProblems('rect', { blendMode: 'multply', clip: { shape: 'elipse' } });
  t.match(problems, [/did you mean "multiply"\?$/, /"ellipse"\?$/]);
});

t.test('a list of a fixed length takes no more and no fewer', async (t) => {
  const wrong: [Record<string, unknown>, string][] = [
    [{ cornerRadius: [1, 2, 3, 4, 'junk'] }, 'layers[0].cornerRadius'],
    [{ cornerRadius: [1, 2, 3] }, 'layers[0].cornerRadius'],
    [{ clip: { shape: 'rect', cornerRadius: [1, 2, 3, 4, 5] } }, 'layers[0].clip.cornerRadius'],
    [{ path: 'M0 0H1', viewBox: [0, 0, 1, 1, 1] }, 'layers[0].viewBox'],
    [{ path: 'M0 0H1', viewBox: [0, 0, 1] }, 'layers[0].viewBox'],
  ];
  for (const [properties, path] of wrong) {
    const problems = layerProblems('path', { path: 'M0 0H1', ...properties });
    t.equal(problems.length, 1);
    t.ok(problems[0]?.startsWith(`${path} is an array of `), path);
  }
});
