import t from 'tap';
import {
  layoutLayer,
  measuring,
  outlines,
  paintedText,
  styles,
  textLayer,
  textStyle,
} from '../../helpers/text.ts';
import type { TextStyle } from '../../../workers/text/style.ts';
import { shapedWidthEm } from '../../../workers/text/text-width.ts';

const text = 'Hamburgefonts Tā “Vý” 128';

function face(rest: Partial<TextStyle>): ReturnType<typeof styles.fontFace> {
  return styles.fontFace(textStyle(rest), 'en', 'letters');
}

t.test('every weight between the lightest and the heaviest is one of its own', (t) => {
  for (const family of ['Inter', 'Fraunces']) {
    for (const italic of [false, true]) {
      let before = 0;
      for (let weight = 100; weight <= 900; weight += 50) {
        const width = measuring.measureEm(face({ families: [family], italic, weight }), text);
        t.ok(width > before + 0.001, `${family} ${italic ? 'italic ' : ''}${weight}: ${width}`);
        before = width;
      }
    }
  }
  t.end();
});

t.test('a variable form is its files where they stand', (t) => {
  for (const families of [['Inter'], ['Fraunces']]) {
    for (const italic of [false, true]) {
      for (const weight of [100, 400, 800]) {
        const file = measuring.measureEm(face({ families, italic, weight }), text);
        const beside = face({ families, italic, variations: `"wght" ${weight + 0.01}` });
        t.not(beside.variations, 'normal');
        const width = measuring.measureEm(beside, text);
        t.ok(Math.abs(width - file) < 0.003, `${families.join()} ${weight}: ${width} ${file}`);
      }
    }
  }
  t.end();
});

t.test('the engine and the shaper agree on the widths of variable letters', (t) => {
  const looks = [
    { families: ['Inter'], weight: 450 },
    { families: ['Inter'], italic: true, variations: '"opsz" 32, "wght" 777' },
    { families: ['Fraunces'], variations: '"opsz" 144, "SOFT" 100, "WONK" 1' },
    { families: ['Fraunces'], variations: '"opsz" 9999, "wght" -5' },
  ];
  for (const look of looks) {
    const one = face(look);
    const engine = measuring.measureEm(one, text);
    t.ok(Math.abs(shapedWidthEm(one, text) - engine) < 0.001, JSON.stringify(look));
  }
  t.end();
});

t.test('letters with marks have the outlines of their position on the axes', (t) => {
  const outline = (rest: Partial<TextStyle>): string =>
    (outlines.outlineRun(face(rest), 'x\u0302', 'ltr', 0) ?? []).map(({ data }) => data).join();
  const regular = outline({});
  t.not(outline({ weight: 450 }), regular);
  t.not(outline({ variations: '"opsz" 32' }), regular);
  t.equal(outline({ variations: '"opsz" 9' }), regular, 'below the range is its end');
  t.end();
});

t.test('an axis that a family lacks is reported once, and changes nothing', (t) => {
  const spans = [{ text: 'a' }, { text: 'b', fontWeight: 700 }];
  const { text: _, ...layer } = textLayer('', { fontFamily: ['Caveat', 'Inter'] });
  const reported = layoutLayer({ ...layer, spans, fontVariations: { wght: 650 } });
  t.same(reported.warnings, [
    {
      code: 'AXIS_MISSING',
      layer: 'text',
      detail: 'the font family "Caveat" has no axis wght: it has none',
    },
  ]);
  const plain = layoutLayer({ ...layer, spans });
  const widths = [reported, plain].map((one) => paintedText(one).runs.map(({ width }) => width));
  t.same(widths[0], widths[1]);
  t.end();
});

t.test('a variable form has no name for templates', (t) => {
  const { warnings } = layoutLayer(textLayer('a', { fontFamily: 'Inter Variable' }));
  t.match(warnings, [{ code: 'FONT_MISSING', detail: /"Inter Variable" is not installed/ }]);
  t.end();
});
