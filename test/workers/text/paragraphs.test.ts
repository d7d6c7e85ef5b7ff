import t from 'tap';
import { paragraphs, textStyle } from '../../helpers/text.ts';
import type { LineRules, Paragraph } from '../../../workers/text/paragraphs.ts';
import fc from 'fast-check';
import { anyText } from '../../property/text-arbitrary.ts';
import { splitEmoji, splitGraphemes } from '../../../workers/text/emoji.ts';

const style = textStyle();

function split(text: string, lang = 'en', rules: LineRules = {}): Paragraph[] {
  return paragraphs.splitParagraphs([{ text, style }], lang, rules);
}

/** Unbreakable segments of the first paragraph; `_` marks where hanging white space begins. */
function segments(text: string, lang = 'en', rules: LineRules = {}): string[] {
  const [paragraph] = split(text, lang, rules);
  if (paragraph === undefined) return [];
  return paragraph.segments.map(
    ({ start, visibleEnd, end }) =>
      paragraph.text.slice(start, visibleEnd) +
      (end > visibleEnd ? '_'.repeat(end - visibleEnd) : ''),
  );
}

t.test('every kind of line break makes a paragraph, other controls go', async (t) => {
  const lines = split('a\nb\r\nc\rd\u000Be\u0085f\u2028g\u2029h\u0000\u0007\uFEFFi\tj\n');
  const texts = lines.map(({ text }) => text);
  t.same(texts, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'hi    j', '']);
  t.equal(split('\uD83D')[0]?.text, '\uFFFD');
});

t.test('each right-to-left script gives its direction', async (t) => {
  for (const text of ['א', 'م', 'ܐ', 'ހ', 'ߊ', '𞤀', '𐴀', 'ࡀ', 'ࠀ', '\u200F', '\u061C'])
    t.equal(split(`1 ${text} a`)[0]?.direction, 'rtl', text);
  for (const text of ['a', 'б', '漢', '\u200E']) t.equal(split(`1 ${text} א`)[0]?.direction, 'ltr');
});

t.test('lines may end where Unicode and the language allow', async (t) => {
  t.same(segments('one two'), ['one_', 'two']);
  t.same(segments('state-of-art a/b'), ['state-', 'of-', 'art_', 'a/b']);
  t.same(segments('1\u00A0000 a\u2060b'), ['1\u00A0000_', 'a\u2060b']);
  t.same(segments('終わり。「次」'), ['終', 'わ', 'り。', '「次」']);
  t.same(segments('ยินดีต้อนรับ'), ['ยินดี', 'ต้อนรับ']);
  t.same(segments('한국어 말', 'en'), ['한', '국', '어_', '말']);
  t.same(segments('한국어 말', 'ko'), ['한국어_', '말'], 'Korean words stay whole');
  t.same(segments('👨‍👩‍👧👍🏽🇩🇪🇫🇷'), ['👨‍👩‍👧', '👍🏽', '🇩🇪', '🇫🇷']);
});

t.test('small kana begin lines in normal breaking, and none in strict breaking', async (t) => {
  const normal = { lineBreak: 'normal' } as const;
  t.same(segments('ちょっとキャー', 'ja'), ['ちょっ', 'と', 'キャー']);
  t.same(segments('ちょっとキャー', 'ja', normal), 'ち ょ っ と キ ャ ー'.split(' '));
  t.same(
    segments('人々。', 'ja', normal),
    ['人々。'],
    'iteration marks and full stops never begin one',
  );
  t.same(segments('九〜十', 'zh-Hans'), ['九〜', '十']);
  t.same(segments('九〜十', 'zh-Hans', normal), ['九', '〜', '十']);
  t.same(segments('九〜十', 'en', normal), ['九〜', '十'], 'in Japanese and Chinese alone');
});

t.test('quotation marks and brackets begin lines in Japanese and Chinese', async (t) => {
  t.same(segments('他说“你好”吗', 'zh-Hans'), ['他', '说', '“你', '好”', '吗']);
  t.same(segments('他说“Hello”', 'zh-Hans'), ['他', '说“Hello”']);
  t.same(segments('Platen「見', 'ja'), ['Platen', '「見']);
  t.same(segments('말“안녕”이라고', 'ko'), ['말“안녕”이라고'], 'Korean words stay whole');
  t.same(segments('say “hello”', 'en'), ['say_', '“hello”']);
});

t.test('the first strong character decides the direction', async (t) => {
  const directions = ['abc שלום', '12 שלום abc', '...', '\u200Fabc', '1 عربي'].map(
    (text) => split(text)[0]?.direction,
  );
  t.same(directions, ['ltr', 'rtl', 'ltr', 'rtl', 'rtl']);
});

