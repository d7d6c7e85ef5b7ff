import { bindText, boundNames } from '#language/bind/bindings.ts';
import { layerTypes } from '#language/layers.ts';
import type { Layer } from '#language/schema/layers.ts';
import { createValidator } from '#language/schema/validator.ts';
import * as fc from 'fast-check';
import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  plainVariables as variables,
  resolveValid as resolve,
} from '../fixtures/template-documents.ts';
import { anyCodePoint } from '../helpers/code-points.ts';

const validators = new Map(
  Object.entries(layerTypes).map(([type, { schema }]) => [type, createValidator(schema)]),
);

/** Whether a bound layer fits the whole schema of its type. Renders check the properties that values change. */
function fitsSchema(layer: Layer): boolean {
  return validators.get(layer.type)?.Check(layer) === true;
}

t.test('a value is never looked at again', async (t) => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (a, b) => {
      const values = new Map(Object.entries({ a, b }));
      return bindText('<{{a}}|{{ b }}|{{c}}>', values) === `<${a}|${b}|>`;
    }),
  );
  for (const value of ['{{b}}', '{{ a }}', '$&', '$1', '$$', '$`', "$'", '\\', '{{', '}}']) {
    const values = new Map(Object.entries({ a: value, b: 'no' }));
    t.equal(bindText('({{a}})', values), `(${value})`);
  }
  t.same(boundNames('{{a}} {{ b }} {{}} {{{c}}} {{d', new Set()), ['a', 'b', 'c']);
});

t.test('values become texts, numbers, colours and booleans', async (t) => {
  const cornerRadius = ['{{n}}', 0, 0, '{{n}}'];
  const layers = [
    aLayer('text', { text: 'Hi {{name}}', visible: '{{b}}' }),
    aLayer('rect', { id: 'b', width: '{{n}}', fill: '{{c}}', cornerRadius }),
  ];
  const document = aTemplate({ variables, layers });
  t.match(resolve(document, { name: '{{c}}' }).layers, [
    { text: 'Hi {{c}}', visible: true },
    { width: 5, fill: '#ff0000', cornerRadius: [5, 0, 0, 5] },
  ]);
  const given = { n: '+019.90', b: 'On' };
  t.match(resolve(document, given).layers, [{ visible: true }, { width: 19.9 }]);
  t.match(resolve(document, { b: 'No' }).layers, [{ id: 'b' }]);
});

t.test('a layer that binds nothing is passed on as the same object', async (t) => {
  const layer = aLayer('rect', { fill: '#fff' });
  t.equal(resolve(aTemplate({ layers: [layer] })).layers[0], layer);
});

t.test('no value makes a layer invalid that binds texts alone', async () => {
  const layers = [
    aLayer('text', { text: '{{name}}' }),
    aLayer('text', { id: 'b', spans: [{ text: 'for {{name}}', underline: true }] }),
    aLayer('qr', { id: 'c', value: '{{name}}' }),
    aLayer('barcode', { id: 'd', kind: 'code128', value: 'x{{name}}' }),
    aLayer('svg', { id: 'e', svg: '<svg viewBox="0 0 9 9"><text>{{name}}</text></svg>' }),
  ];
  const document = aTemplate({ variables, layers });
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 400 }), (name) => {
      const { invalid, layers: drawn } = resolve(document, { name });
      return invalid.length === 0 && drawn.length === 5 && drawn.every(fitsSchema);
    }),
  );
});

t.test('whatever the values are, each drawn layer fits the schema of its type', async () => {
  const layers = [
    aLayer('rect', {
      x: '{{n}}',
      width: '{{n}}',
      cornerRadius: ['{{n}}', 0, 0, 1],
      fill: '{{c}}',
      stroke: { color: '{{c}}', width: '{{n}}' },
      shadow: { y: '{{n}}', blur: '{{n}}', color: '{{c}}' },
    }),
    aLayer('text', {
      id: 'b',
      text: '{{name}}',
      fontSize: '{{n}}',
      fontWeight: '{{n}}',
      fill: '{{name}}',
    }),
    aLayer('text', {
      id: 'c',
      spans: [{ text: '{{name}}', fill: '{{c}}', fontSize: '{{n}}', underline: '{{b}}' }],
    }),
    aLayer('image', { id: 'd', src: '{{name}}', opacity: '{{n}}', visible: '{{b}}' }),
  ];
  const defaults: Record<string, object> = { name: { value: '#123456' }, n: { value: '1' } };
  const declared = variables.map((each) => ({ ...each, ...defaults[String(each['name'])] }));
  const document = aTemplate({ variables: declared, layers });
  const some = (...words: string[]): fc.Arbitrary<string> =>
    fc.oneof(fc.constantFrom(...words), fc.string({ unit: anyCodePoint, maxLength: 40 }));
  const values = fc.record({
    name: some('', '#fff', 'red', 'https://example.com/a.png', 'asset:1'),
    n: some('', '0', '-1', '0.5', '1e9', '1e999', 'NaN', '400'),
    c: some('', '#fff', '#ff000080', 'red', '#12'),
    b: some('', 'true', 'false', '1', 'x'),
  });
  fc.assert(
    fc.property(values, (given) => resolve(document, given).layers.every(fitsSchema)),
    { numRuns: 500 },
  );
});

