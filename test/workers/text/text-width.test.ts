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
import { estimatePositions } from '../../../workers/text/measured-paragraph.ts';
import { splitParagraphs } from '../../../workers/text/paragraphs.ts';

const { measureEm } = measuring;
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

t.test('shaped widths are those of the engine', async (t) => {
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
});

t.test('advances of units add up, spaced or not', async (t) => {
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
});

t.test('a word is shaped once', async (t) => {
  widths.textWidthEm(face, 'كلمات جديدة');
  const shaped = shaping.shapingCount();
  const measured = engine.measurementCount();
  widths.textWidthEm(face, 'جديدة كلمات');
  t.equal(shaping.shapingCount(), shaped);
  t.equal(engine.measurementCount(), measured);
});

t.test('runs have the family that the engine draws them in', async (t) => {
  const runs = (text: string): [string, string][] =>
    fontRuns.splitByFamily(face, text).map(({ family, text: part }) => [family, part]);
  for (const text of Object.values(words)) {
    const parts = runs(text).map(([, part]) => part);
    t.equal(parts.join(''), text);
    for (const [family, part] of runs(text)) {
      for (const { segment } of new Intl.Segmenter('en').segment(part)) {
        t.equal(engine.familyOf(face, segment), family, segment);
      }
    }
  }
  t.same(runs('\u200Dبا'), [['Noto Sans Arabic', '\u200Dبا']], 'a joiner goes with its word');
  const mixed = { 'Noto Sans SC': '国', 'Noto Sans Hebrew': '\u05B8', Inter: 'a' };
  const title = 'a mark that the font of its letter lacks comes from another';
  t.same(runs('国\u05B8a'), Object.entries(mixed), title);
});

t.test('kana are kerned as the engine draws them, in every pan-CJK family', async (t) => {
  const kana = [
    'です。',
    'アイウ',
    'カフェ・ソフト',
    'あソあト。',
    '国フ。',
    'トA。す1',
    'か\u3099す。',
  ];
  for (const family of ['Noto Sans JP', 'Noto Sans SC', 'Noto Sans TC', 'Noto Sans KR']) {
    for (const weight of [400, 700]) {
      for (const letterSpacing of [0, 3]) {
        const style = textStyle({ families: [family], weight, letterSpacing });
        const part = styles.fontFace(style, 'ja', 'letters');
        for (const text of [...kana, 'ー、', '国ー。']) {
          const [painted, shaped] = [measureEm(part, text), widths.textWidthEm(part, text)];
          const label = `${family} ${weight}, ${text}: ${painted} ${shaped}`;
          t.ok(Math.abs(painted - shaped) < 1e-3, label);
        }
      }
    }
  }
  const japanese = styles.fontFace(textStyle({ families: ['Noto Sans JP'] }), 'ja', 'letters');
  t.equal(widths.textWidthEm(japanese, 'す。').toFixed(2), '1.90');
  t.equal(widths.textWidthEm(japanese, '漢字。').toFixed(2), '3.00');
  // Chromium draws it so, too, though no letter says which script the sign belongs to.
  t.equal(widths.textWidthEm(japanese, 'ー、').toFixed(2), '1.99');
});

const { measurementCount } = engine;
const japaneseFace = styles.fontFace(textStyle(), 'ja', 'letters');

t.test('an ideograph, a kana and a syllable are as wide as all others', async (t) => {
  for (const text of ['一', '龥', 'あ', 'ン', 'ー', '、', '（']) {
    t.equal(measureEm(japaneseFace, text), 1, text);
  }
  t.equal(measureEm(japaneseFace, '漢字かな'), 4);
  // Together with a letter the engine is asked.
  t.ok(Math.abs(measureEm(japaneseFace, '漢字a') - 2 - measureEm(japaneseFace, 'a')) < 0.001);
  const [beside, alone] = [measureEm(japaneseFace, '한글a'), measureEm(japaneseFace, '한글')];
  t.ok(Math.abs(beside - alone - measureEm(japaneseFace, 'a')) < 0.001);
});

t.test('what was measured is not measured again', async (t) => {
  measureEm(japaneseFace, 'once and for all');
  const before = measurementCount();
  measureEm(japaneseFace, 'once and for all');
  t.equal(measurementCount(), before);
});

t.test('positions that are estimated agree with whole lines', async (t) => {
  const families = ['Inter', 'Noto Sans', 'Playfair Display', 'Fraunces', 'Space Grotesk'];
  const text = 'AVATAR Type “quoted” Wolfgang’s Yacht & Co., To 24/7 €1,299.00 — Привет';
  for (const family of families) {
    const style = textStyle({ families: [family] });
    const [positions] = estimatePositions(splitParagraphs([{ text, style }], 'en'));
    const exact = measureEm(styles.fontFace(style, 'en', 'letters'), text) * style.size;
    const error = Math.abs((positions?.at(-1) ?? 0) / exact - 1);
    t.ok(error < 0.001, `${family}: ${error}`);
  }
});
