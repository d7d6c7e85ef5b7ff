/** The law of valid copies: whatever is unfinished in a document, its valid copy is a valid document. */
import * as fc from 'fast-check';
import t from 'tap';
import { walkLayers } from '#language/layer-tree.ts';
import { validCopy } from '#language/check/valid-copy.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { extent } from '../helpers/extent.ts';
import { sizedTemplates } from './template-arbitrary.ts';

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
const changes = fc.array(
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

function unfinish(
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
    else holder[name] = value;
  }
}

t.test('a copy is valid, and a valid document is its own copy', (t) => {
  fc.assert(
    fc.property(sizedTemplates, changes, (values, steps) => {
      const checked = checkTemplate(values);
      fc.pre(checked.ok);
      const last = values as Template;
      t.equal(validCopy(last, last).document, last);
      const draft = structuredClone(last);
      unfinish(draft, steps);
      const typed = JSON.stringify(draft);
      const { document, problems } = validCopy(draft, last);
      t.match(checkTemplate(JSON.parse(JSON.stringify(document))), {
        ok: true,
        template: JSON.parse(JSON.stringify(document)),
      });
      t.equal(problems.length === 0, document === draft);
      t.equal(JSON.stringify(draft), typed, 'the document stays as it is typed');
      const ids = (each: Template): string[] =>
        Array.from(walkLayers(each.layers), ([, { id }]) => id);
      t.strictSame(ids(document), ids(last), 'no layer is lost');
    }),
    { numRuns: extent(60, 400) },
  );
  t.end();
});

t.test('a text with several unfinished bindings keeps all of its letters', (t) => {
  const layer = { id: 't', type: 'text', x: 0, y: 0, width: 90, height: 10, fontSize: 10 };
  const of = (text: string): Template =>
    ({
      format: 1,
      name: 'texts',
      width: 90,
      height: 10,
      variables: [{ name: 'price', type: 'number', value: '1' }],
      layers: [{ ...layer, text }],
    }) as unknown as Template;
  const draft = of('Pay {{price | curr}} and {{item.title}} at {{price|b:}} now');
  const { document } = validCopy(draft, of('Pay'));
  t.match(document.layers, [{ text: 'Pay {{price}} and  at {{price}} now' }]);
  t.end();
});

t.test('a text that makes the document too long is left out, and all else stays', (t) => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const src = `data:image/png;base64,${'A'.repeat(80_000)}`;
  const last = {
    format: 1,
    name: 'long',
    width: 10,
    height: 10,
    variables: [],
    layers: [
      { ...box, id: 'i', type: 'image', src: 'https://images.example.com/a.png' },
      { ...box, id: 'r', type: 'rect', fill: '#ff0000' },
      ...['a', 'b', 'c'].map((id) => ({ ...box, id, type: 'image', src })),
    ],
  } as unknown as Template;
  const draft = structuredClone(last) as unknown as { layers: Parts[] };
  Object.assign(draft.layers[0] ?? {}, { src });
  Object.assign(draft.layers[1] ?? {}, { fill: '#00ff00' });
  const { document, problems } = validCopy(draft as unknown as Template, last);
  t.match(problems, [{ path: 'layers[0].src', message: /bytes long, at most 262144/ }]);
  t.match(document.layers, [{ src: 'https://images.example.com/a.png' }, { fill: '#00ff00' }]);
  t.end();
});
