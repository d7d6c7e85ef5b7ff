import t from 'tap';
import { breaking, measured, paragraphs, textStyle, truncating } from '../../helpers/text.ts';

/** The text of the kept lines in logical order. */
function truncate(text: string, width: number, count: number): string[] {
  const spans = [{ text, style: textStyle() }];
  const all = measured.measureParagraphs(paragraphs.splitParagraphs(spans, 'en'));
  const lines = breaking.breakLines(all, width, 1, Infinity);
  return truncating
    .truncateLines(lines, count, width, 1)
    .map(({ pieces }) => pieces.map((piece) => piece.text).join(''));
}

t.test('an ellipsis follows the last letters that fit, and no dangling mark', (t) => {
  t.same(truncate('Hello there, you', 70, 1), ['Hello…']);
  t.same(truncate('Hello, there', 72, 1), ['Hello…']);
  t.same(truncate('One\nTwo\nThree', 100, 2), ['One', 'Two…']);
  t.same(truncate('Incomprehensible', 80, 1), ['Incom…']);
  t.same(truncate('One', 2, 1), ['…'], 'a box too narrow for it gets it all the same');
  t.same(truncate('\nTwo', 100, 1), ['…'], 'an empty line, too');
  t.end();
});

t.test('the ellipsis of a single line fills it, the last of several lines ends at a word', (t) => {
  const names = 'Hello Maximilian Alexander';
  t.same(truncate(names, 140, 1), ['Hello Maximi…']);
  t.same(truncate('A Donaudampfschifffahrt', 110, 1), ['A Donau…']);
  t.same(truncate('One two three four five', 80, 2), ['One two', 'three…']);
  t.end();
});

t.test('an ellipsis cuts no grapheme', (t) => {
  t.same(truncate('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 50, 1), ['👨‍👩‍👧…']);
  t.same(truncate('e\u0301e\u0301e\u0301e\u0301', 40, 1), ['e\u0301…']);
  t.end();
});
