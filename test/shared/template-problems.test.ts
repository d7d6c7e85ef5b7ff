import t from 'tap';
import { aLayer, aTemplate, problemsOf } from '../fixtures/template-documents.ts';

const stops = [
  { offset: 0, color: '#fff' },
  { offset: 1, color: '#000' },
];

t.test('a wrong name is reported with what was expected there', (t) => {
  const cases: [title: string, document: unknown, problems: string[]][] = [
    [
      'no type of a layer',
      aTemplate({ layers: [{ id: 'a' }] }),
      [
        'layers[0] needs "type", one of text, image, rect, ellipse, polygon, star, path, line, qr, barcode, svg, group, stack',
      ],
    ],
    [
      'a property that nothing resembles',
      aTemplate({ output: { compression: 5 } }),
      ['output.compression is not a property of this object; it has format, quality'],
    ],
    [
      'an unknown property of each object inside a layer',
      aTemplate({
        layers: [
          aLayer('text', {
            spans: [{ text: 'a', font_size: 5 }],
            stroke: { color: '#000', width: 1, lineCap: 'round' },
            fontFeatures: { toolong: 1 },
            shadow: [{ color: '#000', radius: 4 }],
            visibleWhen: [{ variable: 'a', equal: 'b' }],
            clip: { shape: 'rect', left: 3 },
          }),
        ],
      }),
      [
        'layers[0].shadow[0].radius is not a property of this object; it has x, y, blur, color',
        'layers[0].visibleWhen[0].equal is not a property of this object; did you mean "equals"?',
        'layers[0].clip.left is not a property of this object; did you mean "x"?',
        'layers[0].spans[0].font_size is not a property of this object; did you mean "fontSize"?',
        'layers[0].stroke.lineCap is not a property of this object; did you mean "cap"?',
        'layers[0].fontFeatures.toolong is not a property of this object, which takes at most 16 OpenType features: {"tnum": 1}',
      ],
    ],
    [
      'an unknown property of a gradient, an image and a colour',
      aTemplate({
        layers: [
          aLayer('rect', { fill: { gradient: 'linear', direction: 5, stops } }),
          aLayer('rect', { id: 'b', fill: { image: 'asset:a', objectFit: 'cover' } }),
          aLayer('rect', { id: 'c', fill: { colour: '#fff' } }),
          aLayer('rect', { id: 'd', fill: { type: 'linear', stops } }),
          aLayer('rect', { id: 'e', fill: { gradient: 'lineer', stops } }),
        ],
      }),
      [
        'layers[0].fill.direction is not a property of this object; it has gradient, angle, stops',
        'layers[1].fill.objectFit is not a property of this object; did you mean "fit"?',
        'layers[2].fill.colour is not a property of this object; it has gradient, angle, stops, centerX, centerY, radius, image, fit',
        'layers[2].fill needs "gradient" or "image"',
        'layers[3].fill.type is not a property of this object; did you mean "gradient"?',
        'layers[3].fill needs "gradient" or "image"',
        'layers[4].fill.gradient is "lineer", expected "linear" or "radial" or "conic"',
      ],
    ],
  ];
  for (const [title, document, problems] of cases) {
    t.same(problemsOf(document).toSorted(), problems.toSorted(), title);
  }
  t.end();
});
