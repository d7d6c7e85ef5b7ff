/** Images in turn over one base render are those drawn whole: letters that join, marks that stack, canvases that are used again. */
import t from 'tap';
import { defaultText } from '#language/values/list-value.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { readCase } from '../golden/cases.ts';
import { drawInTurn, requireSame } from '../helpers/both-ways.ts';
import { readImage, validTemplate } from '../helpers/render.ts';
import { gradientText, turnedText } from './transparent-layers.ts';

interface Case {
  document: object;
  names: readonly string[];
  /** Beside the name, of each image. */
  values?: (index: number) => Record<string, string>;
  /** So many are drawn over the base render, one at least. */
  least?: number;
  lang?: string;
  scale?: 1 | 2;
}

const aDocument = (size: object, layers: readonly object[], name = 'Anna'): object =>
  aTemplate({
    background: '#dde6f0',
    variables: [aVariable('name', 'text', name)],
    layers,
    ...size,
  });

const line = (look: object): object => {
  const text = { x: 10, y: 10, width: 580, height: 130, text: '{{name}}', ...look };
  return aDocument({ width: 601, height: 150 }, [aLayer('text', text)]);
};

/** A group with round corners, which cuts nothing of what changes. */
const inRoundGroup = (layers: readonly object[]): object => {
  const size = { width: 300, height: 120 };
  return aDocument(size, [aLayer('group', { id: 'group', ...size, cornerRadius: 20, layers })]);
};

const label = (more: object): object =>
  aLayer('text', { x: 30, y: 23.3, width: 220, height: 80, text: '{{name}}', ...more });

/** Enough texts for the letters of a style to be used. */
const short = ['Ada', 'Bea', 'Cleo', 'Dan', 'Eva', 'Ada', 'Bea'];

/** A text that a value moves to any position of a group with round corners, also over its edges. */
function aCard(background: string, look: object = {}): Case {
  const box = { width: 260, height: 100 };
  const ground = aLayer('rect', { id: 'ground', x: 0, y: 0, ...box, fill: '#ffeedd' });
  const movable = { x: '{{x}}', y: '{{y}}', width: 120, height: 40, fontSize: 30, fill: '#204060' };
  const text = aLayer('text', { ...movable, text: '{{name}}', ...look });
  const layers = [ground, text];
  return {
    document: aTemplate({
      width: 300,
      height: 120,
      background,
      variables: [
        aVariable('name', 'text', 'Anna'),
        aVariable('x', 'number', '80'),
        aVariable('y', 'number', '30'),
      ],
      layers: [aLayer('group', { id: 'card', x: 20.5, y: 10, ...box, cornerRadius: 40, layers })],
    }),
    // More than a canvas keeps, at the corners, over the edges and in the middle.
    names: Array.from({ length: 24 }, (_, index) => `Reader ${index}`),
    values: (index) => ({
      x: String([80, -20, 0, 190, 139.5][index % 5]),
      y: String([30, 0, 70, -10][index % 4]),
    }),
    least: 13,
  };
}

/** Letters with marks that stack far over and under them, as the engine's own measure does not tell. */
const stacked = [
  'Z\u0301\u0302\u0303\u0304\u0306\u0307 a\u0323\u0324\u0325\u032D\u032E\u0330lgo',
  'f',
  'g\u0331\u0331\u0331\u0331\u0331\u0331 \u0301\u0301\u0301\u0301\u0301\u0301',
  '',
  'ซิ้ นี้ ปู่',
];
const golden = validTemplate(readCase('text/marks-stacked').template);
const [first] = golden.variables;
const zalgo = first === undefined ? '' : defaultText(first);

/** The golden case of such letters in another look, over a base render of each text. */
function marksIn(look: object): Case[] {
  const layers = golden.layers.map((layer) =>
    layer.type === 'text'
      ? { ...layer, text: layer.text?.replace('{{zalgo}}', '{{name}}'), ...look }
      : layer,
  );
  return [zalgo, 'f'].map((value) => ({
    document: { ...golden, layers, variables: [aVariable('name', 'text', value)] },
    names: [...stacked, zalgo, 'f', ...stacked.toReversed()],
    least: 9,
  }));
}

