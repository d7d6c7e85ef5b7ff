import { bindText, boundNames } from '#shared/bindings.ts';
import { resolveLayers } from '#shared/resolve-layers.ts';
import type { Template } from '#shared/template-schema.ts';
import * as fc from 'fast-check';
import t from 'tap';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

/** Layers of a valid document with these values; defaults stand in for the others. */
function resolve(
  document: Record<string, unknown>,
  values: Record<string, string> = {},
): ReturnType<typeof resolveLayers> {
  t.same(problemsOf(document), [], 'the document is valid');
  const template = document as unknown as Template;
  const given = new Map(Object.entries(values));
  return resolveLayers(
    template,
    new Map(template.variables.map(({ name, value }) => [name, given.get(name) ?? value])),
  );
}

const variables = [
  aVariable('name', 'text', 'Amanda'),
  aVariable('c', 'color', '#ff0000'),
  aVariable('n', 'number', '5'),
  aVariable('b', 'boolean', 'true'),
];

t.test('a value is never looked at again', (t) => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (a, b) => {
      const values = new Map([
        ['a', a],
        ['b', b],
      ]);
      return bindText('<{{a}}|{{ b }}|{{c}}>', values) === `<${a}|${b}|>`;
    }),
  );
  for (const value of ['{{b}}', '{{ a }}', '$&', '$1', '$$', '$`', "$'", '\\', '{{', '}}']) {
    t.equal(
      bindText(
        '({{a}})',
        new Map([
          ['a', value],
          ['b', 'no'],
        ]),
      ),
      `(${value})`,
    );
  }
  t.same(boundNames('{{a}} {{ b }} {{}} {{{c}}} {{d'), ['a', 'b', 'c']);
  t.end();
});

t.test('values become texts, numbers, colours and switches', (t) => {
  const layers = [
    aLayer('text', { text: 'Hi {{name}}', visible: '{{b}}' }),
    aLayer('rect', {
      id: 'b',
      width: '{{n}}',
      fill: '{{c}}',
      cornerRadius: ['{{n}}', 0, 0, '{{n}}'],
    }),
  ];
  t.match(resolve(aTemplate({ variables, layers }), { name: '{{c}}' }).layers, [
    { text: 'Hi {{c}}', visible: true },
    { width: 5, fill: '#ff0000', cornerRadius: [5, 0, 0, 5] },
  ]);
  t.end();
});

t.test('a layer that binds nothing is passed on as the same object', (t) => {
  const layer = aLayer('rect', { fill: '#fff' });
  t.equal(resolve(aTemplate({ layers: [layer] })).layers[0], layer);
  t.end();
});

t.test('only the property that a value makes invalid takes its default', (t) => {
  const layers = [aLayer('text', { text: 'Hi {{name}}', fontSize: '{{n}}', fill: '{{c}}' })];
  const { layers: resolved, invalid } = resolve(aTemplate({ variables, layers }), {
    name: 'Ben',
    n: '-3',
    c: '#00f',
  });
  t.match(resolved, [{ text: 'Hi Ben', fontSize: 5, fill: '#00f' }]);
  t.same(invalid, ['a']);
  t.end();
});

t.test('path data that cannot be drawn takes its default', (t) => {
  const layers = [aLayer('path', { path: '{{p}}', clip: { shape: 'path', path: '{{p}}' } })];
  const document = aTemplate({ variables: [aVariable('p', 'text', 'M0 0H5')], layers });
  const { layers: resolved, invalid } = resolve(document, { p: 'M1e300 0' });
  t.match(resolved, [{ path: 'M0 0H5', clip: { path: 'M0 0H5' } }]);
  t.same(invalid, ['a']);
  t.match(resolve(document, { p: 'M0 0V7' }).layers, [{ path: 'M0 0V7' }]);
  t.end();
});

t.test('what is empty by choice leaves its property out', (t) => {
  const layers = [
    aLayer('rect', { fill: '{{c}}', cornerRadius: '{{n}}', visible: '{{b}}' }),
    aLayer('rect', { id: 'b', width: '{{n}}' }),
  ];
  const { layers: resolved, invalid } = resolve(
    aTemplate({ variables, layers, background: '{{c}}' }),
    { c: '', n: '', b: '' },
  );
  t.notOk(
    Object.keys(resolved[0] ?? {}).some((name) =>
      ['fill', 'cornerRadius', 'visible'].includes(name),
    ),
  );
  t.match(resolved[1], { width: 5 }, 'a property that must be there takes its default');
  t.same(invalid, ['b']);
  t.end();
});

t.test('the background takes colours', (t) => {
  const document = aTemplate({
    variables: [...variables, aVariable('x', 'text', '#123')],
    background: '{{x}}',
  });
  t.equal(resolve(document).background, '#123');
  t.equal(resolve(document, { x: '#456' }).background, '#456');
  const bad = resolve(document, { x: 'url(#x)' });
  t.equal(bad.background, '#123');
  t.ok(bad.invalidBackground);
  t.equal(resolve(aTemplate({ background: 'none' })).background, undefined);
  t.equal(resolve(aTemplate()).background, undefined);
  t.end();
});

t.test('a value stays text in markup', (t) => {
  const svg = '<svg viewBox="0 0 9 9"><text fill="{{c}}">{{name}}</text></svg>';
  const document = aTemplate({ variables, layers: [aLayer('svg', { svg })] });
  const [layer] = resolve(document, { name: `</text><script>"&'` }).layers;
  t.match(layer, {
    svg: '<svg viewBox="0 0 9 9"><text fill="#ff0000">&lt;/text&gt;&lt;script&gt;&quot;&amp;&#39;</text></svg>',
  });
  t.end();
});

t.test('a condition compares with texts and with other variables', (t) => {
  const shown = (condition: unknown, values: Record<string, string>): boolean => {
    const layers = [aLayer('rect', { visibleWhen: condition })];
    return resolve(aTemplate({ variables, layers }), values).layers.length === 1;
  };
  t.ok(shown({ variable: 'name', equals: '{{c}}' }, { name: '#ff0000' }));
  t.ok(shown({ variable: 'name', oneOf: ['x', '{{c}}'] }, { name: '#ff0000' }));
  t.notOk(shown({ variable: 'name', oneOf: ['x', '{{c}}'] }, { name: '#ff0001' }));
  t.ok(shown({ variable: 'n', oneOf: ['1', ''] }, { n: '' }));
  t.notOk(shown({ variable: 'name', notEquals: '{{c}}' }, { name: '#ff0000' }));
  t.ok(
    shown(
      [
        { variable: 'n', greaterThan: 4 },
        { variable: 'n', lessThan: 6 },
      ],
      {},
    ),
  );
  t.notOk(shown({ variable: 'n', greaterThan: -1 }, { n: '' }), 'nothing is no number');
  t.ok(shown([], {}), 'no condition holds');
  t.end();
});
