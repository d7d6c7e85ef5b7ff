import t from 'tap';
import { paragraphs, textStyle } from '../../helpers/text.ts';

const plain = textStyle();
const bold = textStyle({ weight: 700 });

/** Stretches of one paragraph as text and weight. */
function stretches(...texts: string[]): [text: string, weight: number][] {
  const spans = texts.map((text, index) => ({ text, style: index % 2 === 0 ? plain : bold }));
  return paragraphs
    .splitParagraphs(spans, 'en')
    .flatMap((paragraph) =>
      paragraph.stretches.map(({ start, end, style }): [string, number] => [
        paragraph.text.slice(start, end),
        style.weight,
      ]),
    );
}

t.test('a grapheme has the look of its first code point', (t) => {
  t.same(stretches('e', '\u0301a'), [
    ['e\u0301', 400],
    ['a', 700],
  ]);
  t.same(stretches('👨\u200D', '👩\u200D👧'), [['👨\u200D👩\u200D👧', 400]]);
  t.same(stretches('🇩', '🇪🇫', '🇷'), [
    ['🇩🇪', 400],
    ['🇫🇷', 700],
  ]);
  t.same(stretches('👍', '🏽', '!'), [
    ['👍🏽', 400],
    ['!', 400],
  ]);
  t.same(stretches('क्', 'षा'), [['क्षा', 400]]);
  t.end();
});

t.test('borders between graphemes and lines stay', (t) => {
  t.same(stretches('ab', 'cd'), [
    ['ab', 400],
    ['cd', 700],
  ]);
  t.same(stretches('a\n', '\u0301b'), [
    ['a', 400],
    ['\u0301b', 700],
  ]);
  t.end();
});

t.test('a letter keeps six marks, whatever span they stand in', (t) => {
  const marks = '\u0301'.repeat(60);
  t.same(stretches(`e${marks}x${marks}`), [[`e${'\u0301'.repeat(6)}x${'\u0301'.repeat(6)}`, 400]]);
  t.same(stretches(`e\u0301\u0301\u0301`, marks), [[`e${'\u0301'.repeat(6)}`, 400]]);
  t.equal(
    stretches('e' + '\u0301\u200D'.repeat(60))
      .join('')
      .match(/\u0301/g)?.length,
    6,
  );
  t.end();
});

t.test('no script loses marks that belong to it', (t) => {
  const texts = ['Việt', 'שּֽׁ֑', 'र्त्स्न्यं', 'ปี๊', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', 'ȱ̈̄̀', 'لَّٰ'];
  for (const text of texts) {
    const [paragraph] = paragraphs.splitParagraphs([{ text, style: plain }], 'en');
    t.equal(paragraph?.text, text);
  }
  t.end();
});
