/** Documents that once held a render host for seconds, took gigabytes or ended the process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { renderScales } from '#wire/render-job.ts';
import { alternatingPath, closedShapes, repeatedPath } from '../fixtures/hostile-paths.ts';
import { boundSvg, hostileSvgs } from '../fixtures/hostile-svg.ts';
import { aTemplate } from '../fixtures/template-documents.ts';
import { extent } from '../helpers/extent.ts';
import { createRenderer, offence } from './campaign.ts';
import type { LawCase } from './documents.ts';
import type { LawResult } from './render-child.ts';

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
  const named = layers.map((layer, index) => ({ id: `l${index}`, ...layer }));
  return aTemplate({ ...canvas, layers: named });
}

const canvas = { width: 1200, height: 630 };
const box = { x: 0, y: 0, ...canvas };
const zigzag = `M0 0${Array.from({ length: 1600 }, (_, index) => `L${(index * 7919) % 1200} ${(index * 104_729) % 630}`).join('')}`;

function clipped(path: string): LawCase['document'] {
  return document([{ ...box, type: 'rect', fill: '#f00', clip: { shape: 'path', path } }]);
}

type HostileCase = [name: string, what: Pick<LawCase, 'document'> & Partial<LawCase>];

const files: [name: string, file: string][] = [
  ['eight nested groups with strong blurs', 'groups8'],
  ['strokes of 400 pixels around 2,000 letters', 'stroke400'],
  ['strokes of complex letters', 'stroke25-two-texts'],
  ['text that a long path cuts', 'text-clip-path'],
  ['small rectangles with blurs and shadows', 'blur-and-shadow-small'],
  ['rectangles far larger than the canvas', 'huge-rects'],
];

/** Layers of a number; `at` gives each what differs. */
function many(
  count: number,
  layer: LawCase['document'],
  at: (index: number) => object = () => ({}),
): LawCase['document'] {
  return document(
    Array.from({ length: count }, (_, index) => ({ ...box, ...layer, ...at(index) })),
  );
}

const strokedWords = { type: 'text', text: 'abcdefgh '.repeat(211), fontSize: 78 };
const longWord = { type: 'text', text: 'a'.repeat(2500), fontSize: 1 };
const greeting = { type: 'text', text: 'Hello there' };
const smallText = { type: 'text', text: 'A\u0301\u0302\u0303'.repeat(4), fontSize: 12, y: 100 };
const dashes = { type: 'path', path: zigzag, stroke: { color: '#f00', width: 400, dash: [400] } };

const cases: HostileCase[] = [
  ...files.map(([name, file]): HostileCase => [name, { document: read(file) }]),
  [
    'a stroke whose width a link gives',
    { document: read('boundstroke'), by: 'link', values: { w: '400', n: 'Wm'.repeat(1000) } },
  ],
  [
    'a layer that crossing lines cut, every sixth of them tiny',
    { document: clipped(alternatingPath) },
  ],
  ...closedShapes.map((shape): HostileCase => [
    `a layer that 128 equal shapes cut: ${shape}`,
    { document: clipped(repeatedPath(shape, 128, 0)) },
  ]),
  ...['round', 'miter'].map((lineJoin): HostileCase => {
    const stroke = { color: '#f008', width: 400, join: lineJoin };
    const small = { width: 1, height: 101 };
    return [
      `strokes of 400 pixels around letters on a canvas of a pixel, ${lineJoin}`,
      { document: { ...many(2, { ...strokedWords, stroke }), ...small } },
    ];
  }),
  [
    'letters that a font of the organization draws as four glyphs each',
    { document: many(1, { ...longWord, fontFamily: 'Law Expansion' }) },
  ],
  [
    'a word whose letters a font of the organization compares with its rules',
    { document: many(1, { ...longWord, fontFamily: 'Law Contexts' }) },
  ],
  [
    'five hundred texts',
    { document: many(500, greeting, (index) => ({ y: index, fontSize: 12 + index * 0.37 })) },
  ],
  [
    'five hundred texts outside of a small canvas, whose contrast a report measures',
    { document: { ...many(500, smallText), height: 10 } },
  ],
  ['long paths with wide dashes', { document: many(12, dashes) }],
];

/** Draws a case and holds it to the law; what else is expected is its outcome. */
async function requireLaw(
  t: Test,
  what: HostileCase[1],
  name = '',
  expected?: LawResult['outcome'],
): Promise<LawResult | undefined> {
  const lawCase: LawCase = { ...base, by: 'preview', scale: 1, ...what };
  const result = await renderer.measure(lawCase);
  const found = `${name} ${JSON.stringify(result)}`;
  t.equal(offence({ lawCase, result }), undefined, found);
  if (expected !== undefined) t.equal(result?.outcome, expected, found);
  return result;
}

/** One of three in `npm test`. */
const every = extent(3, 1);
const isPart = (_: unknown, index: number): boolean => index % every === 0;

for (const scale of renderScales.slice(0, extent(1, renderScales.length))) {
  t.test(`is drawn or refused within the law at scale ${scale}`, async (t) => {
    for (const [name, what] of cases.filter(isPart)) await requireLaw(t, { scale, ...what }, name);
  });
}

t.test('hostile SVG layers are drawn or left out within the law', async (t) => {
  const bound = {
    ...document([{ ...box, type: 'svg', svg: boundSvg }]),
    variables: [{ name: 'r', type: 'number', value: '1' }],
  };
  const slow = { type: 'svg', svg: hostileSvgs['many octaves'] };
  const svgCases: HostileCase[] = [
    ...Object.entries(hostileSvgs).map(([name, svg]): HostileCase => [
      name,
      { document: document([{ ...box, type: 'svg', svg }]) },
    ]),
    ['a kernel of 3,600 numbers on a large canvas', { document: read('svg-convolve') }],
    ['a radius that a link gives', { document: bound, by: 'link', values: { r: '900' } }],
    ['many slow drawings', { document: many(100, slow, (index) => ({ width: 400 + index })) }],
  ];
  for (const [name, what] of svgCases.filter(isPart)) await requireLaw(t, what, name, 'rendered');
});

t.test('an empty canvas of the largest size is published within the law', async (t) => {
  await requireLaw(t, { by: 'publish', document: read('empty-4096') }, '', 'rendered');
});

t.test('conic gradients with stops at their end are written into a PDF in the law', async (t) => {
  const offsets = [
    [1, 1],
    [1.1e-31, 1, 1],
    [0.2, 1, 1, 1],
    [0.999_999_999_999_999, 1e-31],
  ];
  for (const each of offsets) {
    const stops = each.map((offset) => ({ offset, color: '#12345680' }));
    const background = { gradient: 'conic', stops };
    const what = { by: 'pdf', document: { ...document([]), background } } as const;
    await requireLaw(t, what, each.join(' '), 'rendered');
  }
});

t.test('transparent noise that is scaled up is too expensive as a WebP', async (t) => {
  const noise = { ...document([{ ...box, type: 'image', src: 'alpha' }]), background: 'none' };
  const asked = { by: 'link', scale: 3, format: 'webp', quality: 60 } as const;
  const result = await requireLaw(t, { ...asked, document: noise }, '', 'too expensive');
  t.match(result?.detail, /to encode as webp at quality 60/);
});
