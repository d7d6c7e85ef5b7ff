import t from 'tap';
import { paragraphs, textStyle } from '../../helpers/text.ts';
import type { LineRules, Paragraph } from '../../../workers/text/paragraphs.ts';

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

t.test('every kind of line break makes a paragraph, other controls go', (t) => {
  const texts = split('a\nb\r\nc\rd\u000Be\u0085f\u2028g\u2029h\u0000\u0007\uFEFFi\tj\n');
  t.same(
    texts.map(({ text }) => text),
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'hi    j', ''],
  );
  t.equal(split('\uD83D')[0]?.text, '\uFFFD');
  t.end();
});

t.test('lines may end where Unicode and the language allow', (t) => {
  t.same(segments('one two'), ['one_', 'two']);
  t.same(segments('state-of-art a/b'), ['state-', 'of-', 'art_', 'a/', 'b']);
  t.same(segments('1\u00A0000 a\u2060b'), ['1\u00A0000_', 'a\u2060b']);
  t.same(segments('終わり。「次」'), ['終', 'わ', 'り。', '「次」']);
  t.same(segments('ยินดีต้อนรับ'), ['ยินดี', 'ต้อนรับ']);
  t.same(segments('한국어 말', 'en'), ['한', '국', '어_', '말']);
  t.same(segments('한국어 말', 'ko'), ['한국어_', '말'], 'Korean words stay whole');
  t.same(segments('👨‍👩‍👧👍🏽🇩🇪🇫🇷'), ['👨‍👩‍👧', '👍🏽', '🇩🇪', '🇫🇷']);
  t.end();
});

t.test(
  'strict breaking forbids small kana at the start of a line, normal breaking allows them',
  (t) => {
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
    t.end();
  },
);

t.test('quotation marks and brackets begin lines in Japanese and Chinese', (t) => {
  t.same(segments('他说“你好”吗', 'zh-Hans'), ['他', '说', '“你', '好”', '吗']);
  t.same(segments('他说“Hello”', 'zh-Hans'), ['他', '说“Hello”']);
  t.same(segments('Platen「見', 'ja'), ['Platen', '「見']);
  t.same(segments('말“안녕”이라고', 'ko'), ['말“안녕”이라고'], 'Korean words stay whole');
  t.same(segments('say “hello”', 'en'), ['say_', '“hello”']);
  t.end();
});

t.test('the first strong character decides the direction', (t) => {
  const directions = ['abc שלום', '12 שלום abc', '...', '\u200Fabc', '1 عربي'].map(
    (text) => split(text)[0]?.direction,
  );
  t.same(directions, ['ltr', 'rtl', 'ltr', 'rtl', 'rtl']);
  t.end();
});

t.test('pieces are cut at looks, levels and emoji, and no finer', (t) => {
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
  t.end();
});

t.test('a joined word that is parted keeps its shapes by joiners', (t) => {
  const red = textStyle({ fill: '#ff0000' });
  const spans = [
    { text: 'مرح', style },
    { text: 'با', style: red },
  ];
  const [paragraph] = paragraphs.splitParagraphs(spans, 'en');
  const cut = (start: number, end: number): string[] =>
    paragraph ? paragraphs.slicePieces(paragraph, start, end).map(({ text }) => text) : [];
  t.same(cut(0, 5), ['مرح\u200D', '\u200Dبا']);
  t.same(cut(0, 2), ['مر'], 'ra joins no letter after it');
  t.same(cut(0, 1), ['م\u200D']);
  t.end();
});
