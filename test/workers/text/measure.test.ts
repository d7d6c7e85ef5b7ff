import t from 'tap';
import { engine, measuring, styles, textStyle } from '../../helpers/text.ts';
import { estimatePositions } from '../../../workers/text/measured-paragraph.ts';
import { splitParagraphs } from '../../../workers/text/paragraphs.ts';

const { measureEm } = measuring;
const { measurementCount } = engine;
const face = styles.fontFace(textStyle(), 'ja', 'letters');

t.test('an ideograph, a kana and a syllable are as wide as all others', (t) => {
  for (const text of ['一', '龥', 'あ', 'ン', 'ー', '、', '（']) {
    t.equal(measureEm(face, text), 1, text);
  }
  t.equal(measureEm(face, '漢字かな'), 4);
  // Together with a letter the engine is asked.
  t.ok(Math.abs(measureEm(face, '漢字a') - 2 - measureEm(face, 'a')) < 0.001);
  t.ok(Math.abs(measureEm(face, '한글') - measureEm(face, '한글a') + measureEm(face, 'a')) < 0.001);
  t.end();
});

t.test('word spacing widens every space, letter spacing every letter', (t) => {
  const spaced = styles.fontFace(textStyle({ letterSpacing: 2, wordSpacing: 10 }), 'en', 'letters');
  const plain = styles.fontFace(textStyle({ features: '"liga" 0, "clig" 0' }), 'en', 'letters');
  const text = ' a  b\u00A0c ';
  const added = measureEm(spaced, text) - measureEm(plain, text);
  t.ok(Math.abs(added * 20 - 8 * 2 - 5 * 10) < 0.1, `${added * 20}`);
  t.end();
});

t.test('letters that are joined are not spaced', (t) => {
  const joined = styles.fontFace(textStyle({ letterSpacing: 5 }), 'en', 'joined');
  t.equal(joined.letterSpacingEm, 0);
  t.end();
});

t.test('what was measured is not measured again', (t) => {
  measureEm(face, 'once and for all');
  const before = measurementCount();
  measureEm(face, 'once and for all');
  t.equal(measurementCount(), before);
  t.end();
});

t.test('positions that are estimated agree with whole lines', (t) => {
  const families = ['Inter', 'Noto Sans', 'Playfair Display', 'Fraunces', 'Space Grotesk'];
  const text = 'AVATAR Type “quoted” Wolfgang’s Yacht & Co., To 24/7 €1,299.00 — Привет';
  for (const family of families) {
    const style = textStyle({ families: [family] });
    const [positions] = estimatePositions(splitParagraphs([{ text, style }], 'en'));
    const exact = measureEm(styles.fontFace(style, 'en', 'letters'), text) * style.size;
    const error = Math.abs((positions?.at(-1) ?? 0) / exact - 1);
    t.ok(error < 0.001, `${family}: ${error}`);
  }
  t.end();
});
