/** Generates texts of every script, and what breaks careless layouts: marks, joiners, controls, half characters. */
import fc from 'fast-check';
import type { LineRules } from '../../workers/text/paragraphs.ts';

const range = (from: number, to: number): fc.Arbitrary<string> =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code));

const character = fc.oneof(
  { weight: 12, arbitrary: range(0x61, 0x7a) },
  { weight: 3, arbitrary: fc.constantFrom(' ', ' ', '-', '/', '.', ',', '(', ')', '"', '!') },
  { weight: 2, arbitrary: range(0x00, 0xff) },
  { weight: 2, arbitrary: range(0x100, 0x24f) },
  { weight: 2, arbitrary: range(0x370, 0x4ff) },
  { weight: 3, arbitrary: range(0x5d0, 0x5ea) },
  { weight: 3, arbitrary: range(0x621, 0x64a) },
  { weight: 2, arbitrary: range(0x900, 0x97f) },
  { weight: 2, arbitrary: range(0xe01, 0xe4e) },
  { weight: 3, arbitrary: fc.oneof(range(0x3041, 0x30ff), range(0x4e00, 0x9fff)) },
  { weight: 2, arbitrary: range(0xac00, 0xd7a3) },
  { weight: 1, arbitrary: range(0x300, 0x36f) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('🎉', '👍🏽', '👨‍👩‍👧', '🇩🇪', '1️⃣', '❤️', '❤︎', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\u200D',
      '\u200B',
      '\u2060',
      '\u00AD',
      '\u00A0',
      '\uFE0F',
      '\uD83D',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('\u202E', '\u2067', '\u2069', '\u202C', '\u200F') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('「春', '」「秋', '。」夏', '、（', '）・「冬', '」\u3000「'),
  },
  { weight: 1, arbitrary: fc.constantFrom('typographic', 'internationally ') },
  { weight: 2, arbitrary: fc.constantFrom('\n', '\r\n', '\u2028', '\t', '\t') },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  },
);

/** A text of up to `charactersMax` characters of one or many scripts. */
export function anyText(charactersMax: number): fc.Arbitrary<string> {
  // Without a size most texts would have fewer than ten.
  return fc
    .array(character, { maxLength: charactersMax, size: 'max' })
    .map((parts) => parts.join(''));
}

/** Letters below towers of up to so many marks of many scripts. */
export function towers(marksMax: number): fc.Arbitrary<string> {
  const mark = fc.oneof(
    range(0x300, 0x36f),
    fc.constantFrom(
      ...Array.from('\u05B8\u05C2\u064E\u0651\u093F\u0E31\u0E49\u20DD\u0489\u200D\u200C\uFE0F'),
    ),
  );
  const letter = fc.constantFrom('e', 'ק', 'ب', 'क', 'ก', '国', '🎉', '\u25CC');
  return fc
    .tuple(letter, fc.array(mark, { maxLength: marksMax }))
    .map(([base, marks]) => base + marks.join(''));
}

/** What layers say of where lines end. */
export const lineRules: fc.Arbitrary<LineRules> = fc.record({
  hyphenate: fc.boolean(),
  lineBreak: fc.constantFrom('strict', 'normal'),
  punctuationTrim: fc.constantFrom('none', 'adjacent', 'start'),
});
