import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTemplate } from '#language/template.ts';
import t from 'tap';
import { listCases, readCase } from '../golden/cases.ts';
import { aLayer, aTemplate, problemsOf } from '../fixtures/template-documents.ts';

t.test('a document without layers is a template', (t) => {
  t.same(problemsOf(aTemplate()), []);
  t.end();
});

t.test('a valid document is returned as it is', (t) => {
  const document = aTemplate({ layers: [aLayer('rect', { fill: '#123' })] });
  const parse = checkTemplate(document);
  t.equal(parse.ok && parse.template, document);
  t.end();
});

t.test('every golden case is a template', (t) => {
  for (const name of listCases()) t.same(problemsOf(readCase(name).template), [], name);
  t.end();
});

t.test('what is wrong is said with its path and what was expected', (t) => {
  const cases: [title: string, document: unknown, problems: string[]][] = [
    ['no object', null, ['(document) is null, expected an object']],
    ['an array', [], ['(document) is an array of 0, expected an object']],
    [
      'nothing in it',
      {},
      ['(document) needs "format", "name", "width", "height", "variables", "layers"'],
    ],
    [
      'another format',
      aTemplate({ format: 2 }),
      ['format is 2, expected 1: the version of this language'],
    ],
    ['no name', aTemplate({ name: '' }), ['name is "", expected a text of 1 to 200 characters']],
    [
      'a width of 0',
      aTemplate({ width: 0 }),
      ['width is 0, expected a whole number of design pixels from 1 to 4096'],
    ],
    [
      'a width of 4097',
      aTemplate({ width: 4097 }),
      ['width is 4097, expected a whole number of design pixels from 1 to 4096'],
    ],
    [
      'half a pixel',
      aTemplate({ height: 10.5 }),
      ['height is 10.5, expected a whole number of design pixels from 1 to 4096'],
    ],
    [
      'an unknown property',
      aTemplate({ heigth: 5 }),
      ['heigth is not a property of this object; did you mean "height"?'],
    ],
    [
      'a word as colour',
      aTemplate({ background: 'red' }),
      ['background is "red", expected a colour (#rrggbb), a gradient or none'],
    ],
    [
      'an unknown format',
      aTemplate({ output: { format: 'bmp' } }),
      ['output.format is "bmp", expected png, jpeg, webp, avif or gif'],
    ],
    [
      'a quality of 0',
      aTemplate({ output: { quality: 0 } }),
      ['output.quality is 0, expected a whole number from 1 to 100'],
    ],
    [
      'no language',
      aTemplate({ lang: 'english please' }),
      ['lang is "english please", expected a BCP 47 tag'],
    ],
    [
      'nine fonts',
      aTemplate({ fonts: Array(9).fill('Inter') }),
      [
        'fonts is an array of 9, expected a list of at most 8 font families: tried after those of a layer',
      ],
    ],
    [
      'a layer that is none',
      aTemplate({ layers: [null] }),
      ['layers[0] is null, expected an object'],
    ],
    [
      'an unknown type',
      aTemplate({ layers: [aLayer('circle')] }),
      [
        'layers[0].type is "circle", expected one of text, image, rect, ellipse, polygon, star, path, line, qr, barcode, svg, group, stack; did you mean "ellipse"?',
      ],
    ],
    [
      'a layer without its shape',
      aTemplate({ layers: [{ type: 'rect', id: 'a', x: 0, y: 0 }] }),
      ['layers[0] needs "width", "height"'],
    ],
    [
      'an unknown property of a layer',
      aTemplate({ layers: [aLayer('rect', { color: '#fff' })] }),
      ['layers[0].color is not a property of this object; did you mean "fill"?'],
    ],
    [
      'a negative width',
      aTemplate({ layers: [aLayer('rect', { width: -5 })] }),
      [
        'layers[0].width is -5, expected a number of design pixels from 0 to 16384, hug (texts, stacks) or fill (in stacks)',
      ],
    ],
    [
      'a number as text',
      aTemplate({ layers: [aLayer('rect', { opacity: '0.5' })] }),
      ['layers[0].opacity is "0.5", expected a number from 0 to 1'],
    ],
    [
      'a stop without its colour, in a group',
      aTemplate({
        layers: [
          aLayer('group', {
            layers: [
              aLayer('rect', {
                id: 'b',
                fill: { gradient: 'conic', stops: [{ offset: 0 }, { offset: 2, color: '#fff' }] },
              }),
            ],
          }),
        ],
      }),
      [
        'layers[0].layers[0].fill.stops[0] needs "color", a colour: #rgb, #rgba, #rrggbb or #rrggbbaa',
        'layers[0].layers[0].fill.stops[1].offset is 2, expected a number from 0 to 1: 0 is the start, 1 the end',
      ],
    ],
    [
      'an unknown blend mode',
      aTemplate({ layers: [aLayer('rect', { blendMode: 'add' })] }),
      [
        'layers[0].blendMode is "add", expected normal, multiply, screen, overlay, darken, lighten, color-dodge, color-burn, hard-light, soft-light, difference, exclusion, hue, saturation, color or luminosity: a CSS blend mode',
      ],
    ],
    [
      'five shadows',
      aTemplate({ layers: [aLayer('rect', { shadow: Array(5).fill({ color: '#000' }) })] }),
      [
        'layers[0].shadow is an array of 5, expected a shadow (an object), or a list of at most 4 shadows, the first on top',
      ],
    ],
    [
      'a star with two points',
      aTemplate({ layers: [aLayer('star', { points: 2 })] }),
      ['layers[0].points is 2, expected a whole number from 3 to 64'],
    ],
    [
      'colours that are none, in an svg',
      aTemplate({
        layers: [aLayer('svg', { svg: '<svg viewBox="0 0 1 1"/>', colors: { red: '#fff' } })],
      }),
      [
        'layers[0].colors.red is not a property of this object, which takes at most 32 colours of the markup and what stands for them: {"#000000": "#ff0000"}',
      ],
    ],
  ];
  for (const [title, document, problems] of cases) t.same(problemsOf(document), problems, title);
  t.end();
});

