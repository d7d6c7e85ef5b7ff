import t from 'tap';
import {
  measuring,
  outlines,
  styles,
  textStyle,
  layoutLayer,
  paintedText,
  textLayer,
} from '../../helpers/text.ts';
import type { TextStyle } from '../../../workers/text/style.ts';
import { textWidthEm } from '../../../workers/text/text-width.ts';

const faceOf = (rest: Partial<TextStyle> = {}, lang = 'en') =>
  styles.fontFace(textStyle(rest), lang, 'letters');
const face = faceOf();

t.test('a mark stands where its font positions it', async (t) => {
  const [mark, letter, ...more] = outlines.outlineRun(face, 'ن', 'rtl', 0) ?? [];
  t.same(more, [], 'a letter and its dot');
  // Noto Sans Arabic: the dot lies 0.26 of the size to the right of the pen, over the bowl.
  t.ok((mark?.x ?? 0) > 0.2 && letter?.x === 0, `${mark?.x}`);
  const [x, hat] = outlines.outlineRun(face, 'x\u0302', 'ltr', 0) ?? [];
  t.ok(x?.x === 0 && (hat?.x ?? 1) < 0.5, 'a circumflex stands over its letter');
});

t.test('runs of both directions are laid from left to right', async (t) => {
  const glyphs = outlines.outlineRun(face, 'مرحبا', 'rtl', 0) ?? [];
  const bases = glyphs.map(({ x }) => x);
  t.ok(bases.length >= 5 && (bases.at(-1) ?? 0) > (bases[0] ?? 0));
  const right = Math.max(...bases);
  t.ok(right < measuring.measureEm(face, 'مرحبا'), 'inside the width that the engine measures');
});

t.test('letters of a large font beside marks have the outlines of the engine', async (t) => {
  const [x, hat, ideograph, ...more] = outlines.outlineRun(face, 'x\u0302你', 'ltr', 0) ?? [];
  t.same(more, []);
  t.ok(x && hat);
  const advance = measuring.measureEm(face, 'x\u0302');
  t.ok(Math.abs((ideograph?.x ?? 0) - advance) < 1e-3, 'behind the letters before it');
  t.equal(ideograph?.scale, 1 / 100);
  t.equal(outlines.outlineRun(face, 'x\u0302\u{1F436}\uFE0E', 'ltr', 0), undefined, 'no images');
});

t.test('what is invisible beside an ideograph leaves no marks to the engine', async (t) => {
  for (const invisible of ['\u200B', '\u2060', '\u200E']) {
    const glyphs = outlines.outlineRun(face, `${invisible}国\u0320`, 'ltr', 0) ?? [];
    t.equal(glyphs.length, 2, 'the ideograph and its mark');
  }
});

t.test('heights count the marks', async (t) => {
  const plain = outlines.outlineHeights(face, 'ل')?.ascent ?? 0;
  t.ok((outlines.outlineHeights(face, 'لَّ')?.ascent ?? 0) > plain + 0.1);
  t.equal(outlines.outlineHeights(face, 'dp'), undefined);
});

t.test('kana beside marks stand as far apart as they are measured', async (t) => {
  const spaced = faceOf({ families: ['Noto Sans JP'], letterSpacing: 2 }, 'ja');
  const [, , stop] = outlines.outlineRun(spaced, 'x\u0302。', 'ltr', 0.1) ?? [];
  const glyphs = outlines.outlineRun(spaced, 'x\u0302す。', 'ltr', 0.1) ?? [];
  t.ok(stop && glyphs.length === 4);
  const apart = (glyphs[3]?.x ?? 0) - (glyphs[2]?.x ?? 0);
  t.ok(Math.abs(apart - 1) < 1e-3, '0.9 of the kerned kana and 0.1 of space');
});

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = ['क्षत्रिय', 'हिन्दी', 'विद्यार्थी', 'ที่นี่น้ำ', 'กรรมกร', 'été zäh'.normalize('NFD')];

t.test('one space stands between two graphemes, and none inside', async (t) => {
  for (const word of words) {
    const count = [...graphemes.segment(word)].length;
    const spaced = outlines.outlineRun(face, word, 'ltr', 1) ?? [];
    const tight = outlines.outlineRun(face, word, 'ltr', 1e-9) ?? [];
    t.equal(spaced.length, tight.length, `${word} has the same shapes`);
    const moved = spaced.map(({ x }, index) => x - (tight[index]?.x ?? 0));
    const steps = [...new Set(moved.map((one) => Math.round(one)))];
    const isWhole = (one: number): boolean => Math.abs(one - Math.round(one)) < 1e-3;
    t.ok(moved.every(isWhole), 'by whole spaces');
    const shown = [...graphemes.segment(word)].flatMap(({ segment }, index) =>
      segment.trim() === '' ? [] : [index],
    );
    t.same(steps, shown, `${word}: ${count} graphemes`);
  }
});

t.test('spaced text is as wide as it is drawn', async (t) => {
  for (const word of words) {
    const count = [...graphemes.segment(word)].length;
    const width = (letterSpacing: number): number => {
      const layer = textLayer(word, { width: 900, fontSize: 30, letterSpacing });
      return paintedText(layoutLayer(layer)).runs.reduce((sum, run) => sum + run.width, 0);
    };
    // The setting alone turns ligatures off, so that both are spaced.
    const gap = (width(10) - width(2)) / 8;
    t.ok(Math.abs(gap - count) < 0.01 || Math.abs(gap - (count - 1)) < 0.01, `${word}: ${gap}`);
  }
});

t.test('Arabic stays joined and is not moved by letter spacing', async (t) => {
  const runs = (letterSpacing: number): unknown =>
    paintedText(layoutLayer(textLayer('سلام', { letterSpacing }))).runs.map((run) => run.glyphs);
  t.same(runs(8), runs(0));
});

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

t.test('letters have the forms of their language', async (t) => {
  for (const [lang, text, family] of cases) {
    const shapes = (language: string, shown: string): unknown =>
      outlines.outlineRun(faceOf({ families: [family], italic: true }, language), shown, 'ltr', 0);
    // A mark has the text shaped in every language.
    const marked = `${text} x\u0302`;
    t.ok(shapes('en', marked));
    t.notSame(shapes(lang, marked), shapes('en', marked), `${text} in ${lang}`);
    t.ok(shapes(lang, text), `${text} is shaped for ${lang}`);
  }
});

t.test('widths are those of the forms', async (t) => {
  const width = (lang: string): number =>
    textWidthEm(faceOf({ families: ['Noto Sans'], italic: true }, lang), 'тттттт');
  t.not(width('sr'), width('ru'));
});

t.test('what is spaced, localized or marked by no font is left to the engine', async (t) => {
  const whole: [text: string, spacing: number, lang?: string, kind?: 'letters' | 'emoji'][] = [
    ['plain é Я', 0],
    ['漢字かな', 0],
    ['1\uFE0F\u20E3', 0, 'en', 'emoji'],
    ['Spaced Я 漢字', 0.2],
    ['тест', 0, 'ru'],
    ['test', 0, 'sr'],
    ['țară', 0, 'ro'],
  ];
  for (const [text, spacing, lang = 'en', kind = 'letters'] of whole) {
    const look = styles.fontFace(textStyle(), lang, kind);
    t.equal(outlines.outlineRun(look, text, 'ltr', spacing), undefined, `${text} in ${lang}`);
  }
});
