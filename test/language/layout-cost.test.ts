import { templateLimits } from '#language/limits/template-limits.ts';
import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  layerProblems,
  problemsOf,
} from '../fixtures/template-documents.ts';

/** As many layers, each with properties of its own. */
const layersOf = (
  count: number,
  type: string,
  properties: (index: number) => Record<string, unknown>,
): unknown[] =>
  Array.from({ length: count }, (_, index) =>
    aLayer(type, { id: `l${index}`, ...properties(index) }),
  );
const textOf = (count: number, text: string): unknown[] =>
  layersOf(count, 'text', () => ({ text }));
const texts = (count: number, properties: Record<string, unknown> = {}): unknown[] =>
  Array.from({ length: count }, (_, index) => aVariable(`v${index}`, 'text', '', properties));
const boundTexts = (count: number): unknown[] =>
  layersOf(count, 'text', (index) => ({ text: `{{v${index}}}` }));

t.test('what real templates ask for is taken', async (t) => {
  const fine: [title: string, layers: unknown[], variables?: unknown[]][] = [
    ['60 texts of a line', textOf(60, 'Sat 14 March, doors 19:30 · Harbour Hall')],
    ['500 labels', textOf(500, 'Label 12')],
    ['a page of each alphabet', textOf(4, 'Привет, мир! '.repeat(180))],
    ['a page of Arabic, Thai, Han', textOf(5, 'مرحبا สวัสดี 漢字 '.repeat(100))],
    ['200 texts of links, none longer than a link can be', boundTexts(200), texts(200)],
    ['a name in 100 positions', textOf(100, 'Hi {{v0}}'), texts(1, { maxLength: 80 })],
    ['20 QR codes', layersOf(20, 'qr', (index) => ({ value: `https://example.com/${index}` }))],
    ['100 bars', layersOf(100, 'barcode', () => ({ kind: 'ean13', value: '9780201379624' }))],
  ];
  for (const [title, layers, variables = []] of fine) {
    t.same(problemsOf(aTemplate({ layers, variables })), [], title);
  }
});

t.test('a document that would be laid out for seconds is refused with advice', async (t) => {
  t.same(problemsOf(aTemplate({ layers: textOf(15, '漢'.repeat(2000)) })), [
    'layers take up to 547 ms to lay out with their longest values, the limit is 500 (layers[0] alone up to 37): use fewer or shorter texts and codes',
  ]);
  const variables = [...texts(2), aVariable('n', 'number', '1')];
  const layers = layersOf(14, 'text', () => ({ text: '{{v1}} {{n}}' }));
  const group = aLayer('group', { layers: [aLayer('text', { id: 'b', text: '{{v0}}' })] });
  t.same(problemsOf(aTemplate({ variables, layers: [...layers, group] })), [
    'layers take up to 555 ms to lay out with their longest values, the limit is 500 (layers[0] alone up to 37): use fewer or shorter texts and codes, or give the variables a maxLength, "v1", "v0" first',
  ]);
  const short = [aVariable('v1', 'text', '', { maxLength: 1000 }), variables[0], variables[2]];
  t.same(problemsOf(aTemplate({ variables: short, layers })), [], 'a maxLength corrects it');
});

t.test('whatever can take long counts', async (t) => {
  const take = / ms to lay out with their longest values/;
  const han = '漢'.repeat(1300);
  const long = [aVariable('v', 'image', 'ã'.repeat(8000))];
  const inGroup = [aLayer('group', { layers: textOf(15, '漢'.repeat(2000)) })];
  const spacings = (row: number): object[] =>
    Array.from({ length: 50 }, (_, at) => ({ text: 'a', wordSpacing: row + at / 50 }));
  const aztec = { kind: 'azteccode', value: 'A'.repeat(400) };
  const costly: [title: string, layers: unknown[], variables?: unknown[]][] = [
    ['defaults', textOf(13, '{{v}}'), long],
    ['spans', layersOf(150, 'text', () => ({ spans: Array(50).fill({ text: 'a' }) }))],
    ['texts in a group', inGroup],
    ['spaced letters', layersOf(12, 'text', () => ({ text: han, letterSpacing: 1 }))],
    ['along paths', layersOf(12, 'text', () => ({ text: 'a'.repeat(1000), path: 'M0 0H9' }))],
    ['spacings', layersOf(20, 'text', (row) => ({ spans: spacings(row) }))],
    ['QR codes', layersOf(25, 'qr', () => ({ value: 'a'.repeat(2000) }))],
    ['bound QR codes', layersOf(20, 'qr', () => ({ value: '{{v0}}' })), texts(1)],
    ['Aztec codes', layersOf(12, 'barcode', () => aztec)],
  ];
  for (const [title, layers, variables = []] of costly) {
    const problems = problemsOf(aTemplate({ layers, variables }));
    t.match(problems, [take], title);
    t.equal(problems.length, 1);
  }
});

