import { templateLimits } from '#language/limits/template-limits.ts';
import t from 'tap';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

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
  Array.from({ length: count }, (_, index) => ({
    ...aVariable(`v${index}`, 'text', ''),
    ...properties,
  }));
const boundTexts = (count: number): unknown[] =>
  layersOf(count, 'text', (index) => ({ text: `{{v${index}}}` }));
const refused = (document: unknown): RegExp | undefined =>
  problemsOf(document).length === 0 ? undefined : new RegExp(problemsOf(document)[0] ?? '');

t.test('what real templates ask for is taken', (t) => {
  const fine: [title: string, document: unknown][] = [
    [
      '60 texts of a line',
      aTemplate({ layers: textOf(60, 'Sat 14 March, doors 19:30 · Harbour Hall') }),
    ],
    ['500 labels', aTemplate({ layers: textOf(500, 'Label 12') })],
    ['a page of each alphabet', aTemplate({ layers: textOf(4, 'Привет, мир! '.repeat(180)) })],
    [
      'a page of Arabic, Thai, Han',
      aTemplate({ layers: textOf(5, 'مرحبا สวัสดี 漢字 '.repeat(100)) }),
    ],
    [
      '200 texts of links, none longer than a link can be',
      aTemplate({ variables: texts(200), layers: boundTexts(200) }),
    ],
    [
      'a name in 100 positions',
      aTemplate({
        variables: texts(1, { maxLength: 80 }),
        layers: layersOf(100, 'text', () => ({ text: 'Hi {{v0}}' })),
      }),
    ],
    [
      '20 QR codes',
      aTemplate({
        layers: layersOf(20, 'qr', (index) => ({ value: `https://example.com/${index}` })),
      }),
    ],
  ];
  for (const [title, document] of fine) t.same(problemsOf(document), [], title);
  t.end();
});

t.test('a document that would be laid out for seconds is refused, with what to correct', (t) => {
  const long = '漢'.repeat(2000);
  t.same(problemsOf(aTemplate({ layers: textOf(15, long) })), [
    'layers take up to 547 ms to lay out with their longest values, the limit is 500 (layers[0] alone up to 37): use fewer or shorter texts and codes',
  ]);
  const variables = [...texts(2), aVariable('n', 'number', '1')];
  const layers = layersOf(14, 'text', () => ({ text: '{{v1}} {{n}}' }));
  t.same(
    problemsOf(
      aTemplate({
        variables,
        layers: [
          ...layers,
          aLayer('group', { layers: [aLayer('text', { id: 'b', text: '{{v0}}' })] }),
        ],
      }),
    ),
    [
      'layers take up to 555 ms to lay out with their longest values, the limit is 500 (layers[0] alone up to 37): use fewer or shorter texts and codes, or give the variables a maxLength, "v1", "v0" first',
    ],
  );
  const short = [
    { ...aVariable('v1', 'text', ''), maxLength: 1000 },
    ...variables.slice(0, 1),
    variables[2],
  ];
  t.same(problemsOf(aTemplate({ variables: short, layers })), [], 'a maxLength corrects it');
  t.end();
});

t.test('whatever can take long counts', (t) => {
  const take = / ms to lay out with their longest values/;
  const costly: [title: string, document: unknown][] = [
    [
      'defaults',
      aTemplate({
        variables: [aVariable('v', 'image', 'ã'.repeat(8000))],
        layers: layersOf(13, 'text', () => ({ text: '{{v}}' })),
      }),
    ],
    [
      'spans',
      aTemplate({
        layers: layersOf(150, 'text', () => ({ spans: Array(50).fill({ text: 'a' }) })),
      }),
    ],
    [
      'texts in a group',
      aTemplate({ layers: [aLayer('group', { layers: textOf(15, '漢'.repeat(2000)) })] }),
    ],
    [
      'spaced letters',
      aTemplate({
        layers: layersOf(12, 'text', () => ({ text: '漢'.repeat(1300), letterSpacing: 1 })),
      }),
    ],
    [
      'texts along paths',
      aTemplate({
        layers: layersOf(12, 'text', () => ({ text: 'a'.repeat(1000), path: 'M0 0H9' })),
      }),
    ],
    [
      'spacings',
      aTemplate({
        layers: layersOf(20, 'text', (row) => ({
          spans: Array.from({ length: 50 }, (_, column) => ({
            text: 'a',
            wordSpacing: row + column / 50,
          })),
        })),
      }),
    ],
    ['QR codes', aTemplate({ layers: layersOf(25, 'qr', () => ({ value: 'a'.repeat(2000) })) })],
    [
      'bound QR codes',
      aTemplate({ variables: texts(1), layers: layersOf(20, 'qr', () => ({ value: '{{v0}}' })) }),
    ],
    [
      'Aztec codes',
      aTemplate({
        layers: layersOf(12, 'barcode', () => ({ kind: 'azteccode', value: 'A'.repeat(400) })),
      }),
    ],
  ];
  for (const [title, document] of costly) {
    const problems = problemsOf(document);
    t.match(problems, [take], title);
    t.equal(problems.length, 1);
  }
  t.equal(
    refused(
      aTemplate({
        layers: layersOf(100, 'barcode', () => ({ kind: 'ean13', value: '9780201379624' })),
      }),
    ),
    undefined,
  );
  t.end();
});

