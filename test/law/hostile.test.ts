/** Documents that once held a render process for seconds, took gigabytes or ended the process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { renderScales } from '#wire/render-job.ts';
import { alternatingPath, closedShapes, repeatedPath } from '../fixtures/hostile-paths.ts';
import { boundSvg, hostileSvgs } from '../fixtures/hostile-svg.ts';
import { extent } from '../helpers/extent.ts';
import { createRenderer, offence } from './campaign.ts';
import type { LawCase } from './documents.ts';

const renderer = createRenderer();
t.teardown(() => renderer.close());
t.setTimeout(300_000);

const base = { values: {}, format: 'png', quality: 100 } as const;

function read(name: string): LawCase['document'] {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, `../fixtures/hostile/${name}.json`), 'utf8'),
  ) as LawCase['document'];
}

function document(layers: LawCase['document'][]): LawCase['document'] {
  return {
    format: 1,
    name: 'hostile',
    width: 1200,
    height: 630,
    variables: [],
    layers: layers.map((layer, index) => ({ id: `l${index}`, ...layer })),
  };
}

const box = { x: 0, y: 0, width: 1200, height: 630 };
const zigzag = `M0 0${Array.from({ length: 1600 }, (_, index) => `L${(index * 7919) % 1200} ${(index * 104_729) % 630}`).join('')}`;

function clipped(path: string): LawCase['document'] {
  return document([{ ...box, type: 'rect', fill: '#f00', clip: { shape: 'path', path } }]);
}

const cases: [name: string, what: Pick<LawCase, 'document'> & Partial<LawCase>][] = [
  ['eight nested groups with strong blurs', { document: read('groups8') }],
  ['strokes of 400 pixels around 2,000 letters', { document: read('stroke400') }],
  [
    'a stroke whose width a link gives',
    { document: read('boundstroke'), by: 'link', values: { w: '400', n: 'Wm'.repeat(1000) } },
  ],
  ['strokes of complex letters', { document: read('stroke25-two-texts') }],
  ['text that a long path cuts', { document: read('text-clip-path') }],
  [
    'a layer that crossing lines cut, every sixth of them tiny',
    { document: clipped(alternatingPath) },
  ],
  ...closedShapes.map((shape): (typeof cases)[number] => [
    `a layer that 128 equal shapes cut: ${shape}`,
    { document: clipped(repeatedPath(shape, 128, 0)) },
  ]),
  ...['round', 'miter'].map((lineJoin): (typeof cases)[number] => [
    `strokes of 400 pixels around letters on a canvas of a pixel, ${lineJoin}`,
    {
      document: {
        ...document(
          Array.from({ length: 2 }, () => ({
            ...box,
            type: 'text',
            text: 'abcdefgh '.repeat(211),
            fontSize: 78,
            stroke: { color: '#f008', width: 400, join: lineJoin },
          })),
        ),
        width: 1,
        height: 101,
      },
    },
  ]),
  ['small rectangles with blurs and shadows', { document: read('blur-and-shadow-small') }],
  ['rectangles far larger than the canvas', { document: read('huge-rects') }],
  [
    'letters that a font of the organization draws as four glyphs each',
    {
      document: document([
        {
          ...box,
          type: 'text',
          text: 'a'.repeat(2500),
          fontSize: 1,
          fontFamily: 'Law Expansion',
        },
      ]),
    },
  ],
  [
    'a word whose letters a font of the organization compares with its rules',
    {
      document: document([
        {
          ...box,
          type: 'text',
          text: 'a'.repeat(2500),
          fontSize: 1,
          fontFamily: 'Law Contexts',
        },
      ]),
    },
  ],
  [
    'five hundred texts',
    {
      document: document(
        Array.from({ length: 500 }, (_, index) => ({
          ...box,
          y: index,
          type: 'text',
          text: 'Hello there',
          fontSize: 12 + index * 0.37,
        })),
      ),
    },
  ],
  [
    'five hundred texts outside of a small canvas, whose contrast a report measures',
    {
      document: {
        ...document(
          Array.from({ length: 500 }, () => ({
            ...box,
            type: 'text',
            text: 'A\u0301\u0302\u0303'.repeat(4),
            fontSize: 12,
            y: 100,
          })),
        ),
        height: 10,
      },
    },
  ],
  [
    'long paths with wide dashes',
    {
      document: document(
        Array.from({ length: 12 }, () => ({
          ...box,
          type: 'path',
          path: zigzag,
          stroke: { color: '#f00', width: 400, dash: [400] },
        })),
      ),
    },
  ],
];

/** One of three in `npm test`. */
const every = extent(3, 1);
const isPart = (_: unknown, index: number): boolean => index % every === 0;

