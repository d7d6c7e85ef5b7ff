/** A text looks alike whether the engine may look into all families of its face or only into those that the text needs. */
import fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { drawing, engine, fontRuns, paragraphs, textStyle } from '../helpers/text.ts';
import { anyText, towers } from './text-arbitrary.ts';

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
const text = fc
  .array(fc.oneof(scriptText, towers(4), anyText(8)), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));

/** Among all families, the engine draws the box of the first one for a sign without its number. */
const arabicSigns = /[\u0600-\u0605]/g;

/** What the engine says of the text: its width and its ink. White space may come from any font. */
function shapeOf(measured: ReturnType<typeof engine.measureText>): number[] {
  const { actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = measured;
  const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = measured;
  return [measured.width, ascent, descent, left, right];
}

/** Pixels by which the engine's sums of 32 bits may differ: it adds the same advances by runs of fonts. */
const tolerance = 0.001;

/** Throws when a text looks different with the families that it needs. */
function requireAlike(words: string, lang: string): void {
  const drawable = drawing.replaceMissing(words, style, lang).text;
  for (const paragraph of paragraphs.splitParagraphs([{ text: drawable, style }], lang)) {
    for (const { start, end, face } of paragraph.stretches) {
      const part = paragraph.text.slice(start, end).replace(arabicSigns, '');
      const needed = fontRuns.neededFamilies(face, part);
      const shape = shapeOf(engine.measureText(face, part, needed));
      const expected = shapeOf(engine.measureText(face, part));
      const isAlike = shape.every(
        (each, at) => Math.abs(each - (expected[at] ?? NaN)) <= tolerance,
      );
      if (!isAlike) {
        const families = needed.join(', ');
        throw new Error(
          `${JSON.stringify(part)} in ${families}: ${shape.join()}, not ${expected.join()}`,
        );
      }
    }
  }
}

/** Texts that `npm run fuzz` found: an ink that ends at 380.9997 px is one that ends at 380.9998. */
const found: [text: string, lang: string][] = [['」　「う', 'en']];

t.test('the families that a text needs draw it as all families do', async () => {
  const property = fc.property(text, fc.constantFrom('en', 'ja', 'ar', 'hi'), requireAlike);
  fc.assert(property, { numRuns: extent(60, 400) + found.length, examples: found });
});
