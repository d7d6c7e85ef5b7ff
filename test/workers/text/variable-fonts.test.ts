import t from 'tap';
import {
  layoutLayer,
  measuring,
  paintedText,
  styles,
  textLayer,
  textStyle,
} from '../../helpers/text.ts';
import type { TextStyle } from '../../../workers/text/style.ts';
import { shapedWidthEm } from '../../../workers/text/text-width.ts';
import { FontLibrary } from 'skia-canvas';
import { aLayer, aTemplate } from '../../fixtures/template-documents.ts';
import { drawnPixels } from '../../helpers/render.ts';
import { axisProblem, chooseFonts } from '../../../workers/assets/font-axes.ts';

const text = 'Hamburgefonts Tā “Vý” 128';

function face(rest: Partial<TextStyle>): ReturnType<typeof styles.fontFace> {
  return styles.fontFace(textStyle(rest), 'en', 'letters');
}

t.test('a variable form is its files where they stand', async (t) => {
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
});

t.test('the engine and the shaper agree on the widths of variable letters', async (t) => {
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
});

t.test('an axis that a family lacks is reported once, and changes nothing', async (t) => {
  const spans = [{ text: 'a' }, { text: 'b', fontWeight: 700 }];
  const { text: _, ...layer } = textLayer('', { fontFamily: ['Caveat', 'Inter'] });
  const reported = layoutLayer({ ...layer, spans, fontVariations: { wght: 650 } });
  const detail = 'the font family "Caveat" has no axis wght: it has none';
  t.same(reported.warnings, [{ code: 'AXIS_MISSING', layer: 'text', detail }]);
  const plain = layoutLayer({ ...layer, spans });
  const widths = [reported, plain].map((one) => paintedText(one).runs.map(({ width }) => width));
  t.same(widths[0], widths[1]);
});

t.test('a variable form has no name for templates', async (t) => {
  const { warnings } = layoutLayer(textLayer('a', { fontFamily: 'Inter Variable' }));
  t.match(warnings, [{ code: 'FONT_MISSING', detail: /"Inter Variable" is not installed/ }]);
});

const none = new Map<string, number>();

t.test('text is drawn from the files of one weight where they have what is asked for', (t) => {
  const families = ['Inter', 'Caveat'];
  t.same(chooseFonts(families, 700, none), { families, weight: 700, axes: none });
  const sameAsFile = new Map(Object.entries({ opsz: 14, wght: 300 }));
  const fraunces = { families: ['Fraunces'], weight: 300, axes: none };
  t.same(chooseFonts(['Fraunces'], 400, sameAsFile), fraunces);
  t.same(chooseFonts(['Inter'], 1000, none).families, ['Inter'], 'over the range is its end');
  t.same(chooseFonts(['Inter'], 1, new Map([['opsz', -100]])).families, ['Inter']);
  t.end();
});

t.test('other weights and axes come from the variable form, with files behind it', async (t) => {
  const chosen = chooseFonts(['Caveat', 'Fraunces', 'Inter'], 450, new Map([['SOFT', 50]]));
  t.same(chosen.families, ['Caveat', 'Fraunces Variable', 'Fraunces', 'Inter Variable', 'Inter']);
  t.same(Object.fromEntries(chosen.axes), { opsz: 14, wght: 450, SOFT: 50, WONK: 0 });
  t.equal(chosen.weight, 500, 'of the files');
  const overridden = chooseFonts(['Inter'], 700, new Map([['wght', 120.5]]));
  t.equal(overridden.weight, 100, 'the axis decides the weight');
  t.equal(overridden.axes.get('wght'), 120.5);
  t.equal(chooseFonts(['Caveat'], 700, new Map([['wght', 120]])).weight, 700);
});

t.test('a weight between files is the one that CSS looks for first', async (t) => {
  const weights = [1, 100, 199, 399, 400, 401, 500, 501, 899, 1000];
  const found = weights.map((weight) => chooseFonts(['Caveat'], weight, none).weight);
  t.same(found, [100, 100, 100, 300, 400, 500, 500, 600, 900, 900]);
});

t.test('the table of axes is what the fonts say of themselves', async (t) => {
  for (const family of ['Inter', 'Fraunces']) {
    const installed = FontLibrary.family(`${family} Variable`);
    t.ok(installed?.variable, `${family} Variable is installed`);
    t.same(installed?.styles, ['normal', 'italic']);
    const axes = Object.entries(installed?.variations ?? {});
    t.ok(axes.length >= 2);
    const said = axisProblem(family, 'none') ?? '';
    for (const [tag, { min, max }] of axes) {
      t.match(said, `${tag} from ${min} to ${max}`);
      t.equal(axisProblem(family, tag), undefined);
    }
  }
  t.match(axisProblem('Caveat', 'wght'), /"Caveat" has no axis wght: it has none/);
});

t.test('settings that are no numbers of axes change no face', async (t) => {
  const { variations, axes } = face({ variations: '"zzzz" -1' });
  t.same([variations, axes.size], ['normal', 0]);
});

t.test('an x between digits looks the same at every weight of Inter', async (t) => {
  const draw = async (words: string, properties: Record<string, unknown>): Promise<string> => {
    const layers = [aLayer('text', { width: 200, height: 60, text: words, ...properties })];
    return (await drawnPixels(aTemplate({ layers }))).data.toString('base64');
  };
  for (const fontWeight of [400, 410, 700, 777]) {
    for (const [typed, sign] of [
      ['3x4', '3×4'],
      ['3 x 4x5', '3 × 4×5'],
    ] as const) {
      t.equal(await draw(typed, { fontWeight }), await draw(sign, { fontWeight }), `${fontWeight}`);
    }
    t.not(await draw('0x1F 3xa x4', { fontWeight }), await draw('0×1F 3×a ×4', { fontWeight }));
  }
  const features = { fontWeight: 410, fontFeatures: { calt: 0 } };
  t.not(await draw('3x4', features), await draw('3×4', features), 'a template may want the letter');
});
