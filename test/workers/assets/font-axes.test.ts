import t from 'tap';
import { FontLibrary } from 'skia-canvas';
import { aLayer, aTemplate } from '../../fixtures/template-documents.ts';
import { renderTemplate, validTemplate } from '../../helpers/render.ts';
import { textStyle, styles } from '../../helpers/text.ts';
import { axisProblem, chooseFonts } from '../../../workers/assets/font-axes.ts';

const none = new Map<string, number>();

t.test('text is drawn from the files of one weight where they have what is asked for', (t) => {
  t.same(chooseFonts(['Inter', 'Caveat'], 700, none), {
    families: ['Inter', 'Caveat'],
    weight: 700,
    axes: none,
  });
  const sameAsFile = new Map([['opsz', 14] as const, ['wght', 300] as const]);
  t.same(chooseFonts(['Fraunces'], 400, sameAsFile), {
    families: ['Fraunces'],
    weight: 300,
    axes: none,
  });
  t.same(chooseFonts(['Inter'], 1000, none).families, ['Inter'], 'over the range is its end');
  t.same(chooseFonts(['Inter'], 1, new Map([['opsz', -100]])).families, ['Inter']);
  t.end();
});

t.test(
  'other weights and axes are taken from the variable form, and files stand behind it',
  (t) => {
    const chosen = chooseFonts(['Caveat', 'Fraunces', 'Inter'], 450, new Map([['SOFT', 50]]));
    t.same(chosen.families, ['Caveat', 'Fraunces Variable', 'Fraunces', 'Inter Variable', 'Inter']);
    t.same(Object.fromEntries(chosen.axes), { opsz: 14, wght: 450, SOFT: 50, WONK: 0 });
    t.equal(chosen.weight, 500, 'of the files');
    const overridden = chooseFonts(['Inter'], 700, new Map([['wght', 120.5]]));
    t.equal(overridden.weight, 100, 'the axis decides the weight');
    t.equal(overridden.axes.get('wght'), 120.5);
    t.equal(chooseFonts(['Caveat'], 700, new Map([['wght', 120]])).weight, 700);
    t.end();
  },
);

t.test('a weight between files is the one that CSS looks for first', (t) => {
  const weights = [1, 100, 199, 399, 400, 401, 500, 501, 899, 1000];
  const found = weights.map((weight) => chooseFonts(['Caveat'], weight, none).weight);
  t.same(found, [100, 100, 100, 300, 400, 500, 500, 600, 900, 900]);
  t.end();
});

t.test('the table of axes is what the fonts say of themselves', (t) => {
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
  t.end();
});

t.test('settings that are no numbers of axes change no face', (t) => {
  const face = styles.fontFace(textStyle({ variations: '"zzzz" -1' }), 'en', 'letters');
  t.equal(face.variations, 'normal');
  t.equal(face.axes.size, 0);
  t.end();
});

t.test('an x between digits looks the same at every weight of Inter', async (t) => {
  const draw = async (text: string, properties: Record<string, unknown>): Promise<string> => {
    const layers = [aLayer('text', { width: 200, height: 60, text, ...properties })];
    const { bytes } = await renderTemplate(validTemplate(aTemplate({ layers })));
    return Buffer.from(bytes).toString('base64');
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
