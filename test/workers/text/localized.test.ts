import t from 'tap';
import { outlines, styles, textStyle } from '../../helpers/text.ts';
import { textWidthEm } from '../../../workers/text/text-width.ts';

/** Each language, letters that look different in it, and a family that has them. */
const cases = [
  ['sr', 'т', 'Noto Sans'],
  ['mk', 'д', 'Noto Sans'],
  ['mr', 'ल', 'Noto Sans Devanagari'],
  ['ne', 'झ', 'Noto Sans Devanagari'],
  ['sa', 'क्त', 'Noto Sans Devanagari'],
  ['ro', 'ş', 'Inter'],
  ['ca', 'l·l', 'Noto Sans'],
  ['pl', 'ń', 'Playfair Display'],
  ['tr', 'fi', 'Playfair Display'],
  ['az-Latn', 'fi', 'Playfair Display'],
] as const;

t.test('letters have the forms of their language', (t) => {
  for (const [lang, text, family] of cases) {
    const style = textStyle({ families: [family], italic: true });
    // A mark has the text shaped in every language.
    const shapes = (language: string): unknown => {
      const face = styles.fontFace(style, language, 'letters');
      return outlines.outlineRun(face, `${text} x\u0302`, 'ltr', 0);
    };
    t.ok(shapes('en'));
    t.notSame(shapes(lang), shapes('en'), `${text} in ${lang}`);
    const face = styles.fontFace(style, lang, 'letters');
    t.ok(outlines.outlineRun(face, text, 'ltr', 0), `${text} is shaped for ${lang}`);
  }
  t.end();
});

t.test('widths are those of the forms', (t) => {
  const style = textStyle({ families: ['Noto Sans'], italic: true });
  const width = (lang: string): number =>
    textWidthEm(styles.fontFace(style, lang, 'letters'), 'тттттт');
  t.not(width('sr'), width('ru'));
  t.end();
});

t.test('other languages and letters are left to the engine', (t) => {
  const face = (lang: string): ReturnType<typeof styles.fontFace> =>
    styles.fontFace(textStyle(), lang, 'letters');
  t.equal(outlines.outlineRun(face('ru'), 'тест', 'ltr', 0), undefined);
  t.equal(outlines.outlineRun(face('sr'), 'test', 'ltr', 0), undefined);
  t.equal(outlines.outlineRun(face('ro'), 'țară', 'ltr', 0), undefined);
  t.end();
});
