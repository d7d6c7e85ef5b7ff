/** The law of valid copies: whatever is unfinished in a document, its valid copy is a valid document. */
import * as fc from 'fast-check';
import t from 'tap';
import { walkLayers } from '#language/layer-tree.ts';
import { validCopy } from '#language/check/valid-copy.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { extent } from '../helpers/extent.ts';
import { sizedTemplates } from './template-arbitrary.ts';
import { changes, itself, unfinish } from './unfinished-arbitrary.ts';

t.test('a copy is valid, and a valid document is its own copy', (t) => {
  fc.assert(
    fc.property(sizedTemplates, changes, (values, steps) => {
      const checked = checkTemplate(values);
      fc.pre(checked.ok);
      const last = values as Template;
      t.equal(validCopy(last, itself(last)).document, last);
      const draft = structuredClone(last);
      unfinish(draft, steps);
      const typed = JSON.stringify(draft);
      const { document, problems } = validCopy(draft, itself(last));
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
  const { document } = validCopy(draft, itself(of('Pay')));
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
  const draft = structuredClone(last) as unknown as { layers: object[] };
  Object.assign(draft.layers[0] ?? {}, { src });
  Object.assign(draft.layers[1] ?? {}, { fill: '#00ff00' });
  const { document, problems } = validCopy(draft as unknown as Template, itself(last));
  t.match(problems, [{ path: 'layers[0].src', message: /bytes long, at most 262144/ }]);
  t.match(document.layers, [{ src: 'https://images.example.com/a.png' }, { fill: '#00ff00' }]);
  t.end();
});

t.test('a list that makes the document too long is left out, and all else stays', (t) => {
  const box = { x: 0, y: 0, width: 90, height: 10 };
  const src = `data:image/png;base64,${'A'.repeat(82_500)}`;
  const of = (items: readonly object[], text: string): Template =>
    ({
      format: 1,
      name: 'lists',
      width: 90,
      height: 10,
      variables: [
        {
          name: 'items',
          type: 'list',
          fields: [{ name: 'photo', type: 'image', value: '' }],
          value: items,
        },
      ],
      layers: [
        { ...box, id: 't', type: 'text', fontSize: 10, text },
        ...['a', 'b', 'c'].map((id) => ({ ...box, id, type: 'image', src })),
      ],
    }) as unknown as Template;
  const photo = `https://images.example.com/${'a'.repeat(1900)}`;
  const last = of([{ photo: 'https://images.example.com/a.png' }], 'Hello');
  const draft = of(
    Array.from({ length: 8 }, () => ({ photo })),
    'Hello, and a longer text',
  );
  const { document, problems } = validCopy(draft, itself(last));
  t.match(problems, [{ path: 'variables[0].value', message: /bytes long, at most 262144/ }]);
  t.strictSame(document, { ...draft, variables: last.variables });
  t.end();
});
