/** Bound properties whose value is empty or cannot be read: nothing of the sample is drawn. */
import t from 'tap';
import { resolveLayers } from '#language/bind/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import { noTables } from '../../src/render/table-values.ts';
import { repairVariables } from '../../src/render/values.ts';
import { publishedTemplate } from '../fixtures/published.ts';

const bar = { id: 'bar', type: 'rect', x: 0, y: 0, width: 100, height: 20, fill: '#ffffff' };

function drawn(
  type: 'number' | 'text',
  query: string,
  properties: object,
  changes: Partial<Template> = {},
): ReturnType<typeof resolveLayers> {
  const variables = [
    { name: 'p', type, value: '0.8' },
    { name: 'c', type: 'color', value: '#ff0000' },
  ] as const;
  const layers = [{ ...bar, ...properties }] as never;
  const template = publishedTemplate({ variables: [...variables], layers, ...changes });
  const values = repairVariables(template, parseQuery(query), noTables);
  return resolveLayers(template.document, values);
}

t.test('a layer without a number that it needs is not drawn, and is named', async (t) => {
  for (const type of ['number', 'text'] as const) {
    for (const name of ['x', 'y', 'width', 'height', 'rotation']) {
      const properties = { [name]: '{{p | range:0,1,0,360}}' };
      t.match(drawn(type, '', properties).layers, [{ [name]: 288 }]);
      t.match(drawn(type, 'p=0.5', properties).layers, [{ [name]: 180 }]);
      for (const query of ['p=abc', 'p=80%25', 'p=1e400']) {
        const { layers, invalid } = drawn(type, query, properties);
        t.same(layers, [], `${type} ${name} ${query}`);
        t.same(invalid, ['bar']);
      }
    }
  }
});

t.test('a property that may be absent is left out with the number in it', async (t) => {
  const properties = {
    opacity: '{{p}}',
    stroke: { color: '#000000', width: '{{p}}' },
    cornerRadius: ['{{p}}', 0, 0, 0],
    fill: {
      gradient: 'linear',
      stops: [
        { offset: 0, color: '{{c}}' },
        { offset: 1, color: '#fff' },
      ],
    },
  };
  const sample = drawn('number', '', properties).layers[0];
  t.match(sample, { opacity: 0.8, stroke: { width: 0.8 }, cornerRadius: [0.8, 0, 0, 0] });
  const [layer] = drawn('number', 'p=abc&c=reddish', properties).layers;
  t.same(Object.keys(layer ?? {}).toSorted(), ['height', 'id', 'type', 'width', 'x', 'y']);
  const background = { ...properties.fill } as never;
  t.ok(drawn('number', '', {}, { background }).background);
  t.equal(drawn('number', 'c=reddish', {}, { background }).background, undefined);
});

t.test('a number that is out of the range of its property takes the default', async (t) => {
  const { layers, invalid } = drawn('number', 'p=-5', { width: '{{p}}' });
  t.match(layers, [{ width: 0.8 }]);
  t.same(invalid, ['bar']);
});
