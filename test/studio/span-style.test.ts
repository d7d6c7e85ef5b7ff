/** The look of a part of a text: what it changes, and that nothing else changes. */
import fc from 'fast-check';
import t from 'tap';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import { textOf, typeInto } from '../../src/studio/canvas/text/editable-text.ts';
import {
  lookIn,
  spansOf,
  styleRange,
  toggles,
  wholeBindings,
} from '../../src/studio/canvas/text/span-style.ts';
import type { SpanLook } from '../../src/studio/canvas/text/span-style.ts';

const layer = (more: Partial<TextLayer>): TextLayer => ({
  id: 't',
  type: 'text',
  x: 0,
  y: 0,
  width: 100,
  height: 40,
  ...more,
});

function styled(more: Partial<TextLayer>, from: number, to: number, look: SpanLook): TextLayer {
  const text = layer(more);
  styleRange(text, [from, to], look);
  return text;
}

t.test('a part of a text becomes a span of its own, and the layer when all of it is meant', (t) => {
  const text = { text: 'one two three' };
  t.match(styled(text, 4, 7, { fontWeight: 700 }).spans, [
    { text: 'one ' },
    { text: 'two', fontWeight: 700 },
    { text: ' three' },
  ]);
  const whole = styled(text, 0, 13, { fontWeight: 700 });
  t.match(whole, { text: 'one two three', fontWeight: 700 });
  t.notOk('spans' in whole);
  t.end();
});

t.test('a look that is taken back leaves the text as it was', async (t) => {
  const text = layer({ text: 'one two three' });
  styleRange(text, [4, 7], { fontWeight: 700, underline: true });
  styleRange(text, [4, 7], { underline: undefined });
  t.same(text.spans?.[1], { text: 'two', fontWeight: 700 });
  styleRange(text, [4, 7], { fontWeight: undefined });
  t.same(text, layer({ text: 'one two three' }));
});

t.test('a binding has one look, also where only a part of it is selected', async (t) => {
  t.same(wholeBindings('Hi {{name}}!', [6, 8]), [3, 11]);
  t.same(wholeBindings('Hi {{name}}!', [0, 3]), [0, 3]);
  t.same(wholeBindings('Hi {{name}}!', [11, 12]), [11, 12]);
  t.match(styled({ text: 'Hi {{name}}!' }, 5, 6, { fontSize: 9 }).spans, [
    { text: 'Hi ' },
    { text: '{{name}}', fontSize: 9 },
    { text: '!' },
  ]);
});

t.test('keys turn a look on, and off where all of the selection has it', async (t) => {
  const text = layer({ text: 'one two' });
  styleRange(text, [0, 3], toggles.bold(text, [0, 3]));
  t.same(lookIn(text, [0, 7], 'fontWeight'), [700, undefined]);
  styleRange(text, [0, 7], toggles.bold(text, [0, 7]));
  t.match(text, { text: 'one two', fontWeight: 700 }, 'mixed becomes bold');
  styleRange(text, [4, 7], toggles.bold(text, [4, 7]));
  t.match(text.spans, [{ text: 'one ' }, { text: 'two', fontWeight: 400 }]);
  t.same(toggles.italic(text, [0, 3]), { fontStyle: 'italic' });
  t.same(toggles.underline(layer({ text: 'a', underline: true }), [0, 1]), { underline: false });
});

t.test('links of a text and of its parts to the brand kit move with the letters', async (t) => {
  const text = layer({ text: 'one two', fill: '#111111' });
  styleRange(text, [4, 7], { fill: '#aa0055' }, 'primary');
  t.same(text.brand, [{ property: 'spans.1.fill', entry: 'primary' }]);
  styleRange(text, [0, 1], { fontWeight: 700 });
  typeInto(text, 'one, two');
  t.same(text.brand, [{ property: 'spans.2.fill', entry: 'primary' }]);
  styleRange(text, [6, 7], { fill: '#111111' }, 'dark');
  t.match(text.spans?.slice(2), [{ text: 't' }, { text: 'w', fill: '#111111' }, { text: 'o' }]);
  t.same(text.brand, [
    { property: 'spans.2.fill', entry: 'primary' },
    { property: 'spans.3.fill', entry: 'dark' },
    { property: 'spans.4.fill', entry: 'primary' },
  ]);
  styleRange(text, [5, 8], { fill: '#00ff00' });
  t.notOk('brand' in text, 'another colour ends the links');
  styleRange(text, [5, 8], { fill: '#aa0055' }, 'primary');
  styleRange(text, [0, 8], { fill: '#aa0055' }, 'primary');
  t.same(text.brand, [{ property: 'fill', entry: 'primary' }]);
  styleRange(text, [5, 8], { fill: '#aa0055' }, 'primary');
  t.match(
    text.spans?.map((span) => span.fill),
    [undefined, undefined],
  );
  const many = layer({ text: 'a '.repeat(20) });
  for (const at of Array(20).keys()) {
    styleRange(many, [2 * at, 2 * at + 1], { fill: '#aa0055' }, 'primary');
  }
  t.equal(many.brand?.length, 16, 'the format takes no more');
});

t.test('a text never has more spans than the format takes', async (t) => {
  const text = layer({ text: 'ab'.repeat(40) });
  const done = Array.from({ length: 40 }, (_, index) =>
    styleRange(text, [index * 2, index * 2 + 1], { fontSize: 20 }),
  );
  t.equal(text.spans?.length, 50);
  t.same([done.indexOf(false), done.filter(Boolean).length], [25, 25]);
});

t.test('the text, its conditions and the looks of all others stay', async (t) => {
  const look = fc.record(
    { fontWeight: fc.constantFrom(400, 700), underline: fc.boolean() },
    { requiredKeys: [] },
  );
  const words = fc.string({ unit: fc.constantFrom('a', 'b', '{{name}}', ' '), maxLength: 8 });
  const span = fc.tuple(words, look).map(([text, style]): TextSpan => ({ ...style, text }));
  const spans = fc.array(span, { minLength: 1, maxLength: 5 });
  const letters = (text: TextLayer): [string, number, boolean][] =>
    spansOf(text).flatMap(({ text: each, fontWeight, underline }) =>
      Array.from(each, (letter): [string, number, boolean] => [
        letter,
        fontWeight ?? text.fontWeight ?? 400,
        underline ?? text.underline ?? false,
      ]),
    );
  fc.assert(
    fc.property(spans, fc.nat(40), fc.nat(40), look, (before, one, other, change) => {
      const text = layer({ spans: before });
      const expected = letters(text);
      const range = [Math.min(one, other), Math.max(one, other)] as const;
      const [from, to] = wholeBindings(textOf(text), range);
      styleRange(text, range, change);
      for (const [index, letter] of expected.entries()) {
        if (index < from || index >= to) continue;
        if (change.fontWeight !== undefined) letter[1] = change.fontWeight;
        if (change.underline !== undefined) letter[2] = change.underline;
      }
      t.same(letters(text), expected);
      return (text.spans === undefined) !== (text.text === undefined);
    }),
  );
});
