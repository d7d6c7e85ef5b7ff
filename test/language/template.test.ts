import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTemplate } from '#language/template.ts';
import t from 'tap';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

t.test('a valid document is returned as it is', async (t) => {
  const document = aTemplate({ layers: [aLayer('rect', { fill: '#123' })] });
  const parse = checkTemplate(document);
  t.equal(parse.ok && parse.template, document);
});

/** As many layers, each with an id of its own. */
const rects = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => aLayer('rect', { id: `r${index}` }));

/** A layer in as many groups. */
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>(
    (inner, _, index) => aLayer('group', { id: `g${index}`, layers: [inner] }),
    aLayer('rect'),
  );

/** A document of these layers alone. */
const layered = (...layers: unknown[]): unknown => aTemplate({ layers });
const stops = [
  { offset: 0, color: '#fff' },
  { offset: 1, color: '#000' },
];
const conic = { gradient: 'conic', stops: [{ offset: 0 }, { offset: 2, color: '#fff' }] };
const unknownIs = 'is not a property of this object';

t.test('what is wrong is said with its path and what was expected', async (t) => {
  const types =
    'text, image, rect, ellipse, polygon, star, path, line, qr, barcode, svg, group, stack';
  const cases: [document: unknown, ...problems: string[]][] = [
    [null, '(document) is null, expected an object'],
    [[], '(document) is an array of 0, expected an object'],
    [{}, '(document) needs "format", "name", "width", "height", "variables", "layers"'],
    [aTemplate({ format: 2 }), 'format is 2, expected 1: the version of this language'],
    [aTemplate({ name: '' }), 'name is "", expected a text of 1 to 200 characters'],
    [
      aTemplate({ height: 10.5 }),
      'height is 10.5, expected a whole number of design pixels from 1 to 4096',
    ],
    [aTemplate({ heigth: 5 }), `heigth ${unknownIs}; did you mean "height"?`],
    [
      aTemplate({ background: 'red' }),
      'background is "red", expected a colour (#rrggbb), a gradient or none',
    ],
    [aTemplate({ lang: 'english please' }), 'lang is "english please", expected a BCP 47 tag'],
    [aTemplate({ output: { size: 5 } }), `output.size ${unknownIs}; it has format, quality`],
    [layered(null), 'layers[0] is null, expected an object'],
    [layered({ id: 'a' }), `layers[0] needs "type", one of ${types}`],
    [
      layered(aLayer('circle')),
      `layers[0].type is "circle", expected one of ${types}; did you mean "ellipse"?`,
    ],
    [layered({ type: 'rect', id: 'a', x: 0, y: 0 }), 'layers[0] needs "width", "height"'],
    [
      layered(aLayer('rect', { opacity: '0.5' })),
      'layers[0].opacity is "0.5", expected a number from 0 to 1',
    ],
    [
      layered(aLayer('rect', { shadow: Array(5).fill({ color: '#000' }) })),
      'layers[0].shadow is an array of 5, expected a shadow (an object), or a list of at most 4 shadows, the first on top',
    ],
    [
      layered(aLayer('svg', { svg: '<svg viewBox="0 0 1 1"/>', colors: { red: '#fff' } })),
      `layers[0].colors.red ${unknownIs}, which takes at most 32 colours of the markup and what stands for them: {"#000000": "#ff0000"}`,
    ],
    [
      layered(aLayer('group', { layers: [aLayer('rect', { id: 'b', fill: conic })] })),
      'layers[0].layers[0].fill.stops[0] needs "color", a colour: #rgb, #rgba, #rrggbb or #rrggbbaa',
      'layers[0].layers[0].fill.stops[1].offset is 2, expected a number from 0 to 1: 0 is the start, 1 the end',
    ],
    [
      layered(
        aLayer('rect', { fill: { gradient: 'linear', direction: 5, stops } }),
        aLayer('rect', { id: 'b', fill: { image: 'asset:a', objectFit: 'cover' } }),
        aLayer('rect', { id: 'c', fill: { colour: '#fff' } }),
        aLayer('rect', { id: 'd', fill: { type: 'linear', stops } }),
        aLayer('rect', { id: 'e', fill: { gradient: 'lineer', stops } }),
      ),
      `layers[0].fill.direction ${unknownIs}; it has gradient, angle, stops`,
      `layers[1].fill.objectFit ${unknownIs}; did you mean "fit"?`,
      'layers[2].fill needs "gradient" or "image"',
      `layers[2].fill.colour ${unknownIs}; it has gradient, angle, stops, centerX, centerY, radius, image, fit`,
      'layers[3].fill needs "gradient" or "image"',
      `layers[3].fill.type ${unknownIs}; did you mean "gradient"?`,
      'layers[4].fill.gradient is "lineer", expected "linear" or "radial" or "conic"',
    ],
  ];
  for (const [document, ...problems] of cases) {
    t.same(problemsOf(document).toSorted(), problems.toSorted());
  }
});

t.test('limits hold at their edges', async (t) => {
  t.same(problemsOf(aTemplate({ width: 4096, height: 4096 })), [], '16 megapixels');
  t.same(problemsOf(layered(...rects(500))), [], '500 layers');
  const grouped = [aLayer('group', { layers: rects(499) }), aLayer('rect', { id: 'last' })];
  t.same(problemsOf(layered(...grouped)), [
    'layers has 501 layers with those in groups and the items of lists, the limit is 500',
  ]);
  t.same(problemsOf(layered(nested(8))), [], '8 groups');
  t.same(problemsOf(layered(nested(9))), [
    `layers[0]${'.layers[0]'.repeat(8)} groups and stacks are nested deeper than 8`,
  ]);
  const variables = Array.from({ length: 200 }, (_, index) => aVariable(`v${index}`, 'text', ''));
  t.same(problemsOf(aTemplate({ variables })), [], '200 variables');
});

t.test('a hostile document costs little and says one thing at a time', async (t) => {
  const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], []);
  const hostile: unknown[] = [
    deep,
    aTemplate({ layers: deep }),
    aTemplate({ variables: deep }),
    layered(nested(10_000)),
    layered(aLayer('rect', { fill: deep })),
    layered(aLayer('rect', { unknown: deep })),
    // As many as a document of the largest size can hold.
    aTemplate({ layers: Array(80_000).fill({}) }),
    aTemplate({ layers: Array(500).fill(aLayer('nothing')) }),
    aTemplate({ layers: Array(500).fill(aLayer('rect', { a: 1, b: 2, c: 3 })) }),
    aTemplate({ ['x'.repeat(200_000)]: 1 }),
    layered(aLayer('text', { text: 5, fontSize: 'x'.repeat(200_000) })),
  ];
  for (const document of hostile) {
    // Processor time: what others do on the machine does not count.
    const started = process.cpuUsage();
    const problems = problemsOf(document);
    const { user } = process.cpuUsage(started);
    t.ok(user < 1_000_000, 'it is answered within a second of work');
    t.ok(problems.length > 0 && problems.length <= 20, 'with at most 20 problems');
    for (const problem of problems) t.ok(problem.length < 1000, 'that are short');
  }
});

t.test('names of prototypes are names like any other', async (t) => {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/prototype-names.json'), 'utf8');
  const { valid, invalid } = JSON.parse(text) as { valid: unknown; invalid: unknown };
  t.same(problemsOf(valid), []);
  t.match(problemsOf(invalid), [
    /^layers\[0\]\.__proto__ is not a property of this object; it has type, id, /,
    /^layers\[0\]\.constructor is not a property of this object; it has type, id, /,
  ]);
  t.equal(Reflect.get({}, 'polluted'), undefined);
});
