/** A render over a base render has the pixels of a whole render where letters look otherwise than they do alone. */
import t from 'tap';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { drawInTurn } from '../helpers/both-ways.ts';
import { decodePixels, validTemplate } from '../helpers/render.ts';

interface Case {
  document: object;
  names: readonly string[];
  lang?: string;
  scale?: 1 | 2;
}

const aDocument = (text: object): object =>
  aTemplate({
    width: 601,
    height: 150,
    background: '#dde6f0',
    variables: [aVariable('name', 'text', 'Anna')],
    layers: [aLayer('text', { x: 10, y: 10, width: 580, height: 130, text: '{{name}}', ...text })],
  });

/** A group with round corners, which cuts nothing of what changes. */
const inRoundGroup = (layers: readonly object[]): object =>
  aTemplate({
    width: 300,
    height: 120,
    background: '#dde6f0',
    variables: [aVariable('name', 'text', 'Anna')],
    layers: [
      { id: 'group', type: 'group', x: 0, y: 0, width: 300, height: 120, cornerRadius: 20, layers },
    ],
  });

const label = (more: object): object =>
  aLayer('text', { x: 30, y: 23.3, width: 220, height: 80, text: '{{name}}', ...more });

/** Enough texts for the letters of a style to be used. */
const short = ['Ada', 'Bea', 'Cleo', 'Dan', 'Eva', 'Ada', 'Bea'];

const cases: Readonly<Record<string, Case>> = {
  'brackets in a text from right to left': {
    document: aDocument({ fontFamily: 'Inter', fontSize: 30, direction: 'rtl', align: 'left' }),
    names: [...short, '(1)', '(', '«»', 'Eva (2)'],
    lang: 'he',
  },
  'ligatures of Latin letters in a Chinese font': {
    document: aDocument({ fontFamily: 'Noto Sans TC', fontSize: 30 }),
    names: ['Anfal', 'Ina', 'Fila', 'Anfal', 'Filaf', 'fan', 'in', 'Sofia', 'Fiona'],
  },
  'ideographs that a feature joins': {
    document: aDocument({ fontFamily: 'Noto Sans JP', fontSize: 30, fontFeatures: { dlig: 1 } }),
    names: ['会社', '会社式', '株会', '社会式', '式会社株', '会社', '株式会社'],
  },
  'a cedilla in the language mo': {
    document: aDocument({ fontFamily: 'Inter', fontSize: 30 }),
    names: ['Ştefan', 'Şerban', 'Ştef', 'Şan', 'Ştefan', 'Ștefan'],
    lang: 'mo',
  },
  'letters of two fonts in a word': {
    document: aDocument({ fontFamily: 'Noto Sans Armenian', fontSize: 24.25, y: 3.3 }),
    names: ['Да Да', 'Да Да', 'Да Ба', 'Да-Да', 'Да-Бд', 'Да Да', '₽łå—₺ß', 'Д-даБ'],
  },
  'a negative spacing wider than letters': {
    document: aDocument({ fontFamily: 'Inter', fontSize: 10.5, align: 'right', letterSpacing: -8 }),
    names: ['Ελένδ', 'Ελένδ Νικολαΐδίς', 'Ανα', 'Ελένδ Νικολαΐδίς Νικολαΐδίς', 'x'],
  },
  'outlines in a round group': {
    document: inRoundGroup([label({ fontFamily: 'Inter', fontSize: 48, overflow: 'visible' })]),
    names: ['ओम सिंह', 'محمد', 'محمد حسن'],
  },
  'a translucent ellipse in a round group': {
    document: inRoundGroup([
      label({ fontFamily: 'Inter', fontSize: 30 }),
      {
        id: 'ellipse',
        type: 'ellipse',
        x: 40.3,
        y: 30.7,
        width: 70,
        height: 33,
        fill: '#ff000088',
      },
    ]),
    names: ['Oscar', 'Sam', 'Olga B'],
    scale: 2,
  },
};

for (const [title, { document, names, lang, scale = 1 }] of Object.entries(cases)) {
  t.test(title, async (t) => {
    const job = (values: Record<string, string>) => ({ values, images: {}, lang });
    const drawn = await drawInTurn(
      validTemplate(document),
      job({}),
      names.map((name) => job({ name })),
      { scale, format: 'png' },
    );
    let compared = 0;
    for (const [index, { whole, spliced }] of drawn.entries()) {
      if (spliced === undefined || whole === undefined) continue;
      compared += 1;
      const [expected, pixels] = [await decodePixels(whole), await decodePixels(spliced)];
      t.ok(Buffer.compare(pixels.data, expected.data) === 0, `text ${index}`);
    }
    t.ok(compared > 0, 'some are drawn over a base render');
  });
}
