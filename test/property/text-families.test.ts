/** A text looks alike whether the engine may look into all families of its face or only into those that the text needs. */
import fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { drawing, engine, fontRuns, paragraphs, textStyle } from '../helpers/text.ts';
import { anyText } from './text-arbitrary.ts';

const style = textStyle();

/** Blocks of scripts whose letters join, stack or carry marks. */
const blocks = [
  0x590, 0x600, 0x900, 0x980, 0xa00, 0xa80, 0xb80, 0xc00, 0xc80, 0xd00, 0xd80, 0xe00, 0xe80, 0xf00,
  0x1000, 0x1200, 0x1780,
];
const scriptText = fc
  .tuple(
    fc.constantFrom(...blocks),
    fc.array(fc.integer({ min: 0, max: 0x7f }), { minLength: 1, maxLength: 8 }),
  )
  .map(([block, offsets]) => String.fromCodePoint(...offsets.map((offset) => block + offset)));
const tower = fc
  .tuple(
    fc.constantFrom('e', 'ק', 'ب', 'क', 'ก', '国', '🎉', '\u25cc'),
    fc.array(
      fc.oneof(
        fc.integer({ min: 0x300, max: 0x36f }),
        fc.constantFrom(0x5b8, 0x64e, 0x93f, 0xe31, 0x20dd, 0x489, 0x200d, 0x200c, 0xfe0f, 0x302),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([letter, marks]) => letter + String.fromCodePoint(...marks));
const text = fc
  .array(fc.oneof(scriptText, tower, anyText(8)), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));

/** Among all families, the engine draws the box of the first one for a sign without its number. */
const arabicSigns = /[\u0600-\u0605]/g;

/** What the engine says of the text: its width and its ink. White space may come from any font. */
function shapeOf(measured: ReturnType<typeof engine.measureText>): object {
  const { width, actualBoundingBoxAscent, actualBoundingBoxDescent } = measured;
  const { actualBoundingBoxLeft, actualBoundingBoxRight } = measured;
  return {
    width,
    actualBoundingBoxAscent,
    actualBoundingBoxDescent,
    actualBoundingBoxLeft,
    actualBoundingBoxRight,
  };
}

t.test('the families that a text needs draw it as all families do', (t) => {
  fc.assert(
    fc.property(text, fc.constantFrom('en', 'ja', 'ar', 'hi'), (words, lang) => {
      const drawable = drawing.replaceMissing(words, style, lang).text;
      for (const paragraph of paragraphs.splitParagraphs([{ text: drawable, style }], lang)) {
        for (const { start, end, face } of paragraph.stretches) {
          const part = paragraph.text.slice(start, end).replace(arabicSigns, '');
          const needed = fontRuns.neededFamilies(face, part);
          t.same(
            shapeOf(engine.measureText(face, part, needed)),
            shapeOf(engine.measureText(face, part)),
            `${JSON.stringify(part)} in ${needed.join(', ')}`,
          );
        }
      }
      return true;
    }),
    { numRuns: extent(60, 400) },
  );
  t.end();
});
