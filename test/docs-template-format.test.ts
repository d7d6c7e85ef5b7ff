import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { documentSchema } from '#shared/document-schema.ts';
import type { JsonSchema } from '#shared/document-schema.ts';
import { problemsOf } from './fixtures/template-documents.ts';

const path = join(import.meta.dirname, '../docs/template-format.md');
const page = readFileSync(path, 'utf8');
/** Names in code spans: `shadow.x` names both. */
const named = new Set(
  [...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/[^\w$-]+/)),
);

/** Every property name and every choice of the schema. */
function namesIn(schema: unknown): { properties: string[]; choices: string[] } {
  const properties = new Set<string>();
  const choices = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as JsonSchema;
    if (typeof node['properties'] === 'object' && node['properties'] !== null) {
      for (const name of Object.keys(node['properties'])) properties.add(name);
    }
    if (Array.isArray(node['enum'])) for (const word of node['enum']) choices.add(String(word));
    for (const child of Object.values(node)) visit(child);
  };
  visit(schema);
  return { properties: [...properties], choices: [...choices] };
}

t.test('the page names every property and every choice of the schema', (t) => {
  const { properties, choices } = namesIn(documentSchema());
  t.ok(properties.length > 100 && choices.length > 60, 'the schema was read');
  t.same(
    properties.filter((name) => !named.has(name)),
    [],
  );
  t.same(
    choices.filter((word) => !named.has(word)),
    [],
  );
  t.end();
});

t.test('every link of the page leads to a file or a heading', (t) => {
  const headings = new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  const targets = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const broken = targets.filter((target) =>
    target.startsWith('#')
      ? !headings.has(target.slice(1))
      : !existsSync(join(dirname(path), target)),
  );
  t.ok(targets.length > 60);
  t.same(broken, []);
  t.end();
});

t.test('the example is a template', (t) => {
  const [, example = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
  t.same(problemsOf(JSON.parse(example)), []);
  t.end();
});