t.test('fonts and bindings are counted', async (t) => {
  const fonts = (count: number): unknown =>
    aTemplate({
      layers: layersOf(count, 'text', (index) => ({ text: 'a', fontWeight: 100 + index })),
    });
  t.same(problemsOf(fonts(32)), []);
  t.same(problemsOf(fonts(33)), [
    'layers have 33 fonts (families with weight, slant and axes), the limit is 32',
  ]);
  const v = '{{v}}';
  const bindings = (count: number): unknown =>
    aTemplate({
      variables: [aVariable('v', 'number', '5')],
      layers: layersOf(count, 'rect', () => ({ x: v, y: v, width: v, height: v, rotation: v })),
    });
  t.same(problemsOf(bindings(400)), []);
  t.same(problemsOf(bindings(401)), ['layers bind variables 2005 times, the limit is 2000']);
});

t.test('a text that a layer would cut is refused', async (t) => {
  const { layerCodePointsMax, pathCodePointsMax, layerLineBreaksMax } = templateLimits;
  const longest = `${'🙂'.repeat(layerCodePointsMax)}{{v0}}`;
  t.same(layerProblems('text', { text: longest }, texts(1)), []);
  t.same(layerProblems('text', { text: '\n'.repeat(layerLineBreaksMax) }), []);
  const spans = Array.from({ length: 26 }, () => ({ text: 'a'.repeat(100) }));
  const cut: [properties: Record<string, unknown>, problem: string][] = [
    [
      { text: '🙂'.repeat(layerCodePointsMax + 1) },
      'text has 2501 characters, a layer draws at most 2500',
    ],
    [{ spans }, 'spans has 2600 characters, a layer draws at most 2500'],
    [
      { path: 'M0 0H9', text: 'a'.repeat(pathCodePointsMax + 1) },
      'text has 1001 characters, a layer draws at most 1000',
    ],
    [
      { text: '\u2029'.repeat(layerLineBreaksMax + 1) },
      'text has 201 line breaks, a layer draws at most 200',
    ],
  ];
  for (const [properties, problem] of cut)
    t.same(layerProblems('text', properties), [
      `layers[0].${problem}; part it into several layers`,
    ]);
});

t.test('the check of a document made of bindings stays short', async (t) => {
  const variables = [aVariable('v', 'image', 'x'.repeat(8000))];
  const layers = layersOf(30, 'text', () => ({ text: '{{v}}'.repeat(1600) }));
  const started = process.cpuUsage();
  t.ok(problemsOf(aTemplate({ variables, layers })).length > 0);
  t.ok(process.cpuUsage(started).user < 1_000_000, 'within a second of work');
});

t.test('a text of any look may have its count of characters', async (t) => {
  const looks = { letterSpacing: 1, balance: true };
  for (const text of ['漢'.repeat(2500), 'a'.repeat(2500)])
    t.same(layerProblems('text', { text, ...looks }), []);
  const bound = { text: '{{v0}}{{v1}}', ...looks };
  t.same(layerProblems('text', bound, texts(2)), [], 'values are cut');
});

t.test('no drawing takes over 50 ms, and no code holds more than its kind', async (t) => {
  const svg = `<svg viewBox="0 0 9 9">${'<text>{{v0}}</text>'.repeat(200)}</svg>`;
  const tooLong =
    /^layers\[0\] takes up to \d+ ms to lay out with its longest values, the limit of one layer is 50/;
  t.match(layerProblems('svg', { svg }, texts(1)), [tooLong]);
  t.match(layerProblems('svg', { svg }, [aVariable('v0', 'image', '')]), [tooLong]);
  t.same(layerProblems('svg', { svg }, texts(1, { maxLength: 100 })), []);
  t.same(layerProblems('barcode', { kind: 'azteccode', value: 'é'.repeat(201) }), [
    'layers[0].value has 402 bytes, an azteccode holds at most 400; use a shorter value or another kind',
  ]);
});

t.test('drawings with bindings count in a document', async (t) => {
  const svg = `<svg viewBox="0 0 9 9">${'<text>{{v0}}</text>'.repeat(40)}</svg>`;
  const document = (count: number): unknown =>
    aTemplate({ variables: texts(1), layers: layersOf(count, 'svg', () => ({ svg })) });
  t.same(problemsOf(document(12)), []);
  t.match(problemsOf(document(13)), [
    /^layers take up to \d+ ms to lay out with their longest values/,
  ]);
});
