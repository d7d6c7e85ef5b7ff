/** Makes documents unfinished, as people leave them while they type. */
import * as fc from 'fast-check';
import type { ValidCopy } from '#language/check/box-changes.ts';
import { walkLayers } from '#language/layer-tree.ts';
import type { Template } from '#language/schema/template.ts';

/** A valid document as its own copy. */
export function itself(document: Template): ValidCopy {
  return { source: document, document, problems: [] };
}

/** What people leave in a field: parts of bindings, of numbers, colours, markup and paths, or nothing. */
const unfinished = fc.constantFrom<unknown>(
  '{{text|b:}}',
  'from {{number | curr}} to {{text}}',
  '{{item.title}}',
  '{{items}}',
  '{{missing}}',
  '{{ }}',
  '#12',
  '12a',
  '',
  '<svg><g',
  'M 10',
  -5,
  1e9,
  null,
  [],
  {},
  { variable: 'missing', equals: 1 },
);

/** An unfinished value at a position of a document; numbers choose among what is there. */
export const changes = fc.array(
  fc.record({
    owner: fc.nat({ max: 60 }),
    property: fc.nat({ max: 30 }),
    inner: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
    value: unfinished,
    isRemoved: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

type Parts = Record<string, unknown>;

/** Names that the editor itself keeps right: it changes them only together with their uses. */
const settled = new Set(['format', 'id', 'name', 'type', 'layers', 'variables']);

/** Changes a document by the steps. */
export function unfinish(
  document: Template,
  steps: typeof changes extends fc.Arbitrary<infer All> ? All : never,
): void {
  const owners: object[] = [
    document,
    ...document.variables,
    ...Array.from(walkLayers(document.layers), ([, layer]) => layer),
  ];
  for (const { owner, property, inner, value, isRemoved } of steps) {
    let holder = owners[owner % owners.length] as Parts;
    const names = Object.keys(holder).filter((name) => !settled.has(name));
    let name = names[property % Math.max(1, names.length)];
    for (const step of inner) {
      const next = holder[name ?? ''];
      const keys = typeof next === 'object' && next !== null ? Object.keys(next) : [];
      if (keys.length === 0) break;
      holder = next as Parts;
      name = keys[step % keys.length];
    }
    if (name === undefined) continue;
    if (isRemoved && !Array.isArray(holder)) delete holder[name];
    // A later step may change the value: it would change that of its other uses, too.
    else holder[name] = structuredClone(value);
  }
}