for (const scale of renderScales.slice(0, extent(1, renderScales.length))) {
  t.test(`is drawn or refused within the law at scale ${scale}`, async (t) => {
    for (const [name, what] of cases.filter(isPart)) {
      const lawCase: LawCase = { ...base, by: 'preview', scale, ...what };
      const result = await renderer.measure(lawCase);
      t.equal(offence({ lawCase, result }), undefined, `${name}: ${JSON.stringify(result)}`);
    }
  });
}

t.test('hostile SVG layers are drawn or left out within the law', async (t) => {
  const size = { x: 0, y: 0, width: 1200, height: 630, type: 'svg' };
  const bound = {
    ...document([{ ...size, svg: boundSvg }]),
    variables: [{ name: 'r', type: 'number', value: '1' }],
  };
  const svgCases: [name: string, what: Pick<LawCase, 'document'> & Partial<LawCase>][] = [
    ...Object.entries(hostileSvgs).map(([name, svg]): [string, Pick<LawCase, 'document'>] => [
      name,
      { document: document([{ ...size, svg }]) },
    ]),
    ['a kernel of 3,600 numbers on a large canvas', { document: read('svg-convolve') }],
    ['a radius that a link gives', { document: bound, by: 'link', values: { r: '900' } }],
    [
      'many slow drawings',
      {
        document: document(
          Array.from({ length: 100 }, (_, index) => ({
            ...size,
            width: 400 + index,
            svg: hostileSvgs['many octaves'],
          })),
        ),
      },
    ],
  ];
  for (const [name, what] of svgCases.filter(isPart)) {
    const lawCase: LawCase = { ...base, by: 'preview', scale: 1, ...what };
    const result = await renderer.measure(lawCase);
    t.equal(offence({ lawCase, result }), undefined, `${name}: ${JSON.stringify(result)}`);
    t.equal(result?.outcome, 'rendered', name);
  }
});

t.test('an empty canvas of the largest size is published within the law', async (t) => {
  const lawCase: LawCase = { ...base, by: 'publish', scale: 1, document: read('empty-4096') };
  const result = await renderer.measure(lawCase);
  t.equal(offence({ lawCase, result }), undefined, JSON.stringify(result));
  t.equal(result?.outcome, 'rendered');
});

t.test(
  'a conic gradient with several stops at its end is written into a PDF within the law',
  async (t) => {
    const offsets = [
      [1, 1],
      [1.1e-31, 1, 1],
      [0.2, 1, 1, 1],
      [0.999_999_999_999_999, 1e-31],
    ];
    for (const stops of offsets) {
      const background = {
        gradient: 'conic',
        stops: stops.map((offset) => ({ offset, color: '#12345680' })),
      };
      const lawCase: LawCase = {
        ...base,
        by: 'pdf',
        scale: 1,
        document: { ...document([]), background },
      };
      const result = await renderer.measure(lawCase);
      t.equal(
        offence({ lawCase, result }),
        undefined,
        `${stops.join(' ')} ${JSON.stringify(result)}`,
      );
      t.equal(result?.outcome, 'rendered');
    }
  },
);

t.test(
  'transparent noise that is scaled up is a WebP within the law, or too expensive',
  async (t) => {
    const lawCase: LawCase = {
      ...base,
      by: 'link',
      scale: 3,
      format: 'webp',
      quality: 60,
      document: { ...document([{ ...box, type: 'image', src: 'alpha' }]), background: 'none' },
    };
    const result = await renderer.measure(lawCase);
    t.equal(offence({ lawCase, result }), undefined, JSON.stringify(result));
    t.equal(result?.outcome, 'too expensive');
    t.match(result?.detail, /to encode as webp at quality 60/);
  },
);