t.test('a text, a span and a code draw a value of any type as it is written', async (t) => {
  for (const [name, value] of Object.entries({ n: '019.90', b: 'Yes', c: '#F00' })) {
    const text = `{{${name}}}`;
    const layers = [
      aLayer('text', { text }),
      aLayer('text', { id: 'b', spans: [{ text }, { text: `€${text}` }] }),
      aLayer('qr', { id: 'c', value: text }),
      aLayer('barcode', { id: 'd', kind: 'code128', value: text }),
    ];
    const document = aTemplate({ variables, layers });
    const drawn = (shown: string): unknown[] => [
      { text: shown },
      { spans: [{ text: shown }, { text: `€${shown}` }] },
      { value: shown },
      { value: shown },
    ];
    for (const shown of [value, ''])
      t.match(resolve(document, { [name]: shown }), { layers: drawn(shown), invalid: [] }, name);
  }
});

t.test('only the property that a value makes invalid takes its default', async (t) => {
  const layers = [aLayer('text', { text: 'Hi {{name}}', fontSize: '{{n}}', fill: '{{c}}' })];
  const values = { name: 'Ben', n: '-3', c: '#00f' };
  const { layers: resolved, invalid } = resolve(aTemplate({ variables, layers }), values);
  t.match(resolved, [{ text: 'Hi Ben', fontSize: 5, fill: '#00f' }]);
  t.same(invalid, ['a']);
});

t.test('path data that cannot be drawn takes its default', async (t) => {
  const layers = [aLayer('path', { path: '{{p}}', clip: { shape: 'path', path: '{{p}}' } })];
  const document = aTemplate({ variables: [aVariable('p', 'text', 'M0 0H5')], layers });
  const { layers: resolved, invalid } = resolve(document, { p: 'M1e300 0' });
  t.match(resolved, [{ path: 'M0 0H5', clip: { path: 'M0 0H5' } }]);
  t.same(invalid, ['a']);
  t.match(resolve(document, { p: 'M0 0V7' }).layers, [{ path: 'M0 0V7' }]);
});

t.test('what is empty by choice leaves its property out', async (t) => {
  const layers = [
    aLayer('rect', { fill: '{{c}}', cornerRadius: '{{n}}', visible: '{{b}}' }),
    aLayer('rect', { id: 'b', width: '{{n}}' }),
  ];
  const document = aTemplate({ variables, layers, background: '{{c}}' });
  const { layers: resolved, invalid } = resolve(document, { c: '', n: '', b: '' });
  t.same(resolved[0], aLayer('rect'));
  t.equal(resolved[1], undefined, 'a layer without a property that must be there is left out');
  t.same(invalid, ['b']);
});

t.test('the background takes colours', async (t) => {
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
});

t.test('a value is one piece of the address that it stands in', async (t) => {
  const declared = [aVariable('v', 'text', 'x'), aVariable('photo', 'image', 'asset:a')];
  const bind = (src: string, values: Record<string, string>): unknown => {
    const layers = [aLayer('image', { src }), aLayer('rect', { id: 'b', fill: { image: src } })];
    const [image, rect] = resolve(aTemplate({ variables: declared, layers }), values).layers;
    t.match(rect, { fill: { image: Reflect.get(image ?? {}, 'src') } });
    return Reflect.get(image ?? {}, 'src');
  };
  const folder = 'https://cdn.example.com/a/{{v}}.png?w=1';
  const pieces: [value: string, piece: string][] = [
    ['42', '42'],
    ['a?b#c', 'a%3Fb%23c'],
    ['../../secret', '..%2F..%2Fsecret'],
    ['a&b=c', 'a%26b%3Dc'],
    ['Zoë 100%', 'Zo%C3%AB%20100%25'],
    ['\uD800', '%EF%BF%BD'],
  ];
  for (const [value, piece] of pieces) {
    t.equal(bind(folder, { v: value }), `https://cdn.example.com/a/${piece}.png?w=1`, value);
  }
  for (const dots of ['.', '..', '...']) {
    const address = new URL(String(bind('https://cdn.example.com/a/{{v}}/b.png', { v: dots })));
    t.match(address.pathname, /^\/a\/(%252E)+\/b\.png$/, 'no dots leave the folder');
  }
  t.equal(new URL(String(bind('https://example.com/.{{v}}/b', { v: '.' }))).pathname, '/.%252E/b');
  const address = 'https://example.com/a.png?x=1&y=%20';
  t.equal(bind('{{photo}}', { photo: address }), address, 'a whole address stays as it is');
  t.equal(bind(' {{photo}} ', { photo: address }), address);
  t.equal(bind('{{photo}}&w=2', { photo: address }), `${address}&w=2`, 'and the beginning of one');
  t.equal(bind('data:image/png;base64,{{v}}', { v: 'a+b/=' }), 'data:image/png;base64,a+b/=');
});

t.test('the value of a code and the address of an image keep their normal form', async (t) => {
  const value = 'José'.normalize('NFD');
  const layers = [
    aLayer('qr', { value: '{{name}}' }),
    aLayer('image', { id: 'photo', src: 'https://x.example/{{name}}.png' }),
  ];
  const named = [aVariable('name', 'text', 'x')];
  const [code, image] = resolve(aTemplate({ variables: named, layers }), { name: value }).layers;
  t.match(code, { value });
  t.match(image, { src: `https://x.example/${encodeURIComponent(value)}.png` });
});
