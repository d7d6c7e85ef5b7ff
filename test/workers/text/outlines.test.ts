import t from 'tap';
import { measuring, outlines, styles, textStyle } from '../../helpers/text.ts';

const face = styles.fontFace(textStyle(), 'en', 'letters');

t.test('a mark stands where its font positions it', (t) => {
  const [mark, letter, ...more] = outlines.outlineRun(face, 'ن', 'rtl', 0) ?? [];
  t.same(more, [], 'a letter and its dot');
  // Noto Sans Arabic: the dot lies 0.26 of the size to the right of the pen, over the bowl.
  t.ok((mark?.x ?? 0) > 0.2 && letter?.x === 0, `${mark?.x}`);
  const [x, hat] = outlines.outlineRun(face, 'x\u0302', 'ltr', 0) ?? [];
  t.ok(x?.x === 0 && (hat?.x ?? 1) < 0.5, 'a circumflex stands over its letter');
  t.end();
});

t.test('letters without marks and emoji are left to the engine', (t) => {
  t.equal(outlines.outlineRun(face, 'plain é Я', 'ltr', 0), undefined);
  t.equal(outlines.outlineRun(face, '漢字かな', 'ltr', 0), undefined);
  const emoji = styles.fontFace(textStyle(), 'en', 'emoji');
  t.equal(outlines.outlineRun(emoji, '1\uFE0F\u20E3', 'ltr', 0), undefined);
  t.end();
});

t.test('runs of both directions are laid from left to right', (t) => {
  const glyphs = outlines.outlineRun(face, 'مرحبا', 'rtl', 0) ?? [];
  const bases = glyphs.map(({ x }) => x);
  t.ok(bases.length >= 5 && (bases.at(-1) ?? 0) > (bases[0] ?? 0));
  const right = Math.max(...bases);
  t.ok(right < measuring.measureEm(face, 'مرحبا'), 'inside the width that the engine measures');
  t.end();
});

t.test('letters of a large font beside marks have the outlines of the engine', (t) => {
  const [x, hat, ideograph, ...more] = outlines.outlineRun(face, 'x\u0302你', 'ltr', 0) ?? [];
  t.same(more, []);
  t.ok(x && hat);
  const advance = measuring.measureEm(face, 'x\u0302');
  t.ok(Math.abs((ideograph?.x ?? 0) - advance) < 1e-3, 'behind the letters before it');
  t.equal(ideograph?.scale, 1 / 100);
  t.equal(outlines.outlineRun(face, 'x\u0302\u{1F436}\uFE0E', 'ltr', 0), undefined, 'no images');
  t.end();
});

t.test('what is invisible beside an ideograph leaves no marks to the engine', (t) => {
  for (const invisible of ['\u200B', '\u2060', '\u200E']) {
    const glyphs = outlines.outlineRun(face, `${invisible}国\u0320`, 'ltr', 0) ?? [];
    t.equal(glyphs.length, 2, 'the ideograph and its mark');
  }
  t.end();
});

t.test('heights count the marks', (t) => {
  const plain = outlines.outlineHeights(face, 'ل')?.ascent ?? 0;
  t.ok((outlines.outlineHeights(face, 'لَّ')?.ascent ?? 0) > plain + 0.1);
  t.equal(outlines.outlineHeights(face, 'dp'), undefined);
  t.end();
});

t.test('kana beside marks stand as far apart as they are measured', (t) => {
  const spaced = styles.fontFace(
    textStyle({ families: ['Noto Sans JP'], letterSpacing: 2 }),
    'ja',
    'letters',
  );
  const [, , stop] = outlines.outlineRun(spaced, 'x\u0302。', 'ltr', 0.1) ?? [];
  const glyphs = outlines.outlineRun(spaced, 'x\u0302す。', 'ltr', 0.1) ?? [];
  t.ok(stop && glyphs.length === 4);
  t.ok(
    Math.abs((glyphs[3]?.x ?? 0) - (glyphs[2]?.x ?? 0) - 1) < 1e-3,
    '0.9 of the kerned kana and 0.1 of space',
  );
  t.end();
});
