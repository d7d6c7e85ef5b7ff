/** The law of valid copies: whatever is unfinished in a document, its valid copy is a valid document. */
import * as fc from 'fast-check';
import t from 'tap';
import { walkLayers } from '#language/layer-tree.ts';
import { validCopy } from '#language/check/valid-copy.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';
import { extent } from '../helpers/extent.ts';
import { sizedTemplates } from './template-arbitrary.ts';
import { changes, itself, unfinish } from './unfinished-arbitrary.ts';

t.test('a copy is valid, and a valid document is its own copy', async (t) => {
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
      const copy: unknown = JSON.parse(JSON.stringify(document));
      t.match(checkTemplate(copy), { ok: true, template: copy });
      t.equal(problems.length === 0, document === draft);
      t.equal(JSON.stringify(draft), typed, 'the document stays as it is typed');
      const ids = (each: Template): string[] =>
        Array.from(walkLayers(each.layers), ([, { id }]) => id);
      t.strictSame(ids(document), ids(last), 'no layer is lost');
    }),
    { numRuns: extent(60, 400) },
  );
});

const aDocument = (properties: Record<string, unknown>): Template =>
  aTemplate(properties) as unknown as Template;

t.test('a text with several unfinished bindings keeps all of its letters', async (t) => {
  const variables = [aVariable('price', 'number', '1')];
  const of = (text: string): Template =>
    aDocument({ variables, layers: [aLayer('text', { fontSize: 10, text })] });
  const draft = of('Pay {{price | curr}} and {{item.title}} at {{price|b:}} now');
  const { document } = validCopy(draft, itself(of('Pay')));
  t.match(document.layers, [{ text: 'Pay {{price}} and  at {{price}} now' }]);
});

t.test('a layer with several unfinished parts stays, with as many of them as can', async (t) => {
  const variables = [aVariable('price', 'number', '1')];
  const stops = [0, '{{price}}'].map((offset) => ({ offset, color: '#f00' }));
  const background = { gradient: 'linear', stops };
  const of = (first: object, layer: object): Template =>
    aDocument({
      background,
      variables: [{ ...variables[0], ...first }],
      layers: [{ ...rect, ...layer }],
    });
  const rect = aLayer('rect', { width: '{{price}}', fill: '#ff0000' });
  const last = of({}, {});
  for (const [title, draft, expected] of [
    ['a box', of({}, { y: undefined, x: '{{price|b:}}', fill: '#00ff00' }), { y: 0, x: 0 }],
    ['the default of its width', of({ value: '{{item.title}}' }, {}), { width: '{{price}}' }],
  ] as const) {
    const { document } = validCopy(JSON.parse(JSON.stringify(draft)), itself(last));
    t.match(document.layers, [expected], title);
    t.match(checkTemplate(document), { ok: true });
  }
});

t.test('a list without fields beside layers that repeat it has those of before', async (t) => {
  const list = { name: 'items', type: 'list', fields: [aVariable('title', 'text', '')], value: [] };
  const of = (more: object, width: number): Template => {
    const text = '{{item.title}}';
    const layers = [{ id: 't', type: 'text', width, height: 9, fontSize: 9, text }];
    const stack = { direction: 'row', gap: 0, repeat: { list: 'items' }, layers };
    return aDocument({ variables: [{ ...list, ...more }], layers: [aLayer('stack', stack)] });
  };
  const last = of({}, 9);
  t.same(problemsOf(last), []);
  for (const fields of [undefined, {}, [null], [{}]]) {
    const draft = JSON.parse(JSON.stringify(of({ fields }, -5))) as Template;
    t.same(validCopy(draft, itself(last)).document, last, JSON.stringify(fields));
  }
});

const data = (letters: number): string => `data:image/png;base64,${'A'.repeat(letters)}`;

/** Three images of so many letters each. */
const images = (letters: number): object[] =>
  ['i1', 'i2', 'i3'].map((id) => aLayer('image', { id, src: data(letters) }));

t.test('a text that makes the document too long is left out, and all else stays', async (t) => {
  const of = (src: string, fill: string): Template =>
    aDocument({
      layers: [aLayer('image', { src }), aLayer('rect', { id: 'r', fill }), ...images(80_000)],
    });
  const last = of('https://images.example.com/a.png', '#ff0000');
  const draft = of(data(80_000), '#00ff00');
  const { document, problems } = validCopy(draft, itself(last));
  t.match(problems, [{ path: 'layers[0].src', message: /bytes long, at most 262144/ }]);
  t.match(document.layers, [{ src: 'https://images.example.com/a.png' }, { fill: '#00ff00' }]);
});

t.test('a list that makes the document too long is left out, and all else stays', async (t) => {
  const fields = [aVariable('photo', 'image', '')];
  const of = (value: readonly object[], text: string): Template =>
    aDocument({
      variables: [{ name: 'items', type: 'list', fields, value }],
      layers: [aLayer('text', { fontSize: 10, text }), ...images(82_500)],
    });
  const photo = `https://images.example.com/${'a'.repeat(1900)}`;
  const last = of([{ photo: 'https://images.example.com/a.png' }], 'Hello');
  const many = Array.from({ length: 8 }, () => ({ photo }));
  const draft = of(many, 'Hello, and a longer text');
  const { document, problems } = validCopy(draft, itself(last));
  t.match(problems, [{ path: 'variables[0].value', message: /bytes long, at most 262144/ }]);
  t.strictSame(document, { ...draft, variables: last.variables });
});