t.test('fonts and bindings are counted', (t) => {
  const fonts = (count: number): unknown =>
    aTemplate({
      layers: layersOf(count, 'text', (index) => ({ text: 'a', fontWeight: 100 + index })),
    });
  t.same(problemsOf(fonts(32)), []);
  t.same(problemsOf(fonts(33)), [
    'layers have 33 fonts (families with weight, slant and axes), the limit is 32',
  ]);
  const bindings = (count: number): unknown => {
    const variables = [{ ...aVariable('v', 'number', '5') }];
    return aTemplate({
      variables,
      layers: layersOf(count, 'rect', () => ({
        x: '{{v}}',
        y: '{{v}}',
        width: '{{v}}',
        height: '{{v}}',
        rotation: '{{v}}',
      })),
    });
  };
  t.same(problemsOf(bindings(400)), []);
  t.same(problemsOf(bindings(401)), ['layers bind variables 2005 times, the limit is 2000']);
  t.end();
});

t.test('a text that a layer would cut is refused', (t) => {
  const { layerCodePointsMax, pathCodePointsMax, layerLineBreaksMax } = templateLimits;
  const one = (properties: Record<string, unknown>): string[] =>
    problemsOf(aTemplate({ variables: texts(1), layers: [aLayer('text', properties)] }));
  t.same(one({ text: `${'🙂'.repeat(layerCodePointsMax)}{{v0}}` }), []);
  t.same(one({ text: '🙂'.repeat(layerCodePointsMax + 1) }), [
    'layers[0].text has 2501 characters, a layer draws at most 2500; part it into several layers',
  ]);
  const spans = Array.from({ length: 26 }, () => ({ text: 'a'.repeat(100) }));
  t.same(one({ spans }), [
    'layers[0].spans has 2600 characters, a layer draws at most 2500; part it into several layers',
  ]);
  t.same(one({ path: 'M0 0H9', text: 'a'.repeat(pathCodePointsMax + 1) }), [
    'layers[0].text has 1001 characters, a layer draws at most 1000; part it into several layers',
  ]);
  t.same(one({ text: '\n'.repeat(layerLineBreaksMax) }), []);
  t.same(one({ text: '\u2029'.repeat(layerLineBreaksMax + 1) }), [
    'layers[0].text has 201 line breaks, a layer draws at most 200; part it into several layers',
  ]);
  t.end();
});

t.test('the check of a document made of bindings stays short', (t) => {
  const variables = [aVariable('v', 'image', 'x'.repeat(8000))];
  const layers = layersOf(30, 'text', () => ({ text: '{{v}}'.repeat(1600) }));
  const started = process.cpuUsage();
  t.ok(problemsOf(aTemplate({ variables, layers })).length > 0);
  t.ok(process.cpuUsage(started).user < 1_000_000, 'within a second of work');
  t.end();
});

t.test(
  'a text of any look may have its count of characters, and no drawing takes over 50 ms',
  (t) => {
    const looks = { letterSpacing: 1, balance: true };
    for (const character of ['漢', 'a']) {
      const layer = aLayer('text', { text: character.repeat(2500), ...looks });
      t.same(problemsOf(aTemplate({ layers: [layer] })), []);
    }
    const bound = aLayer('text', { text: '{{v0}}{{v1}}', ...looks });
    t.same(problemsOf(aTemplate({ variables: texts(2), layers: [bound] })), [], 'values are cut');
    const svg = `<svg viewBox="0 0 9 9">${'<text>{{v0}}</text>'.repeat(200)}</svg>`;
    t.match(problemsOf(aTemplate({ variables: texts(1), layers: [aLayer('svg', { svg })] })), [
      /^layers\[0\] takes up to \d+ ms to lay out with its longest values, the limit of one layer is 50/,
    ]);
    const short = texts(1, { maxLength: 100 });
    t.same(problemsOf(aTemplate({ variables: short, layers: [aLayer('svg', { svg })] })), []);
    const photo = [aVariable('v0', 'image', '')];
    t.equal(
      problemsOf(aTemplate({ variables: photo, layers: [aLayer('svg', { svg })] })).length,
      1,
    );
    const aztec = aLayer('barcode', { kind: 'azteccode', value: 'é'.repeat(201) });
    t.same(problemsOf(aTemplate({ layers: [aztec] })), [
      'layers[0].value has 402 bytes, an azteccode holds at most 400; use a shorter value or another kind',
    ]);
    t.end();
  },
);

t.test('drawings with bindings count in a document', (t) => {
  const svg = `<svg viewBox="0 0 9 9">${'<text>{{v0}}</text>'.repeat(40)}</svg>`;
  const document = (count: number): unknown =>
    aTemplate({ variables: texts(1), layers: layersOf(count, 'svg', () => ({ svg })) });
  t.same(problemsOf(document(12)), []);
  t.match(problemsOf(document(13)), [
    /^layers take up to \d+ ms to lay out with their longest values/,
  ]);
  t.end();
});
