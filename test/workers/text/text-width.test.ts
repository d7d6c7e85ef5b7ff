import t from 'tap';
import {
  engine,
  fontRuns,
  measuring,
  shaping,
  styles,
  textStyle,
  widths,
} from '../../helpers/text.ts';

const face = styles.fontFace(textStyle(), 'en', 'letters');
const emojiFace = styles.fontFace(textStyle(), 'en', 'emoji');

const words: Record<string, string> = {
  Latin: 'Hamburgefonstiv AVATAR fi ffl',
  Vietnamese: 'Tiếng Việt đường',
  Cyrillic: 'Съешь ещё этих мягких',
  Greek: 'Ξεσκεπάζω την ψυχοφθόρα',
  Hebrew: 'שלום עולם גדול',
  Arabic: 'مرحبا بالعالم الجميل',
  Devanagari: 'नमस्ते दुनिया क्षत्रिय',
  Thai: 'ยินดีต้อนรับสู่ประเทศไทย',
  Han: '中文排版，測試。',
  Kana: 'ひらがなカタカナーｶﾅ',
  Hangul: '안녕 하세요',
  'two scripts': 'Hello 世界 ไทย',
};

t.test('shaped widths are those of the engine', (t) => {
  for (const [name, text] of Object.entries(words)) {
    const painted = measuring.measureEm(face, text);
    const shaped = widths.shapedWidthEm(face, text);
    // A hundredth of a pixel on a line at 100 px.
    t.ok(Math.abs(painted - shaped) < 2e-4 * text.length, `${name}: ${painted} ${shaped}`);
    t.ok(Math.abs(widths.textWidthEm(face, text) - painted) < 2e-4 * text.length, name);
  }
  const emoji = '🎉👍🏽👨‍👩‍👧🇩🇪1️⃣';
  const painted = measuring.measureEm(emojiFace, emoji);
  t.ok(Math.abs(widths.textWidthEm(emojiFace, emoji) - painted) < 1e-3, 'emoji');
  t.end();
});

t.test('advances of units add up, spaced or not', (t) => {
  const spacing = { letterSpacing: 4, wordSpacing: 10 };
  const spaced = styles.fontFace(textStyle(spacing), 'en', 'letters');
  for (const text of Object.values(words)) {
    const sum = (of: typeof face): number =>
      widths.unitAdvances(of, text).reduce((total, one) => total + one, 0);
    t.ok(Math.abs(sum(face) - widths.shapedWidthEm(face, text)) < 1e-4);
    const graphemes = [...new Intl.Segmenter('en').segment(text)].length;
    const spaces = text.split(' ').length - 1;
    // Letters that are spaced out are no ligatures and may be kerned otherwise.
    const added = (graphemes * 4 + spaces * 10) / 20;
    t.ok(Math.abs(sum(spaced) - sum(spaced.unspaced) - added) < 1e-3, text);
  }
  t.end();
});

t.test('a word is shaped once', (t) => {
  widths.textWidthEm(face, 'كلمات جديدة');
  const shaped = shaping.shapingCount();
  const measured = engine.measurementCount();
  widths.textWidthEm(face, 'جديدة كلمات');
  t.equal(shaping.shapingCount(), shaped);
  t.equal(engine.measurementCount(), measured);
  t.end();
});

t.test('runs have the family that the engine draws them in', (t) => {
  const runs = (text: string): [string, string][] =>
    fontRuns.splitByFamily(face, text).map(({ family, text: part }) => [family, part]);
  for (const text of Object.values(words)) {
    t.equal(
      runs(text)
        .map(([, part]) => part)
        .join(''),
      text,
    );
    for (const [family, part] of runs(text)) {
      for (const { segment } of new Intl.Segmenter('en').segment(part)) {
        t.equal(engine.familyOf(face, segment), family, segment);
      }
    }
  }
  t.same(runs('\u200Dبا'), [['Noto Sans Arabic', '\u200Dبا']], 'a joiner goes with its word');
  t.same(
    runs('国\u05B8a'),
    [
      ['Noto Sans SC', '国'],
      ['Noto Sans Hebrew', '\u05B8'],
      ['Inter', 'a'],
    ],
    'a mark that the font of its letter lacks comes from another',
  );
  t.end();
});

t.test('kana are kerned as the engine draws them, in every pan-CJK family', (t) => {
  for (const family of ['Noto Sans JP', 'Noto Sans SC', 'Noto Sans TC', 'Noto Sans KR']) {
    for (const weight of [400, 700]) {
      for (const letterSpacing of [0, 3]) {
        const style = textStyle({ families: [family], weight, letterSpacing });
        const part = styles.fontFace(style, 'ja', 'letters');
        for (const text of [
          'です。',
          'アイウ',
          'カフェ・ソフト',
          'あソあト。',
          '国フ。',
          'トA。す1',
          'か\u3099す。',
          'ー、',
          '国ー。',
        ]) {
          const [painted, shaped] = [
            measuring.measureEm(part, text),
            widths.textWidthEm(part, text),
          ];
          t.ok(
            Math.abs(painted - shaped) < 1e-3,
            `${family} ${weight}, ${text}: ${painted} ${shaped}`,
          );
        }
      }
    }
  }
  const japanese = styles.fontFace(textStyle({ families: ['Noto Sans JP'] }), 'ja', 'letters');
  t.equal(widths.textWidthEm(japanese, 'す。').toFixed(2), '1.90');
  t.equal(widths.textWidthEm(japanese, '漢字。').toFixed(2), '3.00');
  // Chromium draws it so, too, though no letter says which script the sign belongs to.
  t.equal(widths.textWidthEm(japanese, 'ー、').toFixed(2), '1.99');
  t.end();
});