/** Readers of one campaign whose names have nothing in common, and no ground that would hide another's. */
const readers: Omit<Case, 'document'> = {
  names: ['Amanda', 'Maximilian Secret', 'Bo', 'Al', 'Wilhelmina Top', 'Jo', 'Cy', 'Bob'],
  // Long names change more than half of so small an image.
  least: 4,
};
const unseen = (layers: readonly object[]): object =>
  aDocument({ width: 120, height: 80, background: 'none' }, layers, 'nobody');

const onPath = { text: '{{name}} \uFDFD', path: 'M0 40Q80 0 160 40' };

const cases: Readonly<Record<string, Case>> = {
  'brackets in a text from right to left': {
    document: line({ fontFamily: 'Inter', fontSize: 30, direction: 'rtl', align: 'left' }),
    names: [...short, '(1)', '(', '«»', 'Eva (2)'],
    lang: 'he',
  },
  'ligatures of Latin letters in a Chinese font': {
    document: line({ fontFamily: 'Noto Sans TC', fontSize: 30 }),
    names: ['Anfal', 'Ina', 'Fila', 'Anfal', 'Filaf', 'fan', 'in', 'Sofia', 'Fiona'],
  },
  'ideographs that a feature joins': {
    document: line({ fontFamily: 'Noto Sans JP', fontSize: 30, fontFeatures: { dlig: 1 } }),
    names: ['会社', '会社式', '株会', '社会式', '式会社株', '会社', '株式会社'],
  },
  'a cedilla in the language mo': {
    document: line({ fontFamily: 'Inter', fontSize: 30 }),
    names: ['Ştefan', 'Şerban', 'Ştef', 'Şan', 'Ştefan', 'Ștefan'],
    lang: 'mo',
  },
  'letters of two fonts in a word': {
    document: line({ fontFamily: 'Noto Sans Armenian', fontSize: 24.25, y: 3.3 }),
    names: ['Да Да', 'Да Да', 'Да Ба', 'Да-Да', 'Да-Бд', 'Да Да', '₽łå—₺ß', 'Д-даБ'],
  },
  'a negative spacing wider than letters': {
    document: line({ fontFamily: 'Inter', fontSize: 10.5, align: 'right', letterSpacing: -8 }),
    names: ['Ελένδ', 'Ελένδ Νικολαΐδίς', 'Ανα', 'Ελένδ Νικολαΐδίς Νικολαΐδίς', 'x'],
  },
  'outlines in a round group': {
    document: inRoundGroup([label({ fontFamily: 'Inter', fontSize: 48, overflow: 'visible' })]),
    names: ['ओम सिंह', 'محمد', 'محمد حسن'],
  },
  'a translucent ellipse in a round group': {
    document: inRoundGroup([
      label({ fontFamily: 'Inter', fontSize: 30 }),
      aLayer('ellipse', { id: 'e', x: 40.3, y: 30.7, width: 70, height: 33, fill: '#ff000088' }),
    ]),
    names: ['Oscar', 'Sam', 'Olga B'],
    scale: 2,
  },
  'a card over a ground': aCard('#ffffff'),
  'a card over nothing': aCard('none'),
  'a card with a shadow': aCard('#ffffff', { shadow: { y: 3, blur: 4, color: '#000000' } }),
  ...Object.fromEntries(
    [
      ...marksIn({}),
      ...marksIn({ fontSize: 44, stroke: { color: '#f00', width: 1 } }),
      ...marksIn({ y: 100, height: 80, fontSize: 30, ...onPath }),
    ].map((each, index) => [`marks that stack, look ${index}`, each]),
  ),
  'readers of a gradient text': { document: unseen([gradientText('Hi {{name}}!')]), ...readers },
  'readers over a photograph': { document: unseen(turnedText('{{name}}')), ...readers },
};

const images = { photo: await readImage('test/golden/images/photo.jpg') };

for (const [title, each] of Object.entries(cases)) {
  const { document, names, values, least = 1, lang, scale = 1 } = each;
  t.test(title, async (t) => {
    const job = (given: Record<string, string>) => ({ values: given, images, lang });
    const drawn = await drawInTurn(
      validTemplate(document),
      job({}),
      names.map((name, index) => job({ name, ...values?.(index) })),
      { scale, format: 'png' },
    );
    const compared = await requireSame(t, drawn, title);
    t.ok(compared >= least, `${compared} are drawn over a base render`);
  });
}
