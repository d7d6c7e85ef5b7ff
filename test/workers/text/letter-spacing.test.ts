import t from 'tap';
import {
  layoutLayer,
  outlines,
  paintedText,
  styles,
  textLayer,
  textStyle,
} from '../../helpers/text.ts';

const face = styles.fontFace(textStyle(), 'en', 'letters');
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = ['क्षत्रिय', 'हिन्दी', 'विद्यार्थी', 'ที่นี่น้ำ', 'กรรมกร', 'été zäh'.normalize('NFD')];

t.test('one space stands between two graphemes, and none inside', (t) => {
  for (const word of words) {
    const count = [...graphemes.segment(word)].length;
    const spaced = outlines.outlineRun(face, word, 'ltr', 1) ?? [];
    const tight = outlines.outlineRun(face, word, 'ltr', 1e-9) ?? [];
    t.equal(spaced.length, tight.length, `${word} has the same shapes`);
    const moved = spaced.map(({ x }, index) => x - (tight[index]?.x ?? 0));
    const steps = [...new Set(moved.map((one) => Math.round(one)))];
    t.ok(
      moved.every((one) => Math.abs(one - Math.round(one)) < 1e-3),
      'by whole spaces',
    );
    const shown = [...graphemes.segment(word)].flatMap(({ segment }, index) =>
      segment.trim() === '' ? [] : [index],
    );
    t.same(steps, shown, `${word}: ${count} graphemes`);
  }
  t.end();
});

t.test('spaced text is as wide as it is drawn', (t) => {
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
  t.end();
});

t.test('Arabic stays joined and is not moved by letter spacing', (t) => {
  const runs = (letterSpacing: number): unknown =>
    paintedText(layoutLayer(textLayer('سلام', { letterSpacing }))).runs.map((run) => run.glyphs);
  t.same(runs(8), runs(0));
  t.end();
});

t.test('spaced letters of other scripts are left to the engine', (t) => {
  t.equal(outlines.outlineRun(face, 'Spaced Я 漢字', 'ltr', 0.2), undefined);
  t.end();
});
