import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  layerProblems,
  problemsOf,
} from '../../fixtures/template-documents.ts';

const variables = [aVariable('price', 'number', '5')];

t.test('a range is refused where an end of it is out of the range of its property', async (t) => {
  const ranged = (properties: Record<string, unknown>): string[] =>
    layerProblems('text', { text: 'x', ...properties }, variables);
  t.same(ranged({ width: '{{price | range:0,100,0,400}}' }), []);
  t.same(ranged({ fill: '{{price | range:0,100,#ff0000,#00ff00}}' }), []);
  t.same(ranged({ fontWeight: '{{price | range:0,100,100,900,0}}' }), []);
  t.match(ranged({ width: '{{price | range:0,100,-10,400}}' }), [
    /layers\[0\]\.width is -10, expected .* \(its range gives -10\)/,
  ]);
  t.match(ranged({ rotation: '{{price | range:0,100,0,361}}' }), [/rotation is 361/]);
  t.match(ranged({ fontWeight: '{{price | range:0,100,100,900}}' }), [/fontWeight is 366.6667/]);
  t.match(ranged({ width: '{{price | currency:EUR}}' }), [/width is "€5.00", expected a number/]);
  t.match(ranged({ width: '{{price|range:0,100,90,-1}}', height: '{{price|range:0,100,90,-7}}' }), [
    /width is -1, .* \(its range gives -1\)/,
    /height is -7, .* \(its range gives -7\)/,
  ]);
});

t.test('a layer is checked as often with very many ranges as with one', async (t) => {
  const offset = (index: number): string =>
    `{{price|range:0,100,0,0.${String(index).padStart(4, '0')}}}`;
  const stops = Array.from({ length: 16 }, () => ({ offset: '0', color: '#fff' }));
  const spans = Array.from({ length: 50 }, (_, span) => ({
    text: 'x',
    fill: {
      gradient: 'linear',
      stops: stops.map((stop, index) => ({ ...stop, offset: offset(span * 16 + index) })),
    },
  }));
  let reads = 0;
  const counted = new Proxy(spans[0] ?? {}, {
    get(target, key, receiver): unknown {
      reads += key === 'text' ? 1 : 0;
      return Reflect.get(target, key, receiver);
    },
  });
  const layers = [aLayer('text', { spans: [counted, ...spans.slice(1)] })];
  t.same(problemsOf(aTemplate({ variables, layers })), []);
  t.ok(reads < 100, `${reads} reads`);
  const readsOfOne = reads;
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8].map((each) => ({ name: `s${each}`, width: 9, height: 9 }));
  t.same(problemsOf(aTemplate({ variables, layers, sizes })), []);
  t.ok(reads < 7 * readsOfOne, `${reads} reads in nine sizes, ${readsOfOne} in one`);
});
