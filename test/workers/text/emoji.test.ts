import t from 'tap';
import { splitEmoji } from '../../../workers/text/emoji.ts';

t.test('pictures are told from letters', (t) => {
  const emoji = (text: string): string[] =>
    splitEmoji(text).map((span) => (span.emoji ? `[${span.text}]` : span.text));
  t.same(emoji('no emoji: 1 # * © ™'), ['no emoji: 1 # * © ™']);
  t.same(emoji('a🎉b'), ['a', '[🎉]', 'b']);
  t.same(emoji('👨‍👩‍👧👍🏽'), ['[👨‍👩‍👧👍🏽]']);
  t.same(emoji('🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿'), ['[🇩🇪]', ' ', '[🏴󠁧󠁢󠁥󠁮󠁧󠁿]']);
  t.same(emoji('1️⃣1'), ['[1️⃣]', '1']);
  t.same(emoji('❤❤️❤︎'), ['❤', '[❤️]', '❤︎'], 'a selector chooses');
  t.same(emoji('🌡'), ['[🌡]'], 'no text font has those beyond the first plane');
  t.same(emoji('✁\uFE0F'), ['✁\uFE0F'], 'a selector makes no emoji of what is none');
  t.end();
});