t.test('pieces are cut at looks, levels and emoji, and no finer', async (t) => {
  const [paragraph] = split('abc שלום 12 🎉!');
  const pieces = paragraph ? paragraphs.slicePieces(paragraph, 0, paragraph.text.length) : [];
  t.same(
    pieces.map(({ text, level, face }) => [text, level, face.kind]),
    [
      ['abc ', 0, 'letters'],
      ['שלום ', 1, 'letters'],
      ['12', 2, 'letters'],
      [' ', 0, 'letters'],
      ['🎉', 0, 'emoji'],
      ['!', 0, 'letters'],
    ],
  );
});

const bold = textStyle({ weight: 700 });

/** Stretches of one paragraph as text and weight. */
function stretches(...texts: string[]): [text: string, weight: number][] {
  const spans = texts.map((text, index) => ({ text, style: index % 2 === 0 ? style : bold }));
  return paragraphs
    .splitParagraphs(spans, 'en')
    .flatMap((paragraph) =>
      paragraph.stretches.map(({ start, end, style: look }): [string, number] => [
        paragraph.text.slice(start, end),
        look.weight,
      ]),
    );
}

t.test('a grapheme has the look of its first code point', async (t) => {
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
});

t.test('borders between graphemes and lines stay', async (t) => {
  t.same(stretches('ab', 'cd'), [
    ['ab', 400],
    ['cd', 700],
  ]);
  t.same(stretches('a\n', '\u0301b'), [
    ['a', 400],
    ['\u0301b', 700],
  ]);
});

t.test('a letter keeps six marks, whatever span they stand in', async (t) => {
  const marks = '\u0301'.repeat(60);
  t.same(stretches(`e${marks}x${marks}`), [[`e${'\u0301'.repeat(6)}x${'\u0301'.repeat(6)}`, 400]]);
  t.same(stretches(`e\u0301\u0301\u0301`, marks), [[`e${'\u0301'.repeat(6)}`, 400]]);
  t.equal(
    stretches('e' + '\u0301\u200D'.repeat(60))
      .join('')
      .match(/\u0301/g)?.length,
    6,
  );
});

t.test('no script loses marks that belong to it', async (t) => {
  const texts = ['Việt', 'שּֽׁ֑', 'र्त्स्न्यं', 'ปี๊', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', 'ȱ̈̄̀', 'لَّٰ'];
  for (const text of texts) {
    const [paragraph] = paragraphs.splitParagraphs([{ text, style }], 'en');
    t.equal(paragraph?.text, text);
  }
});

/** How a stretch is written here. */
const wrapped = {
  letters: (text: string): string => text,
  emoji: (text: string): string => `[${text}]`,
  'plain-emoji': (text: string): string => `<${text}>`,
};

t.test('emoji are distinguished from letters, and plain ones from those in color', async (t) => {
  const emoji = (text: string): string[] =>
    splitEmoji(text).map(({ kind, text: part }) => wrapped[kind](part));
  t.same(emoji('no emoji: 1 # * © ™'), ['no emoji: 1 # * © ™']);
  t.same(emoji('a🎉b'), ['a', '[🎉]', 'b']);
  t.same(emoji('👨‍👩‍👧👍🏽'), ['[👨‍👩‍👧👍🏽]']);
  t.same(emoji('🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿'), ['[🇩🇪]', ' ', '[🏴󠁧󠁢󠁥󠁮󠁧󠁿]']);
  t.same(emoji('1️⃣1'), ['[1️⃣]', '1']);
  t.same(emoji('❤❤️❤︎'), ['❤', '[❤️]', '<❤︎>'], 'a selector chooses');
  t.same(emoji('☺\uFE0E😀\uFE0E1\uFE0E'), ['<☺\uFE0E😀\uFE0E>', '1\uFE0E'], 'digits are letters');
  t.same(emoji('🌡'), ['[🌡]'], 'no text font has those beyond the first plane');
  t.same(emoji('✁\uFE0F'), ['✁\uFE0F'], 'a selector makes no emoji of what is none');
});

t.test('graphemes are those of Unicode', async (t) => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const expected = (text: string): string[] =>
    Array.from(segmenter.segment(text), ({ segment }) => segment);
  fc.assert(fc.property(anyText(60), (text) => isSame(splitGraphemes(text), expected(text))));
  // Every character beside letters, a syllable, itself and an image.
  for (let first = 0; first < 0x20_000; first += 64) {
    const codes = Array.from({ length: 64 }, (_, index) => first + index);
    const text = codes.map((code) => `a${String.fromCodePoint(code, 0xac00, code, code, 0x1f389)}`);
    if (!isSame(splitGraphemes(text.join('')), expected(text.join('')))) t.fail(`U+${first}`);
  }
});

function isSame(actual: readonly string[], expected: readonly string[]): boolean {
  return actual.join('\uFFFF') === expected.join('\uFFFF');
}