t.test('limits hold at their edges', (t) => {
  const rects = (count: number): unknown[] =>
    Array.from({ length: count }, (_, index) => aLayer('rect', { id: `r${index}` }));
  const nested = (depth: number): unknown =>
    Array.from({ length: depth }).reduce<unknown>(
      (inner, _, index) => aLayer('group', { id: `g${index}`, layers: [inner] }),
      aLayer('rect'),
    );
  t.same(problemsOf(aTemplate({ width: 4096, height: 4096 })), [], '16 megapixels');
  t.same(problemsOf(aTemplate({ layers: rects(500) })), [], '500 layers');
  t.same(problemsOf(aTemplate({ layers: rects(501) })), [
    'layers is an array of 501, expected a list of at most 500 layers',
  ]);
  t.same(
    problemsOf(
      aTemplate({
        layers: [aLayer('group', { layers: rects(499) }), aLayer('rect', { id: 'last' })],
      }),
    ),
    ['layers has 501 layers with those in groups and the items of lists, the limit is 500'],
  );
  t.same(problemsOf(aTemplate({ layers: [nested(8)] })), [], '8 groups');
  t.same(problemsOf(aTemplate({ layers: [nested(9)] })), [
    `layers[0]${'.layers[0]'.repeat(8)} groups and stacks are nested deeper than 8`,
  ]);
  const variables = Array.from({ length: 201 }, (_, index) => ({
    name: `v${index}`,
    type: 'text',
    value: '',
  }));
  t.same(problemsOf(aTemplate({ variables })), [
    'variables is an array of 201, expected a list of at most 200 variables',
  ]);
  t.end();
});

t.test('a hostile document costs little and says one thing at a time', (t) => {
  const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], []);
  const groups = Array.from({ length: 10_000 }).reduce<unknown>(
    (inner, _, index) => aLayer('group', { id: `g${index}`, layers: [inner] }),
    aLayer('rect'),
  );
  const hostile: unknown[] = [
    deep,
    aTemplate({ layers: deep }),
    aTemplate({ variables: deep }),
    aTemplate({ layers: [groups] }),
    aTemplate({ layers: [aLayer('rect', { fill: deep })] }),
    aTemplate({ layers: [aLayer('rect', { unknown: deep })] }),
    // As many as a document of the largest size can hold.
    aTemplate({ layers: Array(80_000).fill({}) }),
    aTemplate({ layers: Array(500).fill(aLayer('nothing')) }),
    aTemplate({ layers: Array(500).fill(aLayer('rect', { a: 1, b: 2, c: 3 })) }),
    aTemplate({ ['x'.repeat(200_000)]: 1 }),
    aTemplate({ layers: [aLayer('text', { text: 5, fontSize: 'x'.repeat(200_000) })] }),
  ];
  for (const document of hostile) {
    // Processor time: what others do on the machine does not count.
    const started = process.cpuUsage();
    const problems = problemsOf(document);
    const { user } = process.cpuUsage(started);
    t.ok(user < 1_000_000, 'it is answered within a second of work');
    t.ok(problems.length > 0 && problems.length <= 20, 'with at most 20 problems');
    t.ok(
      problems.every((problem) => problem.length < 1000),
      'that are short',
    );
  }
  t.end();
});

t.test('names of prototypes are names like any other', (t) => {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/prototype-names.json'), 'utf8');
  const { valid, invalid } = JSON.parse(text) as { valid: unknown; invalid: unknown };
  t.same(problemsOf(valid), []);
  t.match(problemsOf(invalid), [
    /^layers\[0\]\.__proto__ is not a property of this object; it has type, id, /,
    /^layers\[0\]\.constructor is not a property of this object; it has type, id, /,
  ]);
  t.equal(Reflect.get({}, 'polluted'), undefined);
  t.end();
});
