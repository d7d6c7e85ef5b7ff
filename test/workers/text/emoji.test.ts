import fc from 'fast-check';
import t from 'tap';
import { anyText } from '../../property/text-arbitrary.ts';
import { splitEmoji, splitGraphemes } from '../../../workers/text/emoji.ts';

/** How a stretch is written here. */
const wrapped = {
  letters: (text: string): string => text,
  emoji: (text: string): string => `[${text}]`,
  'plain-emoji': (text: string): string => `<${text}>`,
};

t.test('emoji are distinguished from letters, and plain ones from those in color', (t) => {
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
  t.end();
});

t.test('graphemes are those of Unicode', (t) => {
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
  t.end();
});

function isSame(actual: readonly string[], expected: readonly string[]): boolean {
  return actual.join('\uFFFF') === expected.join('\uFFFF');
}
